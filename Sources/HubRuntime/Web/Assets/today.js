// Today across plugins: what is due, and how to begin with a plugin that holds nothing yet.
import { chooseFiles, onFiles } from "/assets/components/files.js";
import { dayWords, number } from "/assets/components/format.js";
import { keys } from "/assets/components/keys.js";
import { h } from "/assets/components/patch.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, sendBytes, sendJSON } from "/assets/hub.js";

// The rows of a plugin that are seen at once. A day may have many, such as the records of a meeting.
const rowsAtOnce = 12;
const root = document.getElementById("today");
/** The plugins whose rows are all shown. */
const unfolded = new Set();
/** Copies of the icons of the navigation. */
const icons = new Map();

const shown = view(root, {
  topics: ["*"],
  read: (signal) => getJSON("/api/today", { signal }),
  draw: ({ date, plugins }) => {
    const due = plugins.filter(({ items }) => items.length);
    const empty = plugins.filter(({ firstUse }) => firstUse);
    const isNew = empty.length === plugins.length;
    return [
      h("p", { class: "date", key: "date" }, wordsOf(date)),
      isNew && h("p", { class: "lead", key: "lead" }, "Welcome. Everything stays on this computer, and everything can be undone."),
      !isNew && due.map((part) => section(part, date)),
      !isNew && !due.length && h("p", { class: "rest", key: "rest" }, tick(), "Nothing is left for today."),
      empty.length > 0 && h("div", { class: "invitations", key: "invitations" }, empty.map(invitation)),
    ];
  },
});

const wordsOf = (date) => dayWords(date, { weekday: "long", hasYear: false });

function icon(plugin) {
  if (!icons.has(plugin)) {
    icons.set(plugin, document.querySelector(`.places a[href="/${CSS.escape(plugin)}"] .icon`)?.cloneNode(true));
  }
  return icons.get(plugin);
}

const tick = () => h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "m6 12.5 4 4 8-9" }));

async function act(item) {
  try {
    const { operation } = await sendJSON("POST", item.action.path, item.action.body);
    tell(`${item.title}: ${item.action.words.toLowerCase()}.`, { operation });
    await shown.refresh();
  } catch (error) {
    tellError(error);
  }
}

function row(item) {
  return h(
    "li",
    { key: item.path },
    item.action &&
      h(
        "button",
        {
          type: "button",
          class: "tick",
          "aria-label": `${item.title}: ${item.action.words.toLowerCase()}`,
          title: item.action.words,
          onclick: () => act(item),
        },
        tick(),
      ),
    h("a", { href: item.path }, h("span", { class: "title" }, item.title), h("span", { class: "detail" }, item.detail)),
  );
}

// A plugin whose day begins later than at midnight names its day while it is another one.
function section({ plugin, title, items, date }, today) {
  const rest = unfolded.has(plugin) ? 0 : items.length - rowsAtOnce;
  return h(
    "section",
    { "aria-labelledby": `due-${plugin}`, key: plugin },
    h(
      "h2",
      { id: `due-${plugin}` },
      h("a", { href: `/${plugin}` }, icon(plugin), date === today ? title : `${title}, ${wordsOf(date)}`),
      h("span", { class: "count", "aria-hidden": "true" }, number(items.length)),
    ),
    h("ul", { class: "due" }, (rest > 1 ? items.slice(0, rowsAtOnce) : items).map(row)),
    rest > 1 &&
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => {
            unfolded.add(plugin);
            shown.redraw();
          },
        },
        `Show ${number(rest)} more`,
      ),
  );
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

function invitation({ plugin, firstUse }) {
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
    icon(plugin),
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

function onKey(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [...root.querySelectorAll(".due a, .invitation a")];
  const place = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (!by || place < 0) return;
  event.preventDefault();
  links[Math.max(0, Math.min(place + by, links.length - 1))].focus();
}

root.addEventListener("keydown", keys(onKey));
document.addEventListener("hub-undone", () => shown.refresh());
// A page that stays open over night shows the new day.
setInterval(() => {
  if (document.visibilityState === "visible") shown.refresh();
}, 300_000);
