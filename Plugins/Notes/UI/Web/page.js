// The page of notes: what its address may say, and the view that is shown.
import { h } from "/assets/components/patch.js";
import { icon } from "/assets/components/icons.js";
import { view } from "/assets/components/view.js";
import { makePage } from "/assets/page.js";

const page = makePage({
  path: "/notes", title: "Notes", kept: ["q", "tag", "folder", "show"],
  fields: { q: "", tag: "", folder: "", show: "", id: null, view: null, title: "" },
  article: document.getElementById("details"),
});

export const { state, article, address, elsewhere, readAddress, note, onAddress } = page;

/** Whether list and note are side by side. */
export const isBeside = () => matchMedia("(min-width: 60rem)").matches;

let shown = null;
// What of the view that comes takes the focus: its heading, its text, or nothing.
let wanted = null;

/** Navigates to `changes`; the heading gets the focus, the text with `focus: "text"`, and nothing with `focus: null`. */
export function go(changes, { focus = "heading" } = {}) {
  wanted = focus;
  return page.go(changes, { isSure: true });
}

// Links and the buttons of the browser lead to a heading too.
for (const type of ["click", "popstate"]) {
  window.addEventListener(type, (event) => { if (type === "popstate" || event.target.closest?.("a[href]")) wanted = "heading"; }, { capture: true });
}

/** Makes the heading of a page that was opened by its address take the focus. */
export function expectFocus(part = "heading") { wanted = part; }

/** Gives the focus to a part of a view that has just come, when it was wanted there. */
export function takeFocus(part, element) {
  if (wanted !== part) return;
  wanted = null;
  queueMicrotask(() => element.focus({ preventScroll: true }));
}

/** Shows a view in place of the one before; the properties are those of view.js, and `closed()`. */
export function show({ closed = () => {}, ...properties }) {
  shown?.close();
  article.scrollTop = 0;
  const made = view(article, properties);
  shown = { ...made, close: () => { made.close(); closed(); } };
  return shown;
}

/** Reads the data of the view again. */
export const refresh = () => shown?.refresh();

/** The way back to the list, or to the note `id`. */
export const backLink = (id = null) => h("a", { class: "icon-button back", href: elsewhere({ id }), "aria-label": id ? "Back to the note" : "All notes", title: id ? "Back to the note" : "All notes" }, icon("back"));

/** The heading of a view, and the way back to the list, or to the note `id`. */
export function heading(words, id = null) {
  document.title = `${words} · Notes`;
  return h("header", { class: "view-head", key: `head ${words}` }, backLink(id), h("h2", { tabindex: "-1", created: (element) => takeFocus("heading", element) }, words));
}
