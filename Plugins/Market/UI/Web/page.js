// The page of the market: what its address may say, and the view that is shown.
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { view } from "/assets/components/view.js";
import { makePage } from "/assets/page.js";

const page = makePage({
  path: "/market",
  kept: ["q", "sort"],
  fields: {
    q: "",
    sort: "",
    id: null,
    view: null,
    list: null,
    days: null,
    token: null,
    kind: null,
    trade: null,
    currency: null,
    portfolio: null,
    place: null,
    tag: null,
  },
  article: /** @type {HTMLElement} */ (document.getElementById("details")),
});

export const { state, article, address, elsewhere, readAddress, note, guardLeaving, onAddress, go } = page;

/** The part of the page that scrolls. */
export const main = /** @type {HTMLElement} */ (document.getElementById("main"));

let shown = null;
// Whether the heading of the view that comes takes the focus.
let wantsFocus = false;

/** Makes the heading of the next view take the focus. */
export function expectFocus() {
  wantsFocus = true;
}

/**
 * Shows a view in place of the one before; the properties are those of view.js.
 * @template Data
 * @param {Hub.ViewProperties<Data>} properties
 * @returns {Hub.View<Data>}
 */
export function show(properties) {
  close();
  main.scrollTop = 0;
  shown = view(article, properties);
  return shown;
}

/** Ends the view that is shown. */
export function close() {
  shown?.close();
  shown = null;
}

/**
 * Reads the data of the view again.
 * @returns {Promise<void> | undefined}
 */
export const refresh = () => shown?.refresh();

/**
 * The heading of a view with the way back and `actions`. `title` is that of the window.
 * @param {Hub.Child} words
 * @param {{ title?: string, back?: string | null, key?: string, actions?: Hub.Child }} options
 * @returns {Hub.Description}
 */
export function heading(words, { title = String(words), back = null, key = title, actions = [] } = {}) {
  document.title = `${title} · Market`;
  return h(
    "header",
    { class: "view-head", key: `head ${key}` },
    back && h("a", { class: "icon-button back", href: back, "aria-label": "Back", title: "Back" }, icon("back")),
    h("h2", { tabindex: "-1", created: takeFocus }, words),
    h("div", { class: "head-actions" }, actions),
  );
}

/**
 * The link to what is deleted.
 * @returns {Hub.Description}
 */
export const trashLink = () =>
  h("a", { class: "icon-button", href: elsewhere({ view: "trash" }), "aria-label": "Trash", title: "Trash" }, icon("trash"));

/**
 * Gives the focus to the heading of a view that has just come.
 * @param {HTMLElement} element
 */
export function takeFocus(element) {
  if (!wantsFocus) return;
  wantsFocus = false;
  queueMicrotask(() => element.focus({ preventScroll: true }));
}

/** The name of this open page, which keeps fresh what it shows. */
export const reader = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
