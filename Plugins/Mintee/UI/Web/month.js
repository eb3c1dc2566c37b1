// A month of all habits: a line for each, a sign for each day. The whole month fits on a phone, and on a sheet of paper.
import { dayWords, listed, number, weekdayNames, weekStart } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { elsewhere, go, heading, setOrigin, show, state } from "/mintee/page.js";
import { addDays, shortDayOfYear, stateWords, valueWords } from "/mintee/words.js";

/**
 * @typedef {{ id: string, name: string, section: string | null, goal: string, reached: number, counted: number,
 *   states: Mintee.DayState[], values: number[] }} Row
 * @typedef {{ first: string, last: string, today: string, tasks: Row[] }} Month
 */

/** @type {(first: string, by: number) => string} the first day of a month some months away */
function monthAway(first, by) {
  const [year, month] = first.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + by, 1)).toISOString().slice(0, 10);
}

/** Shows the month of the day of the address, or this one. */
export function drawMonth() {
  setOrigin("Month");
  show({
    topics: ["domain.mintee/*"],
    read: (signal) => getJSON(`/api/mintee/months/${encodeURIComponent((state.day ?? "today").slice(0, 7))}`, { signal }),
    draw: (/** @type {Month} */ month) => [
      head(month),
      month.tasks.length
        ? h("div", { class: "month", key: month.first, style: { "--days": String(month.tasks[0].states.length) } }, [
            scale(month),
            ...rows(month),
          ])
        : empty("Nothing is due in this month", { picture: "calendar" }),
      month.tasks.length > 0 && legend(),
    ],
  });
}

/** @param {Month} month */
function head({ first, today, tasks }) {
  const isNow = first.slice(0, 7) === today.slice(0, 7);
  /** @type {(by: number, words: string, picture: string, key: string) => Hub.Description} */
  const step = (by, words, picture, key) => {
    const to = monthAway(first, by);
    const day = to.slice(0, 7) === today.slice(0, 7) ? null : to;
    return h(
      "a",
      { class: "icon-button", href: elsewhere({ view: "month", day }), "aria-label": words, title: words, "data-step": by, ...keyed(key) },
      icon(picture),
    );
  };
  const sum = (name) => tasks.reduce((all, task) => all + task[name], 0);
  const [reached, counted] = [sum("reached"), sum("counted")];
  return h(
    "div",
    { class: "day-head", key: "head" },
    heading(dayWords(first.slice(0, 7)), {
      beside: h(
        "div",
        { class: "days" },
        !isNow && h("a", { class: "button", href: elsewhere({ view: "month" }) }, "This month"),
        step(-1, "Previous month", "left", "["),
        step(1, "Next month", "right", "]"),
      ),
    }),
    counted > 0 &&
      h(
        "div",
        { class: "progress-line", key: "progress" },
        h("span", { class: "count" }, h("strong", null, `${number(reached)} of ${number(counted)}`), " reached"),
        h("progress", { max: counted, value: reached, "aria-label": "Reached" }),
      ),
  );
}

/** @type {(date: string) => number} the place of a day in its week */
const placeInWeek = (date) => (new Date(date).getUTCDay() - weekStart + 7) % 7;

/** @param {Month} month the days above the lines; those who hear the lines hear the days there */
function scale({ first, today, tasks }) {
  const names = weekdayNames("narrow");
  return h(
    "div",
    { class: "month-row month-scale", "aria-hidden": "true", key: "scale" },
    h("span", { class: "month-name" }),
    h(
      "span",
      { class: "month-days" },
      tasks[0].states.map((_, place) => {
        const date = addDays(first, place);
        const at = placeInWeek(date);
        return h(
          "span",
          { class: [date === today && "at", at === 0 && "week-start"].filter(Boolean).join(" ") || null },
          h("small", null, names[at]),
          h("b", null, number(place + 1)),
        );
      }),
    ),
    h("span", { class: "month-sum" }),
  );
}

/** @param {Month} month */
function rows(month) {
  /** @type {(string | null)[]} */
  const sections = month.tasks.map(({ section }) => section);
  return month.tasks.flatMap((task, place) => [
    task.section !== null &&
      task.section !== (sections[place - 1] ?? null) &&
      h("h3", { class: "month-section", dir: "auto", key: `section ${task.section}` }, task.section),
    row(task, month),
  ]);
}

/**
 * What a day of a task was; a day that is not over may still be reached.
 * @param {Row} task
 * @param {number} place
 * @param {Month} month
 * @returns {Mintee.DayState}
 */
function dayState({ states, values }, place, { first, today }) {
  const [date, state] = [addDays(first, place), states[place]];
  // A limit is kept by 0 already; what is to come is only due.
  if (date > today && ["reached", "under", "over"].includes(state)) return values[place] ? state : "unknown";
  return date === today && state === "under" ? "open" : state;
}

/** @type {(task: Row, month: Month) => Hub.Description} */
function row(task, month) {
  const days = task.states.map((_, place) => dayState(task, place, month));
  /** @type {(name: Mintee.DayState, words: string) => string | false} */
  const on = (name, words) => {
    const dates = days.flatMap((day, place) => (day === name ? [number(place + 1)] : []));
    return dates.length > 0 && `${words} on ${listed(dates)}`;
  };
  const sum = task.counted ? `${number(task.reached)} of ${number(task.counted)}` : number(task.reached);
  const said = [`${sum} reached`, on("under", "missed"), on("over", "over the target"), on("skipped", "skipped")]
    .filter(Boolean)
    .join("; ");
  return h(
    "div",
    { class: "month-row", key: task.id, "data-item": "", "data-id": task.id },
    h("a", { class: "month-name name", href: elsewhere({ id: task.id }) }, h("span", { class: "title", dir: "auto" }, task.name)),
    h(
      "span",
      { class: "month-days", role: "img", "aria-label": said, onclick: (event) => open(event, month) },
      days.map((day, place) => {
        const date = addDays(month.first, place);
        const value = task.goal && task.values[place] ? ` (${valueWords(task.values[place])})` : "";
        return h(
          "span",
          {
            class: date === month.today ? "at" : placeInWeek(date) === 0 ? "week-start" : null,
            "data-place": place,
            title: `${shortDayOfYear(date)}: ${date > month.today && day === "unknown" ? "due" : stateWords[day].toLowerCase()}${value}`,
          },
          h("i", { class: day }),
        );
      }),
    ),
    h("span", { class: "month-sum", "aria-hidden": "true" }, sum),
  );
}

/** A click on a day opens it; the days are reached by keys from Today. */
function open(event, { first, today }) {
  const place = /** @type {HTMLElement} */ (event.target).closest("[data-place]")?.getAttribute("data-place");
  if (!place) return;
  const date = addDays(first, Number(place));
  go({ day: date === today ? null : date });
}

const legend = () =>
  h(
    "p",
    { class: "month-legend hint", key: "legend", "aria-hidden": "true" },
    ["reached", "under", "over", "skipped", "unknown"].map((name) =>
      h("span", { key: name }, h("i", { class: name }), { under: "Missed", unknown: "Due" }[name] ?? stateWords[name]),
    ),
  );
