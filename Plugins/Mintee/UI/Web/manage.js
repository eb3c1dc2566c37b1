// All tasks: found by words and tags, opened, edited, deleted.
import { button, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell, tellError } from "/assets/toast.js";
import { article, begin, elsewhere, go, heading, note, redraw, state } from "/mintee/page.js";
import { count, shortDate } from "/mintee/text.js";

let list = null;
let query = null;

/** Shows the tasks that the address asks for. */
export async function drawManage() {
  const isHere = begin();
  try {
    const asked = new URLSearchParams(Object.entries({ q: state.q, tag: state.tag }).filter(([, value]) => value));
    const [tasks, tags] = await Promise.all([getJSON("/api/mintee/tasks?" + asked), getJSON("/api/mintee/tags")]);
    if (!isHere()) return;
    if (!list || !article.contains(list)) drawFrame();
    drawTags(tags);
    draw(tasks);
  } catch (error) {
    if (isHere()) redraw(heading("Manage"), notice(error.message));
  }
}

function drawFrame() {
  query = make("input", { id: "query", type: "search", placeholder: "Find a task…", autocomplete: "off", spellcheck: "false",
    "aria-keyshortcuts": "/", input: () => { note({ q: query.value.trim() }); drawManage(); } });
  query.value = state.q;
  list = make("ul", { class: "cards tasks", "aria-label": "Tasks" });
  redraw(make("div", { class: "dayhead" }, ...heading("Manage"),
    make("search", {}, make("label", { class: "visually-hidden", for: "query", text: "Find a task" }), query)),
  make("div", { id: "tags" }), make("p", { id: "count", class: "hint", role: "status" }), list);
}

// The filter by tags: pressed is the one that holds.
function drawTags(tags) {
  const box = document.getElementById("tags");
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const chip = (words, tag, isOn) => make("button", { type: "button", "aria-pressed": String(isOn), "data-focus": `tag-${tag ?? ""}`,
    click: () => { note({ tag: isOn ? null : tag }); drawManage(); }, text: words });
  box.className = "chips filter";
  box.hidden = !tags.length && !state.tag;
  const isIn = tags.some(({ tag }) => tag === state.tag);
  box.replaceChildren(...(state.tag && !isIn ? [{ tag: state.tag, count: 0 }, ...tags] : tags).map((usage) =>
    chip(`${usage.tag} ${usage.count}`, usage.tag, usage.tag === state.tag)));
  if (focused) box.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

function draw(tasks) {
  const item = document.activeElement.closest("#view .task[data-item]");
  const [focused, place] = [item?.dataset.id, item ? [...list.children].indexOf(item) : -1];
  const isFiltered = state.q !== "" || state.tag !== null;
  list.replaceChildren(...tasks.map(card));
  if (focused) {
    const again = [...list.children].find((other) => other.dataset.id === focused);
    (again ?? list.children[Math.min(place, tasks.length - 1)] ?? query).focus();
  }
  document.getElementById("count").textContent = tasks.length || !isFiltered ? count(tasks.length, "task") : "No task matches.";
  if (!tasks.length && !isFiltered) {
    list.replaceChildren(make("li", {}, notice("No tasks yet. A new one is due every day unless you say otherwise."),
      make("p", { class: "actions" }, make("a", { class: "button main", href: elsewhere({ view: "new" }), text: "New task" }))));
  }
}

const days = (task) => (task.kind === "Specific"
  ? ["Specific", count(task.sets.length, "date")]
  : [`${shortDate(task.start)} to ${task.end ? shortDate(task.end) : "no end"}`, ...task.sets]);

function card(task) {
  return make("li", { class: "card task", "data-item": "", "data-id": task.id, tabindex: "-1" },
    make("h3", {}, make("a", { href: elsewhere({ id: task.id }), "data-open": "", text: task.name })),
    make("ul", { class: "chips", "aria-label": "Tags" }, ...task.tags.map((tag) => make("li", { text: tag }))),
    ...days(task).map((words, place) => make("p", { class: place ? "target" : "hint", text: words })),
    task.remind_at ? make("p", { class: "hint", text: `Reminder at ${task.remind_at}` }) : null,
    make("p", { class: "actions" },
      make("a", { class: "button", href: elsewhere({ id: task.id, view: "edit" }), "data-key": "e", "aria-keyshortcuts": "e",
        text: "Edit" }),
      button("Delete", "#", () => remove(task.id, task.name, task.revision), { class: "danger", "data-key": "#" })));
}

/** Moves a task to the trash at once, and offers to take that back. `done()` is called when it is there. */
export async function remove(id, name, revision = null, done = () => {}) {
  try {
    const { operation } = await sendJSON("DELETE", "/api/mintee/tasks/" + encodeURIComponent(id), {}, { revision });
    done();
    tell(`${name} is in the trash.`, { operation });
    if (state.id === id) await go({ view: "manage" });
    else if (state.view === "manage") await drawManage();
  } catch (error) {
    tellError(error);
  }
}
