// What is due on a day: a row for each task, open ones first.
import { dayWords } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { keys } from "/assets/components/keys.js";
import { menuButton } from "/assets/components/menu.js";
import { waiting } from "/assets/components/outbox.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { askNote, askReason, askValue, enter } from "/mintee/entry.js";
import { article, elsewhere, go, heading, redraw, refresh, setOrigin, show, state } from "/mintee/page.js";
import { removeTask } from "/mintee/tasks.js";
import {
  addDays,
  dayTitle,
  groupedWords,
  ofGoal,
  sentEntry,
  stateOf,
  stateWords,
  typed,
  weekSigns,
  withSent,
  withWaiting,
} from "/mintee/words.js";

// The day that is shown; values that are being typed and what is wrong with them, by task.
let shown = null;
let [typing, wrong] = [new Map(), new Map()];
/** Changes that hub has not answered yet: they are drawn at once, and taken back when it refuses them. */
let sent = /** @type {Hub.Waiting[]} */ ([]);

// On a phone days are written in short.
const narrow = matchMedia("(max-width: 44rem)");
narrow.addEventListener("change", () => {
  if (shown) redraw();
});

document.addEventListener("hub-outbox", () => {
  if (shown) redraw();
});

/** Shows the day of the address, or today. Tasks that are done already are folded away; one that gets done stays where it is. */
export function drawDay() {
  const asked = state.day ?? "today";
  let [date, folded] = [null, new Set()];
  [shown, typing, wrong] = [null, new Map(), new Map()];
  setOrigin("Today");
  show({
    topics: ["domain.mintee/*"],
    read: async (signal) => {
      const day = await getJSON("/api/mintee/days/" + encodeURIComponent(asked), { signal });
      return { ...day, isNew: !day.tasks.length && !(await getJSON("/api/mintee/tasks?limit=1", { signal })).length };
    },
    draw: (read) => {
      // A task keeps the day that it was drawn for: a question about it may still be open while another day is shown.
      const ofDay = (task) => ({ ...withSent(withWaiting(task, read.date, waiting()), read.date, sent), date: read.date });
      const day = { ...read, tasks: read.tasks.map(ofDay) };
      if (day.date !== date) [date, folded] = [day.date, new Set(day.tasks.filter(({ settled }) => settled).map(({ id }) => id))];
      shown = day;
      const rest = day.tasks.filter(({ id }) => !folded.has(id));
      const [open, free] = [rest.filter(({ state }) => state !== "free"), rest.filter(({ state }) => state === "free")];
      const done = day.tasks.filter(({ id }) => folded.has(id));
      return [
        head(day),
        ...sectionsOf(open).map(({ name, tasks }, place) =>
          name
            ? h(
                "section",
                { class: "part", key: `part-${name}`, "aria-labelledby": `part-${place}` },
                h("h2", { id: `part-${place}` }, name),
                h("ul", { class: "tasks" }, tasks.map(row)),
              )
            : h("ul", { class: "tasks", "aria-label": "Tasks", key: "open" }, tasks.map(row)),
        ),
        ...periodsOf(free).map(({ name, tasks }, place) =>
          h(
            "section",
            { class: "part", key: `free-${name}`, "aria-labelledby": `free-${place}` },
            h("h2", { id: `free-${place}` }, name),
            h("ul", { class: "tasks" }, tasks.map(row)),
          ),
        ),
        !rest.length &&
          done.length > 0 &&
          h("p", { class: "all-done", key: "all-done" }, icon("check"), skippedOf(done) ? "Nothing is left to do." : "Everything is done."),
        done.length > 0 &&
          h(
            "details",
            { class: "more done", key: "done" },
            h("summary", null, `${foldedWords(done)} (${done.length})`),
            h("ul", { class: "tasks", "aria-label": foldedWords(done) }, done.map(row)),
          ),
        !day.tasks.length && nothing(day),
      ];
    },
  });
}

const skippedOf = (tasks) => tasks.filter(({ state }) => state === "skipped").length;

// What the tasks have in common with which nothing is left to do: a skipped one is not done.
function foldedWords(tasks) {
  const count = skippedOf(tasks);
  return count === 0 ? "Done" : count === tasks.length ? "Skipped" : "Done or skipped";
}

// The tasks of each section; they come in its order.
function sectionsOf(tasks) {
  const parts = [];
  for (const task of tasks) {
    const last = parts.at(-1);
    if (last && last.name?.toLowerCase() === task.section?.toLowerCase()) last.tasks.push(task);
    else parts.push({ name: task.section, tasks: [task] });
  }
  return parts;
}

