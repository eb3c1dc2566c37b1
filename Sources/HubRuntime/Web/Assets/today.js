// Today across plugins: what is due, what is worth a look, and how to begin with a plugin that holds nothing yet.
import { chooseFiles, onFiles } from "/assets/components/files.js";
import { dayWords, nearDay, number, timeWords } from "/assets/components/format.js";
import { icon, iconButton, labelledButton } from "/assets/components/icons.js";
import { deliver, waiting } from "/assets/components/outbox.js";
import { create, h } from "/assets/components/patch.js";
import { orderedList } from "/assets/components/rows.js";
import { rowStops } from "/assets/components/rowlist.js";
import { shortcuts } from "/assets/components/shortcuts.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { openAdd } from "/assets/add.js";
import { ask, makeDialog } from "/assets/dialog.js";
import { getJSON, sendBytes, sendJSON } from "/assets/hub.js";

const root = /** @type {HTMLElement} */ (document.getElementById("today"));
/** The sections whose rows are all shown. */
const unfolded = new Set();
/** Copies of the icons of the navigation. */
const icons = new Map();
/** What was done to a row and is not in its data yet: `{ isDone, by }` by the path of the row. */
const changed = new Map();
// With room beside each other, what is due has a column of its own.
const wide = matchMedia("(min-width: 80rem)");

const shown = view(root, {
  topics: ["*"],
  read: (signal) => getJSON("/api/today", { signal }),
  draw: ({ date, is_new: isNew, sections, invitations }) => {
    const parts = sections.filter((part) => !part.is_hidden && part.items.length).map((part) => section(part, date));
    const isDue = new Set(sections.filter((part) => part.is_due).map(({ id }) => `section-${id}`));
    const [due, others] = [true, false].map((wanted) => parts.filter(({ properties }) => isDue.has(properties.key) === wanted));
    const nothing = !isNew && !due.length && rest();
    const isSplit = wide.matches && others.length > 0;
    root.classList.toggle("is-split", isSplit);
    return [
      h(
        "div",
        { class: "head", key: "head" },
        h("p", { class: "date" }, wordsOf(date)),
        !isNew && iconButton("settings", "Order and hide sections", arrange),
      ),
      isNew && h("p", { class: "lead", key: "lead" }, "Welcome. Everything stays on this computer, and everything can be undone."),
      isSplit
        ? [h("div", { class: "column", key: "due" }, nothing, due), h("div", { class: "column", key: "others" }, others)]
        : h("div", { class: "column", key: "all" }, nothing, parts),
      invitations.length > 0 && h("div", { class: "invitations", key: "invitations" }, invitations.map(invitation)),
    ];
  },
});
wide.addEventListener("change", () => shown.redraw());
const stops = rowStops(root, () => shown.redraw());

const wordsOf = (date) => dayWords(date, { weekday: "long", hasYear: false });

function iconOf(plugin) {
  if (!icons.has(plugin)) {
    icons.set(plugin, document.querySelector(`.places a[href="/${CSS.escape(plugin)}"] .icon`)?.cloneNode(true));
  }
  return icons.get(plugin).cloneNode(true);
}

const tick = () => h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "m6 12.5 4 4 8-9" }));

const rest = () =>
  h(
    "div",
    { class: "rest", key: "rest" },
    h("p", null, tick(), "Nothing is left for today."),
    labelledButton("add", "Add something", () => openAdd()),
  );

// A row changes at once; an error takes that back.
async function act(item, action, change) {
  const words = action === item.action ? `${item.title}: ${action.words.toLowerCase()}.` : counterWords(item, change.by);
  const before = changed.get(item.path);
  changed.set(item.path, { isDone: change.isDone ?? false, by: (before?.by ?? 0) + (change.by ?? 0) });
  shown.redraw();
  try {
    const answer = await deliver("POST", action.path, action.body, words);
    if (answer) {
      tell(words, { operation: answer.operation });
      await shown.refresh();
    }
  } catch (error) {
    tellError(error);
  }
  changed.delete(item.path);
  shown.redraw();
}

