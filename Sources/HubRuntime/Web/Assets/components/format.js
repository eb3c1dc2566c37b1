// Dates, times and numbers as the settings hub.locale and hub.week_start say; the frame of the page carries both.
const { dataset, lang } = document.documentElement;

/** The locale of dates, times and numbers: that of the settings, else that of the browser. */
export const locale = [dataset.locale, ...(navigator.languages ?? []), lang].map(supported).find(Boolean) ?? "en";

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The first day of the week: 0 for Sunday, 1 for Monday, and so on. */
export const weekStart = dataset.weekStart ? Math.max(0, weekdays.indexOf(dataset.weekStart)) : 1;

/**
 * @param {string | undefined} name
 * @returns {string | undefined}
 */
function supported(name) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(name?.replace("_", "-").split(".")[0] || [])[0];
  } catch {
    return undefined;
  }
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();
/**
 * A day has no time zone: it is the same day everywhere.
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {Intl.DateTimeFormat}
 */
function dates(options) {
  const name = JSON.stringify(options);
  const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  formats.set(name, format);
  return format;
}

/**
 * Splits `1985-03-31`, `--03-31`, `1985-03` or `1985`; null for other words.
 * @param {string | null} text
 * @returns {Hub.DateParts | null}
 */
export function dateParts(text) {
  const found = /^(?:(\d{4})|-)(?:-(\d\d))?(?:-(\d\d))?$/.exec(text ?? "");
  if (!found || (!found[1] && !found[2])) return null;
  const [year, month, day] = found.slice(1).map((part) => (part ? Number(part) : null));
  return { year, month, day };
}

/**
 * A leap year, so that 29 February exists.
 * @param {Hub.DateParts} parts
 * @returns {Date}
 */
const asDate = ({ year, month, day }) => {
  const date = new Date(Date.UTC(2000, (month ?? 1) - 1, day ?? 1));
  if (year !== null) date.setUTCFullYear(year);
  return date;
};

/**
 * A date in words: 10 December 1815, 31 March, March 1985, 1985; without `hasYear` the year is left out. Other words stay as they are.
 * @param {string | null} text
 * With `isDayOnly` the weekday alone is written.
 * @param {{ month?: "long" | "short", weekday?: "long" | "short", hasYear?: boolean, isDayOnly?: boolean }} options
 * @returns {string}
 */
export function dayWords(text, { month = "long", weekday, hasYear = true, isDayOnly = false } = {}) {
  const parts = dateParts(text);
  if (!parts) return (text ?? "").replace(/^"|"$/g, "");
  if (isDayOnly) return dates({ weekday }).format(asDate(parts));
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { weekday };
  if (parts.year !== null && hasYear) options.year = "numeric";
  if (parts.month !== null) options.month = month;
  if (parts.day !== null) options.day = "numeric";
  return dates(options).format(asDate(parts));
}

/**
 * The whole years from `born` until `today` (YYYY-MM-DD); null without a full date of birth.
 * @param {string} born
 * @param {string} [today]
 * @returns {number | null}
 */
export function yearsSince(born, today = todayText()) {
  const [from, to] = [dateParts(born), dateParts(today)];
  if (!from?.year || !from.month || !from.day || !to?.year || !to.month || !to.day) return null;
  const isBefore = to.month < from.month || (to.month === from.month && to.day < from.day);
  const years = to.year - from.year - (isBefore ? 1 : 0);
  return years >= 0 ? years : null;
}

/**
 * Today as YYYY-MM-DD.
 * @param {Date} [now]
 * @returns {string}
 */
export function todayText(now = new Date()) {
  /** @type {(part: number) => string} */
  const two = (part) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * The names of the months.
 * @param {"long" | "short"} [month]
 * @returns {string[]}
 */
export const monthNames = (month = "long") =>
  Array.from({ length: 12 }, (_, place) => dates({ month }).format(new Date(Date.UTC(2000, place, 1))));

/**
 * The names of the days in the order of the week.
 * @param {"long" | "short" | "narrow"} [weekday]
 * @returns {string[]}
 */
export const weekdayNames = (weekday = "short") =>
  Array.from({ length: 7 }, (_, place) => dates({ weekday }).format(new Date(Date.UTC(2000, 0, 2 + weekStart + place))));

/**
 * The order in which the locale writes day, month and year.
 * @returns {string[]}
 */
export const dateOrder = () =>
  dates({ year: "numeric", month: "numeric", day: "numeric" })
    .formatToParts(new Date())
    .map((part) => part.type)
    .filter((type) => ["day", "month", "year"].includes(type));

/** @type {Record<string, "h12" | "h23">} */
const cycles = { "12h": "h12", "24h": "h23" };
// The hours of times as the settings say, else as the locale has them.
const hourCycle = cycles[dataset.clock ?? ""];

/**
 * A time of day, `21:23`, as the locale or the settings write it.
 * @param {string} text
 * @returns {string}
 */
export const timeWords = (text) =>
  new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC", hourCycle }).format(
    new Date(`1970-01-01T${text.slice(0, 5)}Z`),
  );

