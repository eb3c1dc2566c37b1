// Dates, times and numbers as the settings hub.locale and hub.week_start say; the frame of the page carries both.
const { dataset, lang } = document.documentElement;

/** The locale of dates and numbers. */
export const locale = supported(dataset.locale) ?? supported(lang) ?? "en";

/** The first day of the week: 0 for Sunday, 1 for Monday. */
export const weekStart = dataset.weekStart === "sun" ? 0 : 1;

function supported(name) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(name?.replace("_", "-").split(".")[0] || [])[0];
  } catch {
    return undefined;
  }
}

const formats = new Map();
// A day has no time zone: it is the same day everywhere.
function dates(options) {
  const name = JSON.stringify(options);
  if (!formats.has(name)) formats.set(name, new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }));
  return formats.get(name);
}

/** Splits `1985-03-31`, `--03-31`, `1985-03` or `1985`; null for other words. */
export function dateParts(text) {
  const found = /^(?:(\d{4})|-)(?:-(\d\d))?(?:-(\d\d))?$/.exec(text ?? "");
  if (!found || (!found[1] && !found[2])) return null;
  const [year, month, day] = found.slice(1).map((part) => (part ? Number(part) : null));
  return { year, month, day };
}

// A leap year, so that 29 February exists.
const asDate = ({ year, month, day }) => {
  const date = new Date(Date.UTC(2000, (month ?? 1) - 1, day ?? 1));
  if (year !== null) date.setUTCFullYear(year);
  return date;
};

/** A date in words: 10 December 1815, 31 March, March 1985, 1985. Other words stay as they are. */
export function dayWords(text, { month = "long", weekday } = {}) {
  const parts = dateParts(text);
  if (!parts) return (text ?? "").replace(/^"|"$/g, "");
  const options = { weekday };
  if (parts.year !== null) options.year = "numeric";
  if (parts.month !== null) options.month = month;
  if (parts.day !== null) options.day = "numeric";
  return dates(options).format(asDate(parts));
}

/** The whole years from `born` until `today` (YYYY-MM-DD); null without a full date of birth. */
export function yearsSince(born, today = todayText()) {
  const [from, to] = [dateParts(born), dateParts(today)];
  if (!from?.year || !from.day || !to) return null;
  const isBefore = to.month < from.month || (to.month === from.month && to.day < from.day);
  const years = to.year - from.year - (isBefore ? 1 : 0);
  return years >= 0 ? years : null;
}

/** Today as YYYY-MM-DD. */
export function todayText(now = new Date()) {
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The names of the months. */
export const monthNames = (month = "long") =>
  Array.from({ length: 12 }, (_, place) => dates({ month }).format(new Date(Date.UTC(2000, place, 1))));

/** The names of the days in the order of the week. */
export const weekdayNames = (weekday = "short") =>
  Array.from({ length: 7 }, (_, place) => dates({ weekday }).format(new Date(Date.UTC(2000, 0, 2 + weekStart + place))));

/** The order in which the locale writes day, month and year. */
export const dateOrder = () =>
  dates({ year: "numeric", month: "numeric", day: "numeric" })
    .formatToParts(new Date())
    .map((part) => part.type)
    .filter((type) => ["day", "month", "year"].includes(type));

/** A moment: the time of today, else the date and time. */
export function momentWords(moment) {
  const date = new Date(moment);
  const isToday = todayText(date) === todayText();
  const options = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(locale, options).format(date);
}

/** A moment relative to now: 3 minutes ago. */
export function ago(moment) {
  const seconds = (new Date(moment) - Date.now()) / 1000;
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  for (const [unit, length] of [
    ["year", 31556952],
    ["month", 2629746],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ]) {
    if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}

/** A number with the separators of the locale. */
export const number = (value, options) => new Intl.NumberFormat(locale, options).format(value);

/** The decimal mark of numbers that are typed. It goes to the server with them, as `decimal_mark`. */
export const decimalMark = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).format(1.5).includes(",") ? "," : ".";

/** A number as it is typed in a field: all its digits and the decimal mark of the locale. */
export const typedNumber = (value) =>
  (typeof value === "string" ? value : value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 })).replace(
    ".",
    decimalMark,
  );

/** `1 contact`, `2,310 contacts`. */
export const counted = (count, one, many = one + "s") => `${number(count)} ${count === 1 ? one : many}`;

/** Words joined as in a sentence: a, b and c. */
export const listed = (words, type = "conjunction") => new Intl.ListFormat(lang || "en", { type }).format(words);

/** Words as a sentence: with a capital and a stop. */
export function sentence(words) {
  const text = (words ?? "").trim();
  return text && text[0].toLocaleUpperCase(lang || "en") + text.slice(1) + (/[.!?…:)]$/.test(text) ? "" : ".");
}

/** A file size. */
export function fileSize(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const place = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return number(bytes / 1000 ** place, { style: "unit", unit: units[place], unitDisplay: "short", maximumFractionDigits: place ? 1 : 0 });
}
