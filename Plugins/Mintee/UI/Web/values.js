// What was entered for a task day by day, and what was done to it.
import { age, make } from "/assets/dom.js";
import { getJSON, getPage } from "/assets/hub.js";
import { tellError } from "/assets/toast.js";
import { elsewhere } from "/mintee/page.js";
import { digits, shortDate, states } from "/mintee/text.js";

// How much a person has opened of the task at an address; a redraw leaves it so.
const least = 20;
const opened = { address: null, rows: least, isHistory: false };

function look(address) {
  if (opened.address !== address) Object.assign(opened, { address, rows: least, isHistory: false });
}

const cell = (words, properties = {}) => make("td", properties, words);

const row = (entry) => make("tr", {},
  make("th", { scope: "row" }, make("a", { href: elsewhere({ day: entry.date }), text: shortDate(entry.date) })),
  cell(digits(entry.value), { class: "number" }), cell(`${states[entry.state].shape} ${states[entry.state].words}`),
  cell([entry.skip && `Skipped: ${entry.skip}`, entry.note].filter(Boolean).join(" · ")));

/** The values of the task at `address`, the newest first. */
export async function values(address) {
  look(address);
  const first = await getPage(`${address}/entries?limit=${opened.rows}`);
  const body = make("tbody", {}, ...first.rows.map(row));
  let { next } = first;
  const more = make("button", { type: "button", text: "Show more", "data-focus": "more", click: async () => {
    try {
      const page = await getPage(next);
      opened.rows = Math.min(1000, body.children.length + page.rows.length);
      body.append(...page.rows.map(row));
      ({ next } = page);
      more.hidden = next === null;
    } catch (error) {
      tellError(error);
    }
  } });
  more.hidden = next === null;
  const head = make("tr", {}, ...[["Day"], ["Value", "number"], ["State"], ["Note"]].map(([words, name]) =>
    make("th", { scope: "col", class: name ?? null, text: words })));
  return make("section", { "aria-label": "Values" }, make("h3", { text: "Values" }),
    first.rows.length ? make("div", { class: "scroll" }, make("table", { class: "values" }, make("thead", {}, head), body))
      : make("p", { class: "hint", text: "Nothing was entered yet." }), more);
}

/** What was done to the task at `address`. */
export async function history(address) {
  look(address);
  const versions = await getJSON(address + "/history");
  if (!versions.length) return null;
  const list = make("details", { class: "history", open: opened.isHistory, toggle: () => { opened.isHistory = list.open; } }, make("summary", { text: "What was done to it" }),
    make("ul", {}, ...versions.map((version) => make("li", {},
      make("span", { class: "hint", text: `${age(version.at)}, ${version.who}: ` }), version.changes.join(", ") || version.verb))));
  return list;
}