const counterWords = (item, by) => `${item.title}: ${by > 0 ? "one more" : "one less"}.`;

// What waits in this browser for a row counts as done.
function stateOf(item) {
  const own = waiting().filter(({ problem }) => problem === null);
  const of = (action) => (action ? own.filter(({ url, value }) => url === action.path && value.do === action.body.do).length : 0);
  const { isDone = false, by = 0 } = changed.get(item.path) ?? {};
  const kept = { isDone: of(item.action) > 0, by: item.counter ? of(item.counter.more) - of(item.counter.fewer) : 0 };
  return {
    isWaiting: kept.isDone || of(item.counter?.more) + of(item.counter?.fewer) > 0,
    isDone: isDone || kept.isDone,
    value: item.counter && item.counter.value + (changed.has(item.path) ? by : 0) + kept.by,
  };
}

function counter(item, value) {
  const step = (name, by, action) =>
    iconButton(name, `${action.words}: ${item.title}`, () => act(item, action, { by }), { class: "icon-button", ...stops.inRow });
  return h(
    "span",
    { class: "counter" },
    step("minus", -1, item.counter.fewer),
    h("output", { "aria-label": `Value of ${item.title}` }, number(value, { maximumFractionDigits: 3 })),
    step("add", 1, item.counter.more),
  );
}

function row(item, part, today) {
  const { isWaiting, isDone, value } = stateOf(item);
  const when = [item.day && nearDay(item.day, today), item.time && timeWords(item.time)].filter(Boolean);
  return h(
    "li",
    { key: item.path + (item.day ?? ""), "data-row": "", class: isDone ? "is-done" : null },
    item.action &&
      h(
        "button",
        {
          type: "button",
          class: "tick",
          "aria-label": `${item.title}: ${item.action.words.toLowerCase()}`,
          "aria-pressed": String(isDone),
          title: item.action.words,
          onclick: () => !isDone && act(item, item.action, { isDone: true }),
          ...stops.inRow,
        },
        tick(),
      ),
    h(
      "a",
      { href: item.path, ...stops.stop(part.id, item.path, part.items[0].path) },
      h("span", { class: "title", dir: "auto" }, item.title),
      h(
        "span",
        { class: "detail" },
        isWaiting && h("span", { class: "waits" }, icon("clock", { size: "small" }), "waiting"),
        [...when, item.detail].filter(Boolean).join(" · "),
        item.trend && h("span", { class: `trend ${item.trend.is_good ? "good" : "bad"}` }, item.trend.words),
      ),
    ),
    item.counter && counter(item, value),
    item.links.map((link) =>
      h(
        "a",
        {
          class: "icon-button",
          href: link.address,
          "aria-label": `${link.words}: ${item.title}`,
          title: link.words,
          key: link.icon,
          ...stops.inRow,
        },
        icon(link.icon),
      ),
    ),
  );
}

// A plugin whose day begins later than at midnight names its day while it is another one.
function section(part, today) {
  const { id, plugin, title, items, date, path, rows } = part;
  const [all, name] = [unfolded.has(id), id.replace("/", "-")];
  const hidden = items.length - rows;
  return h(
    "section",
    { "aria-labelledby": `due-${name}`, key: `section-${id}` },
    h(
      "h2",
      { id: `due-${name}` },
      h("a", { href: path }, iconOf(plugin), date === today ? title : `${title}, ${wordsOf(date)}`),
      part.is_due && h("span", { class: "count", "aria-hidden": "true" }, number(items.length)),
    ),
    h(
      "ul",
      { class: "due", "aria-labelledby": `due-${name}` },
      (all || hidden < 2 ? items : items.slice(0, rows)).map((item) => row(item, part, today)),
    ),
    hidden > 1 &&
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-expanded": String(all),
          onclick: () => {
            if (all) unfolded.delete(id);
            else unfolded.add(id);
            shown.redraw();
          },
        },
        all ? "Show less" : `${number(hidden)} more`,
      ),
  );
}

