// One task: how it has gone, its days, its year, and what was entered.
import { trashed } from "/assets/components/entities.js";
import { historyList } from "/assets/components/entityhistory.js";
import { counted, dayWords, listed, number } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { failed } from "/assets/components/states.js";
import { getJSON, getPage } from "/assets/hub.js";
import { dayMap, isYesNo, meanLine, periodBars, valueBars } from "/mintee/charts.js";
import { elsewhere, go, heading, note, refresh, show, state } from "/mintee/page.js";
import { removeTask, taskEntity } from "/mintee/tasks.js";
import { groupedWords, shortDay, stateWords, valueWords } from "/mintee/words.js";

const rowsAtOnce = 20;
const maximumRows = 1000;
let shown = null;

/**
 * The task that is shown, or null.
 * @returns {Mintee.Task | null}
 */
export const openTask = () => (state.view === null && shown?.id === state.id ? shown : null);

/** Shows the task of the address. A link may name an analysis by its id alone: then that is shown. */
export function drawTask() {
  shown = null;
  let count = rowsAtOnce;
  const id = state.id ?? "";
  const address = "/api/mintee/tasks/" + encodeURIComponent(id);
  show({
    topics: ["domain.mintee/*"],
    read: async (signal) => {
      const task = await getJSON(address, { signal });
      const own = "/api/mintee/tasks/" + encodeURIComponent(task.id);
      const [chart, entries, history] = await Promise.all([
        getJSON(`${own}/chart?type=line&days=365`, { signal }),
        getPage(`${own}/entries?limit=${count}`, { signal }),
        getJSON(`${own}/history`, { signal }),
      ]);
      return { task, chart, entries, history };
    },
    draw: ({ task, chart, entries, history }) => {
      shown = task;
      if (state.id !== task.id) note({ id: task.id });
      const more = () => {
        count = Math.min(count + 5 * rowsAtOnce, maximumRows);
        refresh();
      };
      return [
        heading(task.name, { hasBack: true, beside: task.deleted_at ? null : actions(task) }),
        task.deleted_at && trashed(taskEntity, task, { restored: refresh }),
        tiles(task),
        panel(task),
        ...charts(chart, task),
        values(entries, task, count < maximumRows && more),
        history.length > 0 && changes(task, history),
      ];
    },
    onError: (error) => {
      if (error.status === 404) lookForAnalysis(id);
      return [heading("Not found", { hasBack: true }), failed(error, drawTask)];
    },
  });
}

async function lookForAnalysis(id) {
  const found = await getJSON("/api/mintee/analyses/" + encodeURIComponent(id)).catch(() => null);
  if (found && state.id === id) go({ view: "analysis", id: found.id });
}

function actions(task) {
  return h(
    "div",
    { class: "toolbar" },
    h("a", { class: "button", href: elsewhere({ id: task.id, view: "edit" }), ...keyed("e") }, icon("edit"), h("span", null, "Edit")),
    menuButton({
      label: "More actions",
      items: () => [{ words: "Delete", picture: "trash", isDanger: true, act: () => removeTask(task) }],
    }),
  );
}

// How it has gone, in numbers.
function tiles(task) {
  const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 1 });
  const tile = (words, value, more) =>
    h("div", { class: "tile" }, h("dt", null, words), h("dd", null, h("strong", null, value), h("span", null, more)));
  const unit = task.streak_unit;
  const span = { day: "Last 28 days", week: "Last 4 weeks", month: "Last 12 months" }[unit];
  if (task.period) {
    const [, now, time, rest] = /^(.*?) (this week|this month|in the last \d+ days)(.*)$/.exec(groupedWords(task.period)) ?? [
      "",
      task.period,
      "",
      "",
    ];
    const said = { reached: ", reached", over: ", over the target" }[task.period_state] ?? "";
    return h(
      "dl",
      { class: "tiles" },
      tile("Now", now, time + (rest || said)),
      tile("Streak", counted(task.streak, unit), `longest: ${counted(task.longest_streak, unit)}`),
      tile(span, `${task.reached} of ${counted(task.due, unit)}`, reachedWords(task, percent)),
      tile("Score", percent(task.score), "recent days count most"),
    );
  }
  return h(
    "dl",
    { class: "tiles" },
    tile("Streak", counted(task.streak, unit), `longest: ${counted(task.longest_streak, unit)}`),
    tile(span, `${task.reached} of ${task.due}`, task.due ? `${percent(task.reached / task.due)} reached` : "nothing was due"),
    tile("Score", percent(task.score), "recent days count most"),
    task.due > 0 &&
      tile(
        "You can miss",
        counted(task.buffer ?? 0, "day"),
        task.buffer === null ? "less than 80% are reached now" : "and still reach 80%",
      ),
  );
}

