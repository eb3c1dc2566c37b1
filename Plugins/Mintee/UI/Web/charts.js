// The charts of a task or an analysis, made of the days that hub counted.
import { barChart, heatMap, lineChart } from "/assets/components/chart.js";
import { counted, dayWords, listed, monthNames, number, weekdayNames, weekStart } from "/assets/components/format.js";
import { periodShare, shortDay, shortDayOfYear, valueWords } from "/mintee/words.js";

const isSingle = (chart) => chart.tasks.length === 1;
const total = (day) => day.reached + day.under + day.over;
const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 1 });

/** How much of a day was reached, 0 to 1; null when nothing was due. */
function shareOf(chart, day, counts) {
  if (!total(day)) return null;
  // A day of a target over several days is not missed by itself; of a sum, the largest value is the darkest.
  if (counts !== null && !day.value) return null;
  if (counts) return day.value / Math.max(...chart.days.map(({ value }) => value ?? 0));
  if (!isSingle(chart)) return day.reached / total(day);
  const least = chart.target?.min;
  return day.reached ? 1 : day.under && least > 0 ? Math.min(Math.max(day.value / least, 0), 1) * 0.75 : 0;
}

function wordsOf(chart, day, counts) {
  if (counts !== null && (!total(day) || !day.value)) return "nothing entered";
  if (counts) return valueWords(day.value);
  if (!total(day)) return "nothing due";
  if (counts !== null && day.reached && isYesNo(chart)) return "done";
  if (!isSingle(chart)) return `${day.reached} of ${total(day)} reached`;
  const how = day.reached ? "reached" : day.over ? "over the target" : "missed";
  return isYesNo(chart) ? how : `${valueWords(day.value)}, ${how}`;
}

/**
 * Whether a day of the chart is only done or not.
 * @param {Mintee.Chart} chart
 * @returns {boolean}
 */
export const isYesNo = ({ target }) => target === null || (target.min === 1 && target.max === null);

/**
 * The tasks of a chart in words.
 * @param {Mintee.Chart} chart
 * @returns {string}
 */
export const tasksWords = ({ tasks }) => (tasks.length > 4 ? counted(tasks.length, "task") : listed(tasks)) || "no task has this tag now";

/**
 * How many days were reached, in words.
 * @param {Pick<Mintee.Chart, "reached" | "due">} chart
 * @returns {string}
 */
const reachedWords = ({ reached, due }) =>
  due ? `${number(reached)} of ${number(due)} reached (${percent(reached / due)})` : "Nothing was due.";

// What the days of a task with a target over several days add up to.
function enteredWords({ days }, counts) {
  const values = days.map(({ value }) => value ?? 0).filter((value) => value > 0);
  if (!values.length) return "Nothing was entered.";
  const done = days.filter(({ reached }) => reached).length;
  const sum = values.reduce((sum, value) => sum + value, 0);
  return counts ? `${valueWords(sum)} on ${counted(values.length, "day")}` : `${counted(done, "day")} done`;
}

/**
 * A square for each day, tinted by what was reached; a day without a result by the share of its period that was. With `counts`, the task
 * has a target over several days, of a sum of values or not: its days are not judged one by one.
 * @param {Mintee.Chart} chart
 * @param {string} title
 * @param {{ isCompact?: boolean, periods?: Mintee.Period[], counts?: boolean | null, unit?: string }} options
 * @returns {Hub.Description}
 */
export function dayMap(chart, title, { isCompact = false, periods = [], counts = null, unit = "" } = {}) {
  const weekdayOf = (date) => (new Date(date).getUTCDay() - weekStart + 7) % 7;
  const names = monthNames("short");
  const hasTints = !isCompact && !chart.days.some(({ color }) => color);
  // The squares of a sum show values.
  const aroundOf = (day) => (counts || total(day) ? null : periodShare(periods, day.date));
  const hasAround = !isCompact && chart.days.some((day) => aroundOf(day) !== null);
  const months = chart.days
    .map(({ date }, place) => ({ date, place }))
    .filter(({ date }) => date.endsWith("-01"))
    .map(({ date, place }) => ({ label: names[Number(date.slice(5, 7)) - 1], place }));
  return heatMap({
    title,
    isCompact,
    weekdays: weekdayNames(),
    months,
    offset: chart.days.length ? weekdayOf(chart.days[0].date) : 0,
    columns: ["Day", "Result"],
    note:
      (counts === null ? reachedWords(chart) : enteredWords(chart, counts)) +
      (hasAround ? `. Pale days: done on other days of that ${unit}` : ""),
    scaleWords: hasTints ? scaleOf(chart, counts) : null,
    days: chart.days.map((day) => {
      const around = aroundOf(day);
      const words = around?.words ?? wordsOf(chart, day, counts);
      return {
        day: day.date,
        share: around?.share ?? shareOf(chart, day, counts),
        color: day.color,
        words: `${dayWords(day.date, { month: "short", weekday: "short" })}: ${words}`,
        cells: [shortDay(day.date), words],
      };
    }),
  });
}

