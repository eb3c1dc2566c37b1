// All tasks: found by words and tags, in an order of one's choice.
import { entities } from "/assets/components/entities.js";
import { counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { once, undoable } from "/assets/components/undoable.js";
import { getAll, getJSON } from "/assets/hub.js";
import { elsewhere, go, goBack, heading, note, redraw, refresh, setOrigin, show, state } from "/mintee/page.js";
import { groupedWords, shortDay, stateOf, stateWords, valueWords } from "/mintee/words.js";

/** What hub says of tasks. */
export const [taskEntity] = entities;

const orders = { name: "Name", start: "Newest first", streak: "Longest streak first" };
let order = "name";

/** Shows the tasks that the address asks for. */
export function drawTasks() {
  setOrigin("All tasks");
  show({
    topics: ["domain.mintee/*"],
    read: async (signal) => {
      const asked = new URLSearchParams(
        Object.entries({ q: state.q ?? "", tag: state.tag ?? "", limit: "500" }).filter(([, value]) => value),
      );
      const [tasks, tags, day] = await Promise.all([
        getAll(`/api/mintee/tasks?${asked}`, { signal }),
        getJSON("/api/mintee/tasks/tags", { signal }),
        getJSON("/api/mintee/days/today", { signal }),
      ]);
      return { tasks, tags, today: day.today, due: new Map(day.tasks.map((item) => [item.id, item])) };
    },
    draw: (data) => [heading("All tasks", { beside: tools() }), filters(data.tags), ...groups(data)],
  });
}

function tools() {
  return h(
    "div",
    { class: "toolbar" },
    h(
      "search",
      { class: "query" },
      icon("search"),
      h("input", {
        type: "search",
        id: "query",
        placeholder: "Search tasks",
        "aria-label": "Search tasks",
        autocomplete: "off",
        spellcheck: "false",
        created: (input) => {
          input.value = state.q;
        },
        oninput: (event) => find({ q: event.currentTarget.value.trim() }),
      }),
    ),
    menuButton({
      label: "Order",
      words: orders[order],
      properties: { class: "quiet menu-button" },
      items: () =>
        Object.entries(orders).map(([name, words]) => ({
          words,
          isChecked: name === order,
          act: () => {
            order = name;
            redraw();
          },
        })),
    }),
  );
}

/**
 * Shows only tasks with these words or tags.
 * @param {Hub.Changes} changes
 */
export function find(changes) {
  note(changes);
  return refresh();
}

function filters(tags) {
  const all = state.tag && !tags.some(({ tag }) => tag === state.tag) ? [{ tag: state.tag, count: 0 }, ...tags] : tags;
  return (
    all.length > 0 &&
    h(
      "div",
      { class: "chips", role: "group", "aria-label": "Tags", key: "filters" },
      all.map(({ tag, count }) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            key: tag,
            "aria-pressed": String(tag === state.tag),
            onclick: () => find({ tag: tag === state.tag ? "" : tag }),
          },
          `${tag} ${count}`,
        ),
      ),
    )
  );
}

function groups({ tasks, today, due }) {
  const streak = ({ id }) => due.get(id)?.streak ?? -1;
  const compare = {
    name: () => 0,
    start: (one, other) => (other.start ?? "").localeCompare(one.start ?? ""),
    streak: (one, other) => streak(other) - streak(one),
  }[order];
  const sorted = tasks.toSorted(compare);
  const isOver = ({ end }) => end !== null && end < today;
  const isLater = ({ start }) => start > today;
  const parts = [
    ["Current", (task) => !isOver(task) && !isLater(task)],
    ["Later", isLater],
    ["Ended", isOver],
  ]
    .map(([words, isIn]) => [words, sorted.filter(isIn)])
    .filter(([, list]) => list.length);
  if (!tasks.length) return [nothing()];
  return [
    h("p", { class: "hint", role: "status", key: "count" }, counted(tasks.length, "task")),
    ...parts.map(([words, list]) =>
      h(
        "section",
        { key: words, "aria-label": words },
        parts.length > 1 && h("h3", null, words),
        h(
          "ul",
          { class: "tasks all", "aria-label": words },
          list.map((task) => row(task, due.get(task.id))),
        ),
      ),
    ),
  ];
}

function nothing() {
  if (state.q || state.tag)
    return empty("No task matches", {
      picture: "search",
      actions: [
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              /** @type {HTMLInputElement} */ (document.querySelector("#query")).value = "";
              find({ q: "", tag: "" });
            },
          },
          "Show all tasks",
        ),
      ],
    });
  return empty("No tasks yet", {
    picture: "today",
    words: "A new task is due every day unless you choose other days.",
    actions: [h("a", { class: "button main", href: elsewhere({ view: "new" }) }, icon("add"), h("span", null, "New task"))],
  });
}

function row(task, item) {
  const how = item ? stateOf(item) : "none";
  const until = task.end && `until ${shortDay(task.end)}`;
  const days = task.kind === "Specific" ? counted(task.sets.length, "date") : groupedWords(task.schedule.join("; "), 5);
  const words = item && item.goal && item.value ? `${valueWords(item.value)} today` : item ? stateWords[how] : "";
  return h(
    "li",
    { class: "task", key: task.id, "data-item": "", "data-id": task.id, "data-state": how },
    h("span", { class: "today-state", title: stateWords[how] }, h("i", { class: how })),
    h(
      "a",
      { class: "name", href: elsewhere({ id: task.id }) },
      h("span", { class: "title" }, task.name),
      h("span", { class: "of" }, [days, until, task.remind_at && `reminder at ${task.remind_at}`].filter(Boolean).join(" · ")),
    ),
    h("span", { class: "tags" }, task.tags.map((tag) => `#${tag}`).join(" ")),
    h("span", { class: "said" }, words),
    menuButton({
      label: `More for ${task.name}`,
      items: () => [
        { words: "Edit", picture: "edit", act: () => go({ id: task.id, view: "edit" }) },
        { words: "Delete", picture: "trash", isDanger: true, act: () => removeTask(task) },
      ],
    }),
  );
}

/**
 * Moves a task to the trash, which can be undone.
 * @param {Mintee.Named} task
 * @returns {Promise<void>}
 */
export const removeTask = ({ id, name, revision = null }) =>
  once(`delete ${id}`, async () => {
    if (!(await undoable("DELETE", `/api/mintee/tasks/${encodeURIComponent(id)}`, {}, `${name} moved to the trash.`, { revision }))) return;
    if (state.id === id) await goBack();
    else await refresh();
  });
