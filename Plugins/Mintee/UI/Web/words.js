// States, values and days as people read them.
import { dayWords, decimalMark, number, westernDigits } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";

const length = 86_400_000;
/**
 * @param {string} date
 * @returns {number}
 */
const moment = (date) => new Date(date + "T00:00Z").getTime();

/**
 * A date some days later; earlier when `count` is negative.
 * @param {string} date
 * @param {number} count
 * @returns {string}
 */
export const addDays = (date, count) => new Date(moment(date) + count * length).toISOString().slice(0, 10);

/**
 * The days from one date to another.
 * @param {string} from
 * @param {string} to
 * @returns {number}
 */
const daysBetween = (from, to) => Math.round((moment(to) - moment(from)) / length);

/**
 * `Today`, `Tomorrow`, `Yesterday`, or the day itself, on a phone in short.
 * @param {string} date
 * @param {string} today
 * @param {boolean} isSmall
 * @returns {string}
 */
export function dayTitle(date, today, isSmall) {
  return (
    { 0: "Today", 1: "Tomorrow", [-1]: "Yesterday" }[daysBetween(today, date)] ??
    (isSmall ? shortDayOfYear(date) : dayWords(date, { weekday: "long" }))
  );
}

/**
 * A day without its year: 3 Nov.
 * @param {string} date
 * @returns {string}
 */
export const shortDayOfYear = (date) => dayWords(date, { month: "short", hasYear: false });

/**
 * A day in short: 3 Nov 2026.
 * @param {string} date
 * @returns {string}
 */
export const shortDay = (date) => dayWords(date, { month: "short" });

/** The words of a state; a day that may still be reached is open. */
export const stateWords = {
  reached: "Reached",
  under: "Missed",
  over: "Over the target",
  skipped: "Skipped",
  free: "Free",
  open: "To do",
  unknown: "Nothing entered",
  none: "Not due",
};

/**
 * The state of a day as it is shown.
 * @param {Pick<Mintee.Item, "open" | "state">} item
 * @returns {Mintee.DayState}
 */
export const stateOf = (item) => (item.open && item.state === "under" ? "open" : item.state);

/**
 * The route of a day of a task.
 * @param {string} id
 * @param {string} date
 * @returns {string}
 */
export const pathOf = (id, date) => `/api/mintee/tasks/${encodeURIComponent(id)}/days/${date}`;

/** @type {Partial<Record<Mintee.EntryChange["do"], string>>} */
const planned = { done: "done", up: "one more", down: "one less", skip: "skipped", unskip: "not skipped", note: "note", clear: "cleared" };

/**
 * A change before hub has answered.
 * @param {string} name
 * @param {Mintee.EntryChange} change
 * @returns {string}
 */
export const plannedWords = (name, change) => `${name}: ${planned[change.do] ?? change.value}.`;

/**
 * A task of a day with the changes that wait to be sent: with the value and the state that it will have, as far as the page knows.
 * @param {Mintee.Item} item
 * @param {string} date
 * @param {Hub.Waiting[]} waiting
 * @returns {Mintee.Item}
 */
export function withWaiting(item, date, waiting) {
  const changes = waiting.filter(({ url, problem }) => problem === null && url === pathOf(item.id, date)).map(({ value }) => value);
  if (!changes.length) return item;
  const after = { ...item, isWaiting: true };
  for (const change of changes) {
    const by = Number(change.by ?? 1);
    if (change.do === "up") after.value += by;
    else if (change.do === "down") after.value -= by;
    else if (change.do === "done") after.state = "reached";
    else if (change.do === "skip") Object.assign(after, { state: "skipped", skip: change.text || null });
    else if (change.do === "unskip") Object.assign(after, { state: "open", skip: null });
    else if (change.do === "clear")
      Object.assign(after, { state: item.state === "free" ? "free" : "open", value: 0, note: null, skip: null });
    else if (change.do === "note") after.note = change.text || null;
    else if (change.do === "set") {
      const value = Number(
        westernDigits(String(change.value))
          .replace(change.decimal_mark ?? ".", ".")
          .replace(/[\u066B\uFF0E]/g, "."),
      );
      if (Number.isFinite(value)) after.value = value;
      if (value === 0 && after.state === "reached") after.state = "open";
    }
  }
  return after;
}

/**
 * A change that was sent and not answered, as one that waits is written down.
 * @param {string} id
 * @param {string} date
 * @param {Mintee.EntryChange} change
 * @returns {Hub.Waiting}
 */
export const sentEntry = (id, date, change) => ({
  operation: "",
  method: "POST",
  url: pathOf(id, date),
  value: { ...change, decimal_mark: decimalMark },
  words: "",
  at: "",
  problem: null,
});

/**
 * A task of a day with the changes that hub has not answered yet. How a new value is judged only hub knows: until then, the state stays.
 * @param {Mintee.Item} item
 * @param {string} date
 * @param {Hub.Waiting[]} sent
 * @returns {Mintee.Item}
 */
export function withSent(item, date, sent) {
  const after = withWaiting(item, date, sent);
  return after === item ? item : { ...after, isWaiting: item.isWaiting };
}

/**
 * A value with all its digits.
 * @param {number} value
 * @returns {string}
 */
export const valueWords = (value) => number(value, { maximumFractionDigits: 20 });

/**
 * Words of a target with their numbers grouped as the locale does: `9,500 of 10,000 this month`.
 * @param {string} words
 * @param {number} [digits] how many digits a number has at least; a year has four
 * @returns {string}
 */
export const groupedWords = (words, digits = 4) =>
  words.replace(new RegExp(`\\d{${digits},}(?:\\.\\d+)?`, "g"), (text) => valueWords(Number(text)));

/**
 * A value beside its goal: `4 of 6 to 10`, `24 of 30`, `2, at most 3`.
 * @param {number} value
 * @param {string} goal
 * @returns {string}
 */
export function ofGoal(value, goal) {
  const bound = goal.replace(/^at least (\S+)$/, "$1");
  return `${valueWords(value)}${/^-?\d/.test(bound) ? " of " : ", "}${bound}`;
}

export { typedNumber as typed } from "/assets/components/format.js";

/**
 * The last seven days as signs, and in words for those who hear them.
 * @param {Mintee.DayState[]} week
 * @param {boolean} isOpen
 * @returns {Hub.Description}
 */
export function weekSigns(week, isOpen) {
  const days = week.map((name, place) => (isOpen && place === week.length - 1 && name === "under" ? "open" : name));
  return h(
    "span",
    {
      class: "week",
      role: "img",
      "aria-label": `Last seven days: ${days.map((name) => stateWords[name].toLowerCase()).join(", ")}`,
      title: "Last seven days",
    },
    days.map((name) => h("i", { class: ["free", "unknown"].includes(name) ? "none" : name })),
  );
}

/**
 * How much of its week or month a day without a result shows, as a weak tint, and the words for it; null without a target over them.
 * @param {Mintee.Period[]} periods
 * @param {string} date
 * @returns {{ share: number, words: string } | null}
 */
export function periodShare(periods, date) {
  const period = periods.find(({ from, to }) => from <= date && date <= to);
  const needed = period?.needed ?? 0;
  if (!period || needed <= 0 || period.amount <= 0) return null;
  return {
    share: Math.min(period.amount / needed, 1) / 2,
    words: `nothing done, ${valueWords(period.amount)} of ${valueWords(needed)} around it`,
  };
}