// The share of the periods that are decided; the current one is open as long as it is neither reached nor missed.
function reachedWords({ reached, due, period_state: now, streak_unit: unit }, percent) {
  const open = now === "open" && unit !== "day" ? `, this ${unit} is open` : "";
  return due ? `${percent(reached / due)} reached${open}` : "none is over yet";
}

function panel(task) {
  const line = (picture, words, content) =>
    content && h("div", { class: "line" }, h("dt", null, icon(picture), words), h("dd", null, content));
  const isSpecific = task.kind === "Specific";
  const span = isSpecific ? null : task.end ? `${dayWords(task.start)} to ${dayWords(task.end)}` : `Since ${dayWords(task.start)}, no end`;
  return h(
    "section",
    { class: "panel", "aria-label": "About" },
    h(
      "dl",
      { class: "lines" },
      line(
        "calendar",
        isSpecific ? "Dates" : "Days and targets",
        isSpecific ? listed(task.sets.map(shortDay)) : groupedWords(task.schedule.join("\n"), 5),
      ),
      line("clock", "Dates", span),
      line("alarm", "Reminder", task.remind_at && `At ${task.remind_at}`),
      line(
        "tag",
        "Tags",
        task.tags.length > 0 &&
          h(
            "span",
            { class: "chips" },
            task.tags.map((tag) => h("a", { class: "chip", href: elsewhere({ view: "tasks", tag }) }, tag)),
          ),
      ),
      line("note", "Notes", task.notes),
    ),
  );
}

function charts(chart, { periods, streak_unit: unit, counts }) {
  return [
    periods.length > 0 && h("div", { class: "card" }, periodBars(periods, unit)),
    dayMap(chart, "The last year", { periods, counts, unit }),
    !isYesNo(chart) &&
      h(
        "div",
        { class: "cards charts" },
        h("div", { class: "card" }, valueBars(chart, "The last 28 days")),
        h("div", { class: "card" }, meanLine({ ...chart, days: chart.days.slice(-90) }, "Mean of 7 days")),
      ),
  ];
}

// What a day is called: one of a target over several days is done, or counts towards the sum.
function resultWords(entry, { today, counts }) {
  const isOpen = entry.date === today;
  if (counts === null || entry.state === "skipped") return stateWords[entry.state === "under" && isOpen ? "open" : entry.state];
  if (counts) return "";
  if (entry.state === "reached") return "Done";
  return isOpen ? stateWords.open : entry.value > 0 ? "Not enough" : "Not done";
}

function values({ rows, next }, task, more) {
  // A column in which nothing would be is left out: the days of a sum have no result.
  const texts = [
    { title: "Result", of: (entry) => resultWords(entry, task) },
    { title: "Note", of: (entry) => [entry.skip, entry.note].filter(Boolean).join(" · ") },
  ].filter(({ of }) => rows.some((entry) => of(entry) !== ""));
  const cells = (entry) => [
    h("th", { scope: "row" }, h("a", { href: elsewhere({ day: entry.date }) }, shortDay(entry.date))),
    h("td", { class: "number" }, valueWords(entry.value)),
    ...texts.map(({ of }) => h("td", null, of(entry))),
  ];
  return h(
    "section",
    { class: "values", "aria-labelledby": "values" },
    h("h3", { id: "values" }, "Entries"),
    rows.length
      ? h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["Day", "Value", ...texts.map(({ title }) => title)].map((words, place) =>
                h("th", { scope: "col", class: place === 1 ? "number" : null }, words),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            rows.map((entry) => h("tr", { key: entry.date }, cells(entry))),
          ),
        )
      : h("p", { class: "hint" }, "No entries yet."),
    next && more && h("button", { type: "button", class: "quiet", onclick: more }, "Show more"),
  );
}

const changes = (task, versions) =>
  h("details", { class: "more" }, h("summary", null, "History"), historyList(taskEntity, task, versions, refresh));
