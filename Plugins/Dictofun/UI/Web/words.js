// Times and lengths of records in words.
import { dayWords, locale, number, todayText } from "/assets/components/format.js";

/**
 * A length or place in milliseconds as a clock: 0:05, 2:10, 1:02:03.
 * @param {number} milliseconds
 * @returns {string}
 */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  /** @type {(part: number) => string} */
  const two = (part) => String(part).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(seconds % 60)}`;
}

/**
 * A length in milliseconds to the nearest second, as a clock.
 * @param {number} milliseconds
 * @returns {string}
 */
export const lengthClock = (milliseconds) => clock(Math.round(milliseconds / 1000) * 1000);

/**
 * A length in milliseconds for screen readers: 2 minutes 10 seconds.
 * @param {number} milliseconds
 * @returns {string}
 */
export function lengthWords(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  /** @type {[number, string][]} */
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ];
  const said = parts.filter(([count]) => count).map(([count, unit]) => number(count, { style: "unit", unit, unitDisplay: "long" }));
  return said.join(" ") || number(0, { style: "unit", unit: "second", unitDisplay: "long" });
}

/**
 * The stored time has no time zone: it is the clock of the place where the record began.
 * @param {string} recordedAt
 * @returns {string}
 */
const timeOf = (recordedAt) => new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" }).format(new Date(recordedAt + "Z"));

/**
 * The time of the day: of an import whose name has a day only, it is not known.
 * @param {Dictofun.Timed} record
 */
const clockOf = ({ recorded_at: recordedAt, is_time_unknown: isUnknown = false }) =>
  isUnknown && recordedAt.endsWith("T00:00:00") ? "time unknown" : timeOf(recordedAt);

/**
 * The time of a record in full: Friday 20 November 2026, 09:41.
 * @param {Dictofun.Timed} record
 * @returns {string}
 */
export const recordedWords = (record) => `${dayWords(record.recorded_at.slice(0, 10), { weekday: "long" })}, ${clockOf(record)}`;

/**
 * The time of a record in a list: Today, 09:41; Fri 20 Nov, 09:41.
 * @param {Dictofun.Timed} record
 * @returns {string}
 */
export function shortWords(record) {
  const day = record.recorded_at.slice(0, 10);
  const words = day === todayText() ? "Today" : dayWords(day, { weekday: "short", month: "short", hasYear: false });
  return `${words}, ${clockOf(record)}${record.is_time_unknown && !record.recorded_at.endsWith("T00:00:00") ? "?" : ""}`;
}

/**
 * What a record is called in lists: the beginning of its text, else its title or file, else its time.
 * @param {{ transcript?: string | null, name: string | null } & Dictofun.Timed} record
 * @returns {string}
 */
export const titleOf = (record) => record.transcript || record.name || recordedWords(record);
