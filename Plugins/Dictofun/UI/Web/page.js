// The page of voice records: what its address may say, and the view that is shown.
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { view } from "/assets/components/view.js";
import { makePage } from "/assets/page.js";

const page = makePage({
  path: "/dictofun", title: "Dictofun", kept: ["q", "tag"], fields: { q: "", tag: "", id: null, view: null },
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

/** Shows a view in place of the one before; the properties are those of view.js, and `closed()` is called when it goes. */
export function show({ closed = null, ...properties }) {
  shown?.view.close();
  shown?.closed?.();
  article.scrollTop = 0;
  shown = { view: view(article, properties), closed };
  return shown.view;
}

/** Draws what was read once more. */
export const redraw = () => shown?.view.redraw();

/** Reads the data of the view again. */
export const refresh = () => shown?.view.refresh();

/** Makes the heading of a page that was opened by its address take the focus. */
export function expectFocus() { wantsFocus = true; }

/** Leaves the focus to a field of the view that comes. */
export function leaveFocus() { wantsFocus = false; }

/** The way back to the list, which is seen where list and view are not side by side. */
export const backLink = () => h("a", { class: "icon-button back", href: elsewhere(), "aria-label": "All records", title: "All records" }, icon("back"));

/** The heading of a view, and the way back. `words` is also the title of the window. */
export function heading(words, ...actions) {
  document.title = `${words} · Dictofun`;
  return h("header", { class: "view-head", key: `head ${words}` }, backLink(), h("h2", { tabindex: "-1", created: takeFocus }, words), actions);
}

/** Gives the focus to the heading of a view that has just come. */
export function takeFocus(element) {
  if (!wantsFocus) return;
  wantsFocus = false;
  queueMicrotask(() => element.focus({ preventScroll: true }));
}
