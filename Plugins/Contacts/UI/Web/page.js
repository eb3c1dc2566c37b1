// The page of contacts: what its address may say, and the view that is shown.
import { empty } from "/assets/components/states.js";
import { h } from "/assets/components/patch.js";
import { icon } from "/assets/components/icons.js";
import { view } from "/assets/components/view.js";
import { makePage } from "/assets/page.js";

const page = makePage({
  path: "/contacts", title: "Contacts", kept: ["q", "tag", "book"],
  fields: { q: "", tag: "", book: "", id: null, view: null, days: null, all: null },
  article: document.getElementById("details"),
});

export const { state, article, address, elsewhere, readAddress, note, guardLeaving, onAddress } = page;

let shown = null;
// Whether the heading of the view that comes takes the focus.
let wantsFocus = false;

/** Navigates to `changes`; the heading gets the focus unless `focus` is false, as when a pointer chose a row of the list beside it. */
export function go(changes, { focus = true, ...options } = {}) {
  wantsFocus = focus;
  return page.go(changes, options);
}

// Links and the buttons of the browser lead to a heading too.
for (const type of ["click", "popstate"]) {
  window.addEventListener(type, (event) => { if (type === "popstate" || event.target.closest?.("a[href]")) wantsFocus = true; }, { capture: true });
}

/** Shows a view in place of the one before; the properties are those of view.js. */
export function show(properties) {
  shown?.close();
  article.scrollTop = 0;
  shown = view(article, properties);
  return shown;
}

/** Draws what was read once more, as after a switch of the view itself. */
export const redraw = () => shown?.redraw();

/** Reads the data of the view again. */
export const refresh = () => shown?.refresh();

/** Makes the heading of a page that was opened by its address take the focus. */
export function expectFocus() { wantsFocus = true; }

/** The heading of a view, and the way back to the list. `words` is also the title of the window. */
export function heading(words, { key = words, back = true, takesFocus = true } = {}) {
  if (!takesFocus) wantsFocus = false;
  document.title = `${words} · Contacts`;
  return h("header", { class: "view-head", key: `head ${key}` },
    back && h("a", { class: "icon-button back", href: elsewhere(), "aria-label": "All contacts", title: "All contacts" }, icon("back")),
    h("h2", { tabindex: "-1", created: takeFocus }, words));
}

/** Gives the focus to the heading of a view that has just come. */
export function takeFocus(element) {
  if (!wantsFocus) return;
  wantsFocus = false;
  queueMicrotask(() => element.focus({ preventScroll: true }));
}

/** What is shown beside the list while no contact is chosen. */
export function nothingChosen(total, actions) {
  document.title = "Contacts";
  return total === 0
    ? empty("Your contacts", { picture: "people", words: "Drop a file with contacts here: from a phone, Google, Outlook or a mail program. Or write down the first one.", actions })
    : empty("No contact selected", { picture: "person", words: "Choose one of the list, or press ? for all keys." });
}
