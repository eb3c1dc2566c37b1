// Days and states as people read them.
const day = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });
const length = 86_400_000;

const moment = (date) => new Date(date + "T00:00Z");

/** A date some days later; earlier when it is negative. */
export const addDays = (date, count) => new Date(moment(date).getTime() + count * length).toISOString().slice(0, 10);

/** `Friday, November 20, 2026`. */
export const longDate = (date) => day.format(moment(date));

/** `Nov 20, 2026`. */
export const shortDate = (date) => shortDay.format(moment(date));

/** `Today`, `Tomorrow`, `Yesterday`, or the day itself. */
export function dayTitle(date, today) {
  const distance = Math.round((moment(date) - moment(today)) / length);
  return { 0: "Today", 1: "Tomorrow", [-1]: "Yesterday" }[distance] ?? longDate(date);
}

/** A state with the shape that says the same without colour; a day that may still be reached is open. */
export const states = {
  reached: { shape: "■", words: "Reached" }, under: { shape: "▼", words: "Under target" }, over: { shape: "▲", words: "Over target" },
  skipped: { shape: "–", words: "Skipped" }, open: { shape: "□", words: "To do" },
};

/** The shapes of days as `week` names them. */
const shapes = { reached: "■", under: "▼", over: "▲", skipped: "–", none: "·" };

/** A week in shapes; the last day may be open. */
export const weekShapes = (week, isOpen) =>
  week.map((name, place) => (isOpen && name === "under" && place === week.length - 1 ? "□" : shapes[name])).join("");

/** A week in words, for those who hear it. */
export const weekWords = (week, isOpen) => "Last seven days: "
  + week.map((name, place) => (isOpen && place === week.length - 1 ? "open" : name === "none" ? "not due" : name)).join(", ");

/** A number with all its digits: `String` writes the largest and the smallest with an exponent. */
export function digits(number) {
  const [mantissa, exponent] = String(Math.abs(number)).split("e");
  const sign = number < 0 ? "-" : "";
  if (exponent === undefined) return sign + mantissa;
  const [whole, decimals = ""] = mantissa.split(".");
  const [all, point] = [whole + decimals, whole.length + Number(exponent)];
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${all}`;
  if (point >= all.length) return sign + all + "0".repeat(point - all.length);
  return `${sign}${all.slice(0, point)}.${all.slice(point)}`;
}

/** One or several of something. */
export const count = (number, one, many = one + "s") => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
