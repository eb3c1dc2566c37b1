// Times and lengths of records in words.
import { dayWords, locale, todayText } from "/assets/components/format.js";

/** A length or place in milliseconds as a clock: 0:05, 2:10, 1:02:03. */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(seconds % 60)}`;
}

/** A length in milliseconds for screen readers: 2 minutes 10 seconds. */
export function lengthWords(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ];
  const said = parts
    .filter(([count]) => count)
    .map(([count, unit]) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count));
  return said.join(" ") || new Intl.NumberFormat(locale, { style: "unit", unit: "second", unitDisplay: "long" }).format(0);
}

// The stored time has no time zone: it is the clock of the place where the record began.
const timeOf = (recorded) =>
  new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" }).format(new Date(recorded.replace(" ", "T") + "Z"));

/** The time of a record in full: Friday 20 November 2026, 09:41. */
export const recordedWords = (recorded) => `${dayWords(recorded.slice(0, 10), { weekday: "long" })}, ${timeOf(recorded)}`;

/** The time of a record in a list: Today, 09:41; Fri 20 Nov, 09:41. */
export function shortWords(recorded) {
  const day = recorded.slice(0, 10);
  const words =
    day === todayText()
      ? "Today"
      : new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(
          new Date(`${day}T00:00Z`),
        );
  return `${words}, ${timeOf(recorded)}`;
}

/** What a record is called in lists: the beginning of its text, else its file, else its time. */
export const titleOf = ({ excerpt, name, recorded }) => excerpt || name || recordedWords(recorded);