// Moves a task among those that are shown in its list.
async function move(item, by) {
  const list = article.querySelector(`[data-id="${CSS.escape(item.id)}"]`)?.parentElement;
  if (!list) return;
  const ids = [...list.querySelectorAll(":scope > [data-id]")].map((row) => row.getAttribute("data-id"));
  const place = ids.indexOf(item.id);
  if (place + by < 0 || place + by >= ids.length) return;
  [ids[place], ids[place + by]] = [ids[place + by], ids[place]];
  try {
    const { operation } = await sendJSON("PUT", "/api/mintee/tasks/order", { ids });
    tell(`${item.name} moved ${by < 0 ? "up" : "down"}.`, { operation });
  } catch (error) {
    tellError(error);
  }
  await refresh();
  focusRow(item.id);
}

// What the days are free in: a task of so many days a week needs none of them as long as enough are left.
function periodsOf(tasks) {
  const spans = { "This week": "this week", "This month": "this month", "Also possible today": "" };
  const names = Object.keys(spans);
  const nameOf = ({ period }) => names.find((name) => period.includes(spans[name]));
  return names.map((name) => ({ name, tasks: tasks.filter((task) => nameOf(task) === name) })).filter((part) => part.tasks.length > 0);
}

const dayLink = (date, { today }) => elsewhere({ day: date === today ? null : date });
const addLink = (words) => h("a", { class: "button main", href: elsewhere({ view: "new" }) }, icon("add"), h("span", null, words));

function nothing({ isNew, date, today }) {
  if (isNew)
    return empty("Your habits", {
      picture: "today",
      words: "What you want to do, on the days that you choose: once a day, a number of times, or only on some dates.",
      actions: [addLink("New habit")],
    });
  return empty(date === today ? "Nothing is due today" : "Nothing is due on this day", {
    picture: "today",
    actions: [addLink("New task")],
  });
}

function head(day) {
  const picker = h("input", {
    type: "date",
    class: "picker",
    tabindex: "-1",
    "aria-label": "Day",
    value: day.date,
    onchange: (event) => {
      const { value } = event.currentTarget;
      if (value) go({ day: value === day.today ? null : value });
    },
  });
  const step = (by, words, picture, key) =>
    h(
      "a",
      {
        class: "icon-button",
        href: dayLink(addDays(day.date, by), day),
        "aria-label": words,
        title: words,
        "data-step": by,
        ...keyed(key),
      },
      icon(picture),
    );
  const title = dayTitle(day.date, day.today, narrow.matches);
  const words = dayWords(day.date, narrow.matches ? { weekday: "short", month: "short" } : { weekday: "long" });
  return h(
    "div",
    { class: "day-head", key: "head" },
    heading(title, {
      beside: h(
        "div",
        { class: "days" },
        day.date !== day.today && h("a", { class: "button", href: dayLink(day.today, day) }, "Today"),
        step(-1, "Previous day", "left", "["),
        h(
          "span",
          { class: "pick-day" },
          iconButton("calendar", "Choose a day", (event) =>
            /** @type {HTMLInputElement} */ (/** @type {HTMLElement} */ (event.currentTarget).nextElementSibling).showPicker(),
          ),
          picker,
        ),
        step(1, "Next day", "right", "]"),
      ),
    }),
    h(
      "div",
      { class: "progress-line", key: "progress" },
      title !== dayWords(day.date, { weekday: "long" }) && h("span", { class: "date" }, words),
      day.counted > 0 && h("span", { class: "count", role: "status" }, h("strong", null, `${day.reached} of ${day.counted}`), " reached"),
      day.counted > 0 && h("progress", { max: day.counted, value: day.reached, "aria-label": "Reached" }),
    ),
  );
}

// One task

const isCount = (item) => item.counts;

