// The page of Mintee: what its address may say, the view that is shown, and the way back to where one was.
// ?day=2026-11-20, ?view=tasks&tag=health, ?id=task, ?view=edit&id=task, ?view=analysis&id=analysis.
import { h } from "/assets/components/patch.js";
import { icon } from "/assets/components/icons.js";
import { view } from "/assets/components/view.js";
import { makePage } from "/assets/page.js";

let arrival = "open";
// Before the listener of the page itself, which draws at once.
window.addEventListener("popstate", () => {
  arrival = "back";
});

const page = makePage({
  path: "/mintee",
  article: /** @type {HTMLElement} */ (document.getElementById("view")),
  fields: { id: null, view: null, day: null, q: "", tag: "" },
});

export const { state, article, elsewhere, readAddress, note, guardLeaving, onAddress } = page;

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
// Where one was in each view, by address: the scroll position and the row that had the focus.
const places = new Map();
/** @type {{ top: number, id: string | null }} */
let place = { top: 0, id: null };
let shown = null;
let origin = { changes: {}, words: "Today" };

article.addEventListener("focusin", (event) => {
  place.id = event.target?.closest?.("[data-item]")?.dataset.id ?? place.id;
});
document.addEventListener(
  "click",
  (event) => {
    const link = event.target?.closest?.("a[href]");
    if (link) arrival = link.matches(".back") ? "back" : "forward";
  },
  { capture: true },
);

/**
 * Navigates to `changes`; everything that they do not name is reset.
 * @param {Hub.Changes} changes
 * @param {{ isSure?: boolean }} [options]
 * @returns {Promise<boolean>}
 */
export function go(changes, options) {
  arrival = "forward";
  return page.go(changes, options);
}

/**
 * Navigates back to the list that one came from, to the same place in it.
 * @returns {Promise<boolean>}
 */
export function goBack() {
  arrival = "back";
  return page.go(origin.changes);
}

/**
 * Remembers the view as the one that tasks and analyses lead back to.
 * @param {string} words
 */
export function setOrigin(words) {
  const { view: name, day, q, tag } = state;
  origin = { changes: { view: name, day, q, tag }, words };
}

/**
 * Shows a view in place of the one before; the properties are those of view.js.
 * @template Data
 * @param {Hub.ViewProperties<Data>} properties
 * @returns {Hub.View<Data>}
 */
export function show({ draw, ...properties }) {
  shown?.close();
  place.top = main.scrollTop;
  const [how, key] = [arrival, location.search];
  arrival = "stay";
  const left = places.get(key);
  place = { top: 0, id: null };
  places.set(key, place);
  shown = view(article, { ...properties, draw: (data) => h("div", { class: "view", key }, draw(data)) });
  if (how !== "stay") arrive(shown, how === "back" ? left : null, how);
  return shown;
}

// Back leads to the same row at the same height, everything else to the heading.
async function arrive(own, left, how) {
  await own.ready;
  if (own !== shown || article.querySelector("form.form")) return;
  main.scrollTo(0, left?.top ?? 0);
  const row = left?.id && article.querySelector(`[data-id="${CSS.escape(left.id)}"] .name`);
  if (row) row.focus({ preventScroll: true });
  else if (how !== "open" || state.id || state.view) article.querySelector("h2")?.focus({ preventScroll: true });
}

/**
 * Draws what was read once more.
 * @returns {void}
 */
export const redraw = () => shown?.redraw();

/**
 * Reads the data of the view again.
 * @returns {Promise<void> | undefined}
 */
export const refresh = () => shown?.refresh();

/**
 * The heading of a view, the way back if there is one, and what stands beside it. `words` is also the title of the window.
 * @param {string} words
 * @param {{ hasBack?: boolean, beside?: Hub.Child }} options
 * @returns {Hub.Description}
 */
export function heading(words, { hasBack = false, beside = null } = {}) {
  document.title = `${words} · Habits`;
  const label = `Back to ${origin.words}`;
  return h(
    "header",
    { class: "view-head" },
    hasBack && h("a", { class: "icon-button back", href: elsewhere(origin.changes), "aria-label": label, title: label }, icon("back")),
    h("h2", { tabindex: "-1" }, words),
    beside,
  );
}