// The order of the sections, and which are shown. hub keeps both, for all browsers.
async function arrange() {
  const { sections } = shown.data;
  const hidden = new Set(sections.filter((part) => part.is_hidden).map(({ id }) => id));
  const list = orderedList({
    label: "Sections of Today",
    items: sections,
    name: ({ title }) => title,
    moved: () => {},
    row: ({ id, title }) =>
      h(
        "label",
        { class: "arranged" },
        h("input", {
          type: "checkbox",
          checked: !hidden.has(id),
          onchange: (event) => (event.currentTarget.checked ? hidden.delete(id) : hidden.add(id)),
        }),
        title,
      ),
  });
  const actions = create(
    h(
      "form",
      { method: "dialog", class: "actions" },
      h("button", { value: "save", class: "main" }, "Save"),
      h("button", { value: "" }, "Cancel"),
    ),
  );
  const hint = create(h("p", { class: "hint" }, "A section is shown when it has something to show."));
  if ((await ask(makeDialog("arrange-today", "Sections of Today", hint, list.element, actions))) !== "save") return;
  try {
    await sendJSON("PUT", "/api/settings", { today_order: list.read().map(({ id }) => id), today_hidden: [...hidden] });
    tell("Saved.");
  } catch (error) {
    tellError(error);
  }
  await shown.refresh();
}

// Files go to the plugin that was asked to take them.
async function importFiles(path, files) {
  for (const file of files) {
    try {
      const { operation } = await sendBytes("POST", `${path}?${new URLSearchParams({ name: file.name })}`, file);
      tell(`${file.name} imported.`, { operation });
    } catch (error) {
      tellError(error);
    }
  }
  await shown.refresh();
}

function invitation({ plugin, ...firstUse }) {
  const [first, ...others] = firstUse.steps;
  const take = (files) => importFiles(firstUse.import, files);
  return h(
    "section",
    {
      class: "invitation",
      key: plugin,
      "aria-labelledby": `first-${plugin}`,
      created: (card) => {
        if (firstUse.import) onFiles(card, "Drop the file to import it", take);
      },
    },
    iconOf(plugin),
    h("h2", { id: `first-${plugin}` }, firstUse.title),
    h("p", null, firstUse.text),
    h(
      "p",
      { class: "actions" },
      h("a", { class: "button main", href: first.path }, first.words),
      others.map((step) => h("a", { class: "button", href: step.path }, step.words)),
      firstUse.import &&
        h("button", { type: "button", onclick: async () => take(await chooseFiles({ isMultiple: true })) }, "Import a file…"),
    ),
    firstUse.import && h("p", { class: "hint" }, "Or drop a file here."),
  );
}

// Keys on a row

/** @type {(selector: string) => HTMLElement | null} */
const inRow = (selector) => document.activeElement?.closest("[data-row]")?.querySelector(selector) ?? null;
/** @type {(key: string, words: string, selector: string, options?: object) => Hub.Shortcut} */
const onRow = (key, words, selector, options) => ({
  key,
  words,
  when: () => root.contains(document.activeElement) && inRow(selector) !== null,
  act: () => inRow(selector)?.click(),
  ...options,
});

shortcuts("Today", [
  onRow("d", "Done", ".tick"),
  onRow("+", "One more", ".counter > :last-child"),
  onRow("=", "One more", ".counter > :last-child", { isHidden: true }),
  onRow("-", "One less", ".counter > :first-child"),
]);

document.addEventListener("hub-outbox", () => shown.redraw());
document.addEventListener("hub-undone", () => shown.refresh());
// A page that stays open over night shows the new day.
setInterval(() => {
  if (document.visibilityState === "visible") shown.refresh();
}, 300_000);