/**
 * A day beside today: Tomorrow, Yesterday, its weekday within six days, else its date.
 * @param {string} day
 * @param {string} today
 * @returns {string}
 */
export function nearDay(day, today) {
  const [one, other] = [day, today].map((text) => Date.parse(text + "T00:00Z") / 86_400_000);
  const away = one - other;
  if (Math.abs(away) <= 1) return sentence(new Intl.RelativeTimeFormat(lang || "en", { numeric: "auto" }).format(away, "day")).slice(0, -1);
  if (away > 0 && away < 7) return dayWords(day, { weekday: "long", hasYear: false, isDayOnly: true });
  return dayWords(day, { month: "short", hasYear: day.slice(0, 4) !== today.slice(0, 4) });
}

/**
 * A moment: the time of today, else the date and time.
 * @param {string | number} moment
 * @returns {string}
 */
export function momentWords(moment) {
  const date = new Date(moment);
  const isToday = todayText(date) === todayText();
  /** @type {Intl.DateTimeFormatOptions} */
  const options = isToday ? { timeStyle: "short", hourCycle } : { dateStyle: "medium", timeStyle: "short", hourCycle };
  return new Intl.DateTimeFormat(locale, options).format(date);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const units = [
  ["year", 31556952],
  ["month", 2629746],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/**
 * A moment relative to now: 3 minutes ago.
 * @param {string | number} moment
 * @returns {string}
 */
export function ago(moment) {
  const seconds = (new Date(moment).getTime() - Date.now()) / 1000;
  const words = new Intl.RelativeTimeFormat(lang || "en", { numeric: "auto" });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}

/**
 * A moment for a row of a list: how long ago within a day, else its day: 3 Nov; 3 Nov 2024.
 * @param {string | number} moment
 * @returns {string}
 */
export function shortAge(moment) {
  const date = new Date(moment);
  if (Date.now() - date.getTime() < 86_400_000) return ago(moment);
  return dayWords(todayText(date), { month: "short", hasYear: date.getFullYear() !== new Date().getFullYear() });
}

/**
 * A number with the separators of the locale.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 * @returns {string}
 */
export const number = (value, options) => new Intl.NumberFormat(locale, options).format(value);

/** @type {Intl.NumberFormatOptions & { numberingSystem: string }} */
const latin = { numberingSystem: "latn" };

/** The decimal mark of numbers that are typed. It goes to the server with them, as `decimal_mark`. */
export const decimalMark = new Intl.NumberFormat(locale, latin).format(1.5).includes(",") ? "," : ".";

/**
 * A number as it is typed in a field: all its digits and the decimal mark of the locale.
 * @param {number | string} value
 * @returns {string}
 */
export const typedNumber = (value) =>
  (typeof value === "string" ? value : value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 })).replace(
    ".",
    decimalMark,
  );

/**
 * Digits of all scripts as ASCII digits, as the server reads them: `٣١` and `３１` are `31`. For what the page itself counts with.
 * @param {string} text
 * @returns {string}
 */
export const westernDigits = (text) =>
  text.replace(/[\u200E\u200F\u061C]/g, "").replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    // The ten digits of a script follow each other, from its zero on; those of mathematics are five such rows.
    let value = 0;
    for (let code = digit.codePointAt(0) ?? 0; value < 50 && /\p{Nd}/u.test(String.fromCodePoint(code - 1)); code -= 1) value += 1;
    return String(value % 10);
  });

/**
 * `1 contact`, `2,310 contacts`.
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 * @returns {string}
 */
export const counted = (count, one, many = one + "s") => `${number(count)} ${count === 1 ? one : many}`;

/**
 * Words joined as in a sentence: a, b and c.
 * @param {string[]} words
 * @param {"conjunction" | "disjunction" | "unit"} [type]
 * @returns {string}
 */
export const listed = (words, type = "conjunction") => new Intl.ListFormat(lang || "en", { type }).format(words);

/**
 * Words as a sentence: with a capital and a stop.
 * @param {string | null} words
 * @returns {string}
 */
export function sentence(words) {
  const text = (words ?? "").trim();
  return text && text[0].toLocaleUpperCase(lang || "en") + text.slice(1) + (/[.!?…:)]$/.test(text) ? "" : ".");
}

/**
 * A file size.
 * @param {number} bytes
 * @returns {string}
 */
export function fileSize(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const place = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return number(bytes / 1000 ** place, { style: "unit", unit: units[place], unitDisplay: "short", maximumFractionDigits: place ? 1 : 0 });
}
