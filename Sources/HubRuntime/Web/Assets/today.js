// Today across plugins: what is due, and how to begin with a plugin that holds nothing yet.
import { make } from "/assets/dom.js";
import { chooseFiles, onFiles } from "/assets/components/files.js";
import { getJSON, onTopics, sendBytes, sendJSON } from "/assets/hub.js";
import { tell, tellError } from "/assets/toast.js";

const view = document.getElementById("today");
const locale = document.documentElement.dataset.locale || undefined;
let latest = 0;

const icon = (plugin) => document.querySelector(`.places a[href="/${CSS.escape(plugin)}"] .icon`)?.cloneNode(true);
const tick = () => {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  shape.setAttribute("viewBox", "0 0 24 24");
  shape.setAttribute("aria-hidden", "true");
  shape.classList.add("icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "m6 12.5 4 4 8-9");
  shape.append(path);
  return shape;
};

async function act(item) {
  try {
    const { operation } = await sendJSON("POST", item.action.path, item.action.body);
    tell(`${item.title}: ${item.action.words.toLowerCase()}.`, { operation });
    await draw();
  } catch (error) {
    tellError(error);
  }
}

function row(item) {
  const button =
    item.action &&
    make(
      "button",
      {
        type: "button",
        class: "tick",
        "data-key": `tick ${item.path}`,
        "aria-label": `${item.title}: ${item.action.words.toLowerCase()}`,
        title: item.action.words,
        click: () => act(item),
      },
      tick(),
    );
  return make(
    "li",
    {},
    button ?? null,
    make(
      "a",
      { href: item.path, "data-key": item.path },
      make("span", { class: "title", text: item.title }),
      make("span", { class: "detail", text: item.detail }),
    ),
  );
}

// A plugin whose day begins later than at midnight names its day while it is another one.
function section({ plugin, title, items, date }, today) {
  return make(
    "section",
    { "aria-labelledby": `due-${plugin}` },
    make(
      "h2",
      { id: `due-${plugin}` },
      make("a", { href: `/${plugin}` }, icon(plugin), date === today ? title : `${title}, ${dayWords(date)}`),
      make("span", { class: "count", text: items.length, "aria-hidden": "true" }),
    ),
    make("ul", { class: "due" }, ...items.map(row)),
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
  await draw();
}

function invitation({ plugin, firstUse }) {
  const [first, ...others] = firstUse.steps;
  const choose =
    firstUse.import &&
    make("button", {
      type: "button",
      click: async () => importFiles(firstUse.import, await chooseFiles({ isMultiple: true })),
      text: "Import a file…",
    });
  const card = make(
    "section",
    { class: "invitation", "aria-labelledby": `first-${plugin}` },
    icon(plugin),
    make("h2", { id: `first-${plugin}`, text: firstUse.title }),
    make("p", { text: firstUse.text }),
    make(
      "p",
      { class: "actions" },
      make("a", { class: "button main", href: first.path, text: first.words }),
      ...others.map((step) => make("a", { class: "button", href: step.path, text: step.words })),
      choose || null,
    ),
    firstUse.import && make("p", { class: "hint", text: "Or drop a file here." }),
  );
  if (firstUse.import) onFiles(card, "Drop the file to import it", (files) => importFiles(firstUse.import, files));
  return card;
}

const dayWords = (date) =>
  new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }).format(new Date(date));

// The focus stays on the same thing, or goes to the next one when that is done.
function keepFocus(redraw) {
  const all = () => [...view.querySelectorAll("[data-key]")];
  const before = all();
  const place = before.indexOf(document.activeElement);
  redraw();
  if (place < 0) return;
  const next = before.slice(place).map((item) => item.dataset.key);
  const after = all();
  const found = next.map((key) => after.find((item) => item.dataset.key === key && item.tagName === before[place].tagName)).find(Boolean);
  (found ?? document.getElementById("main")).focus();
}

async function draw() {
  const ticket = ++latest;
  try {
    const { date, plugins } = await getJSON("/api/today");
    if (ticket !== latest) return;
    const due = plugins.filter(({ items }) => items.length);
    const empty = plugins.filter(({ firstUse }) => firstUse);
    const isNew = empty.length === plugins.length;
    keepFocus(() =>
      view.replaceChildren(
        make("p", { class: "date", text: dayWords(date) }),
        ...(isNew
          ? [make("p", { class: "lead", text: "Welcome. Everything stays on this computer, and everything can be undone." })]
          : due.map((part) => section(part, date))),
        ...(!isNew && !due.length ? [make("p", { class: "rest" }, tick(), "Nothing is left for today.")] : []),
        ...(empty.length ? [make("div", { class: "invitations" }, ...empty.map(invitation))] : []),
      ),
    );
  } catch (error) {
    if (ticket === latest && !view.children.length) view.replaceChildren(make("p", { class: "empty", text: error.message }));
  } finally {
    view.removeAttribute("aria-busy");
  }
}

view.addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [...view.querySelectorAll(".due a, .invitation a")];
  const place = links.indexOf(document.activeElement);
  if (!by || place < 0) return;
  event.preventDefault();
  links[Math.max(0, Math.min(place + by, links.length - 1))].focus();
});
document.addEventListener("hub-undone", draw);
draw();
let isFirst = true;
onTopics(["*"], (topics) => {
  // The stream opens with news of everything, which has just been drawn.
  const isKnown = isFirst && topics === null;
  isFirst = false;
  if (!isKnown) draw();
});
// A page that stays open over night shows the new day.
setInterval(() => {
  if (document.visibilityState === "visible") draw();
}, 300_000);