function row(item) {
  const how = stateOf(item);
  // Beside what the week or month wants, the target of a day says whose it is.
  const daily = item.period ? " a day" : "";
  const extra = [item.isWaiting && "Waits to be sent", how === "skipped" && `Skipped${item.skip ? `: ${item.skip}` : ""}`, item.note]
    .filter(Boolean)
    .join(" · ");
  return h(
    "li",
    { class: "task", key: item.id, "data-item": "", "data-id": item.id, "data-state": how },
    tick(item, how),
    h(
      "a",
      { class: "name", href: elsewhere({ id: item.id }) },
      h("span", { class: "title" }, item.name),
      item.period && h("span", { class: "of period" }, groupedWords(item.period)),
      item.goal !== "" &&
        h(
          "span",
          { class: "of" },
          h("span", { class: "amount" }, ofGoal(item.value, item.goal) + daily),
          h("span", { class: "goal" }, item.goal + daily),
        ),
      ["over", "under"].includes(how) && h("span", { class: "said" }, stateWords[how]),
    ),
    h("span", { class: "tags" }, item.tags.map((tag) => `#${tag}`).join(" ")),
    isCount(item) && stepper(item),
    weekSigns(item.week, item.open),
    h(
      "span",
      { class: "streak", title: "Streak" },
      item.streak > 0 && [icon("flame", { size: "small" }), h("span", { class: "visually-hidden" }, "Streak "), String(item.streak)],
    ),
    menuButton({ label: `More for ${item.name}`, items: () => menu(item) }),
    extra && h("span", { class: "extra" }, extra),
    wrong.has(item.id) && h("p", { class: "problem", id: `wrong-${item.id}`, role: "alert" }, `✗ ${wrong.get(item.id)}`),
  );
}

// A circle that fills: a click reaches the target, a second one takes that back.
function tick(item, how) {
  if (item.limit && how !== "skipped") return kept(item);
  const [share, isOn] = [how === "reached" ? 1 : item.meter, how === "reached"];
  return h(
    "button",
    {
      type: "button",
      class: "tick",
      "aria-pressed": String(isOn),
      "aria-label": `${item.name}: ${stateWords[how].toLowerCase()}`,
      title: isOn ? "Not done" : "Done",
      onclick: () => change(item, isOn ? { do: "set", value: 0 } : { do: "done" }),
    },
    h(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      h("circle", { class: "rim", cx: 12, cy: 12, r: 9.5 }),
      share >= 0.01 &&
        h("circle", {
          class: "share",
          cx: 12,
          cy: 12,
          r: 9.5,
          pathLength: 100,
          "stroke-dasharray": `${Math.round(share * 100)} 100`,
          transform: "rotate(-90 12 12)",
        }),
      {
        reached: h("path", { d: "m7.5 12.3 3.2 3.2 6-6.6" }),
        over: h("path", { d: "M12 7v6M12 16.4v.2" }),
        skipped: h("path", { d: "M8 12h8" }),
        under: h("path", { d: "m9 9 6 6M15 9l-6 6" }),
      }[how],
    ),
  );
}

// A limit over several days has nothing to reach on a day: a sign says whether it is kept.
function kept({ name, period_state: state }) {
  const words = state === "over" ? "over the limit" : "kept so far";
  return h(
    "span",
    { class: "tick kept", role: "img", "aria-label": `${name}: ${words}`, title: words[0].toUpperCase() + words.slice(1) },
    icon(state === "over" ? "warning" : "check"),
  );
}

function stepper(item) {
  const { id, name } = item;
  const step = (words, picture, by) =>
    iconButton(picture, `${words}: ${name}`, () => change(item, { do: by }), { tabindex: "-1", class: `icon-button step ${by}` });
  // A value that is being typed stays until it is sent or left.
  const field = h("input", {
    type: "text",
    class: "value",
    id: `value-${id}`,
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": `Value of ${name}`,
    "aria-invalid": wrong.has(id) ? "true" : null,
    "aria-describedby": wrong.has(id) ? `wrong-${id}` : null,
    value: typing.get(id) ?? typed(item.value),
    oninput: (event) => typing.set(id, event.currentTarget.value),
    onchange: (event) => send(item, event.currentTarget.value.trim()),
    onkeydown: keys((event) => onValueKey(event, item)),
    onfocus: (event) => event.currentTarget.select(),
  });
  return h("span", { class: "stepper" }, step("One less", "minus", "down"), field, step("One more", "add", "up"));
}

function onValueKey(event, item) {
  const by = { ArrowUp: "up", ArrowDown: "down" }[event.key];
  if (by && !typing.has(item.id)) {
    event.preventDefault();
    change(item, { do: by });
  } else if (event.key === "Escape") {
    event.preventDefault();
    typing.delete(item.id);
    wrong.delete(item.id);
    event.currentTarget.value = typed(item.value);
    redraw();
    focusRow(item.id);
  }
}

