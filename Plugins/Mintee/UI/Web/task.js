// One task: its days, how it has gone, its year, and what was entered.
import { button, key, make } from "/assets/dom.js";
import { getJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { picture, shapesLegend } from "/mintee/chart.js";
import { remove } from "/mintee/manage.js";
import { begin, elsewhere, go, heading, note, redraw, state } from "/mintee/page.js";
import { count, longDate, shortDate } from "/mintee/text.js";
import { history, values } from "/mintee/values.js";

let shown = null;
const back = { href: elsewhere({ view: "manage" }), words: "← All tasks" };

/** Shows the task of the address. A link may name an analysis by its id alone: then that is shown. */
export async function drawTask() {
  const isHere = begin();
  shown = null;
  const address = "/api/mintee/tasks/" + encodeURIComponent(state.id);
  try {
    const task = await getJSON(address);
    const own = "/api/mintee/tasks/" + encodeURIComponent(task.id);
    const [year, line] = await Promise.all([getJSON(own + "/chart?type=box&days=365"), getJSON(own + "/chart?type=line&days=90")]);
    const [entered, done] = await Promise.all([values(own), history(own)]);
    if (!isHere()) return;
    shown = task;
    note({ id: task.id });
    redraw(heading(task.name, { back }), mark(task), actions(task), tiles(task), facts(task),
      make("section", { "aria-label": "The year" }, make("h3", { text: "The year" }), picture(year), shapesLegend()),
      make("section", { "aria-label": "The last 90 days" }, make("h3", { text: "The last 90 days" }), picture(line)),
      entered, done);
  } catch (error) {
    if (!isHere()) return;
    if (error.code === "task-not-found" && (await isAnalysis())) return go({ view: "analysis", id: state.id });
    redraw(heading("Not found", { back }), notice(error.message));
  }
}

async function isAnalysis() {
  try {
    await getJSON("/api/mintee/analyses/" + encodeURIComponent(state.id));
    return true;
  } catch {
    return false;
  }
}

const mark = (task) => (task.deleted_at
  ? make("p", { class: "mark", text: `In the trash: hub mintee restore ${task.short_id}` }) : null);

function actions(task) {
  if (task.deleted_at) return null;
  return make("p", { class: "actions" },
    make("a", { class: "button", href: elsewhere({ id: task.id, view: "edit" }), "aria-keyshortcuts": "e" }, "Edit ", key("e")),
    button("Delete", "#", () => removeShown(), { class: "danger", "data-focus": "delete" }));
}

/** Moves the task that is shown to the trash. */
export const removeShown = () => shown && !shown.deleted_at && remove(shown.id, shown.name, shown.revision);

const percent = (part) => `${(part * 100).toFixed(1)} %`;

// How it has gone, in numbers.
function tiles(task) {
  const tile = (number, words, more = null) => make("div", { class: "tile" }, make("dt", { text: words }),
    make("dd", {}, make("strong", { text: number }), more && make("span", { text: more })));
  const buffer = task.due === 0 ? null : task.buffer === null
    ? tile("0", "May be missed", "less than 80 % are reached") : tile(String(task.buffer), "May be missed", "before less than 80 % are reached");
  return make("dl", { class: "tiles" },
    tile(String(task.streak), "Streak", "due days in a row"), tile(String(task.longest_streak), "Longest streak"),
    tile(`${task.reached} of ${task.due}`, "Reached", task.due ? `${percent(task.reached / task.due)} in 28 days` : "in 28 days"),
    tile(percent(task.score), "Score", "days lose half their weight in 13"), buffer);
}

function facts(task) {
  const rows = task.kind === "Specific"
    ? [["Dates", task.sets.map(shortDate).join(", ")]]
    : [...task.sets.map((set, place) => [place ? "" : "Days", set]),
      ["From", `${longDate(task.start)} to ${task.end ? longDate(task.end) : "a year from today, moving on"}`]];
  rows.push(["Tags", task.tags.join(", ")], ["Reminder", task.remind_at ?? ""], ["Notes", task.notes],
    ["Filled", count(task.filled, "day")]);
  return make("dl", { class: "facts" }, ...rows.filter(([, text]) => text).flatMap(([name, text]) =>
    [make("dt", { text: name }), make("dd", { text })]));
}