/**
 * The ends of the scale of tints in words.
 * @param {Mintee.Chart} chart
 * @param {boolean | null} counts
 * @returns {[string, string] | null}
 */
function scaleOf(chart, counts) {
  if (counts) return ["Less", "More"];
  if (counts !== null) return [isYesNo(chart) ? "Nothing" : "Part", "Done"];
  return isSingle(chart) ? ["Missed", "Reached"] : ["None", "All reached"];
}

/**
 * The lines across bars for the bounds that there are.
 * @param {...[number | null, string]} bounds
 */
const lines = (...bounds) => bounds.flatMap(([value, words]) => (value === null ? [] : [{ value, words }]));

/**
 * The values of the last days as bars against the target.
 * @param {Mintee.Chart} chart
 * @param {string} title
 * @param {number} [count]
 * @returns {Hub.Description}
 */
export function valueBars({ days, target }, title, count = 28) {
  const [low, high] = [target?.min ?? null, target?.max ?? null];
  const bounds =
    low !== null && high !== null && low !== high
      ? lines([low, `from ${valueWords(low)}`], [high, `to ${valueWords(high)}`])
      : lines([low ?? high, target?.words ?? ""]);
  return barChart({
    title,
    columns: ["Day", "Value"],
    targets: bounds,
    rows: days.slice(-count).map((day) => ({
      label: shortDayOfYear(day.date),
      value: day.value ?? 0,
      words: `${dayWords(day.date, { month: "short", weekday: "short" })}: ${day.value === null ? "nothing due" : valueWords(day.value)}`,
      state: !total(day) ? null : day.reached ? "good" : "bad",
    })),
  });
}

/**
 * The weeks or months of a task as bars against the target over them.
 * @param {Mintee.Period[]} periods
 * @param {string} unit
 * @returns {Hub.Description}
 */
export function periodBars(periods, unit) {
  const top = (values) => (values.length ? Math.max(...values) : null);
  const [low, high] = ["needed", "limit"].map((name) => top(periods.map((period) => period[name]).filter((value) => value !== null)));
  const label = ({ from }) => (unit === "month" ? monthNames("short")[Number(from.slice(5, 7)) - 1] : shortDayOfYear(from));
  /** @type {Record<Mintee.Period["state"], Hub.Shade>} */
  const shades = { reached: "good", under: "bad", over: "bad", open: null, none: null };
  const words = { reached: "reached", under: "missed", over: "over the target", open: "not over yet", none: "not counted" };
  // A limit is kept when its period is over, and not before.
  const isRunning = ({ state, needed }, place) => state === "reached" && needed === null && place === periods.length - 1;
  const over = periods.filter((period, place) => shades[period.state] !== null && !isRunning(period, place));
  const kept = over.filter(({ state }) => state === "reached").length;
  return barChart({
    note: over.length ? `${number(kept)} of ${counted(over.length, unit)} reached` : "None is over yet.",
    title: `The last ${periods.length === 1 ? unit : `${number(periods.length)} ${unit}s`}`,
    columns: [unit === "month" ? "Month" : "Week of", "Value"],
    targets: lines([low, `at least ${valueWords(low ?? 0)}`], [high, `at most ${valueWords(high ?? 0)}`]),
    rows: periods.map((period) => ({
      label: label(period),
      value: period.amount,
      words: `${unit === "month" ? label(period) : `Week of ${label(period)}`}: ${valueWords(period.amount)}, ${words[period.state]}`,
      state: shades[period.state],
    })),
  });
}

// The mean of a day and the six before it; days on which nothing was due do not count.
function means(values) {
  return values.map((_, place) => {
    const near = values.slice(Math.max(0, place - 6), place + 1).filter((value) => value !== null);
    return near.length ? near.reduce((sum, value) => sum + value, 0) / near.length : null;
  });
}

/**
 * The mean of seven days as a line: of the values of one task, of the share in percent that several reached.
 * @param {Mintee.Chart} chart
 * @param {string} title
 * @returns {Hub.Description}
 */
export function meanLine(chart, title) {
  const isShare = !isSingle(chart) || isYesNo(chart);
  const scale = isShare ? (day) => (total(day) ? (100 * day.reached) / total(day) : null) : (day) => day.value;
  const rounded = (value) => (value === null ? null : Math.round(value * 100) / 100);
  return lineChart({
    title,
    labels: chart.days.map(({ date }) => shortDayOfYear(date)),
    axis: isShare ? (value) => percent(value / 100) : undefined,
    base: isShare ? 0 : null,
    series: [{ name: isShare ? "Reached in %, mean of 7 days" : "Mean of 7 days", values: means(chart.days.map(scale)).map(rounded) }],
  });
}