async function send(item, text) {
  if (text === typed(item.value)) typing.delete(item.id);
  else await change(item, { do: "set", value: text });
}

async function change(item, what) {
  const own = sentEntry(item.id, item.date, what);
  sent.push(own);
  redraw();
  const problem = await enter(item, item.date, what);
  wrong.delete(item.id);
  if (problem) wrong.set(item.id, problem);
  else typing.delete(item.id);
  // What is read holds the change; until then it stays as it is drawn.
  if (!problem) await refresh();
  sent = sent.filter((other) => other !== own);
  redraw();
}

async function skip(item) {
  if (item.state === "skipped") return change(item, { do: "unskip" });
  const reason = await askReason(item.name);
  if (reason !== null) await change(item, { do: "skip", text: reason });
  return focusRow(item.id);
}

async function writeNote(item) {
  const text = await askNote(item.name, item.note ?? "");
  if (text !== null) await change(item, { do: "note", text });
  focusRow(item.id);
}

async function typeValue(item) {
  const field = document.getElementById(`value-${item.id}`);
  if (field?.checkVisibility()) return field.focus();
  const text = isCount(item) ? await askValue(item.name, typed(item.value), item.goal) : null;
  if (text !== null) await change(item, { do: "set", value: text });
  return focusRow(item.id);
}

function menu(item) {
  const isSkipped = item.state === "skipped";
  return [
    ...(isCount(item)
      ? [
          { words: "One more", picture: "add", act: () => change(item, { do: "up" }) },
          { words: "One less", picture: "minus", act: () => change(item, { do: "down" }) },
          { words: "Enter a value…", picture: "edit", act: () => typeValue(item) },
          null,
        ]
      : []),
    { words: isSkipped ? "Do not skip" : "Skip…", picture: "skip", act: () => skip(item) },
    { words: item.note ? "Edit note…" : "Add note…", picture: "note", act: () => writeNote(item) },
    { words: "Clear this day", picture: "undo", act: () => change(item, { do: "clear" }) },
    null,
    { words: "Move up", picture: "up", act: () => move(item, -1) },
    { words: "Move down", picture: "down", act: () => move(item, 1) },
    { words: "Edit task", picture: "settings", act: () => go({ id: item.id, view: "edit" }) },
    { words: "Delete task", picture: "trash", isDanger: true, act: () => removeTask(item) },
  ];
}

// Keys

const focused = () => {
  const id = document.activeElement?.closest(".task[data-item]")?.dataset.id;
  return shown?.tasks.find((item) => item.id === id) ?? null;
};
const focusRow = (id) => article.querySelector(`[data-id="${CSS.escape(id)}"] .name`)?.focus();
const isOnRow = () => article.contains(document.activeElement) && focused() !== null;
/** @type {(key: string, words: string, act: (item: Mintee.Item) => unknown) => Hub.Shortcut} */
const onRow = (key, words, act) => ({ key, words, when: isOnRow, act: () => act(focused()) });
const step = (by) => () => article.querySelector(`[data-step="${by}"]`)?.click();
const isDay = () => (state.view === null || state.view === "month") && state.id === null;

/**
 * What keys do on a day.
 * @type {Hub.Shortcut[]}
 */
export const dayKeys = [
  onRow("d", "Done: reach the target", (item) => change(item, { do: "done" })),
  {
    key: " ",
    words: "Done, or not done",
    when: () => isOnRow() && (document.activeElement?.matches(".name") ?? false),
    act: () => document.activeElement?.closest(".task")?.querySelector("button.tick")?.click(),
  },
  onRow("+", "One more", (item) => change(item, { do: "up" })),
  { ...onRow("=", "One more", (item) => change(item, { do: "up" })), isHidden: true },
  onRow("-", "One less", (item) => change(item, { do: "down" })),
  onRow("v", "Enter a value", typeValue),
  onRow("s", "Skip the day", skip),
  onRow("o", "Write a note for the day", writeNote),
  onRow("Backspace", "Clear the day", (item) => change(item, { do: "clear" })),
  onRow("K", "Move up", (item) => move(item, -1)),
  onRow("J", "Move down", (item) => move(item, 1)),
  { key: "[", words: "Previous day or month", act: step(-1), when: isDay },
  { key: "]", words: "Next day or month", act: step(1), when: isDay },
  { key: "ArrowLeft", words: "Previous day or month", act: step(-1), when: isDay },
  { key: "ArrowRight", words: "Next day or month", act: step(1), when: isDay },
];
