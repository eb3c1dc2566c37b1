// A page of list and details: side by side, one after the other below 60rem. Views are drawn in the details.
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { view } from "/assets/components/view.js";
import { makePage, markView } from "/assets/page.js";

/**
 * Whether list and details are side by side.
 * @returns {boolean}
 */
export const isBeside = () => matchMedia("(min-width: 60rem)").matches;

/**
 * A page as of `makePage`, whose content is an element of class `split` around the list and `#details`. `title` follows the heading
 * in the title of the window, and `all` names the way back to the list, as in "All contacts".
 * @param {Omit<Hub.PageProperties, "article"> & { title: string, all: string }} properties
 * @returns {Hub.SplitPage}
 */
export function splitPage({ title, all, ...others }) {
  const page = makePage({ ...others, article: /** @type {HTMLElement} */ (document.getElementById("details")) });
  const layout = /** @type {HTMLElement} */ (document.querySelector(".split"));
  let shown = null;
  // The part of the view that comes which takes the focus: its heading, a part that the view names, or none.
  let wanted = null;

  /** Navigates to `changes`; `focus` is what gets the focus: null when a pointer chose a row of the list beside it. */
  function go(changes, { focus = "heading", ...options } = {}) {
    wanted = focus;
    return page.go(changes, options);
  }

  // Links and the buttons of the browser lead to a heading too.
  for (const type of ["click", "popstate"]) {
    window.addEventListener(
      type,
      (event) => {
        if (type === "popstate" || event.target?.closest?.("a[href]")) wanted = "heading";
      },
      { capture: true },
    );
  }

  /** Makes `part` of the view that comes take the focus; null leaves it to a field of the view. */
  function expectFocus(part = "heading") {
    wanted = part;
  }

  /** Gives the focus to a part of a view that has just come, when it was wanted there. */
  function takeFocus(element, part = "heading") {
    if (wanted !== part) return;
    wanted = null;
    queueMicrotask(() => element.focus({ preventScroll: true }));
  }

  /** Shows a view in place of the one before; the properties are those of view.js, and `closed()` is called when it goes. */
  /**
   * @template Data
   * @param {Hub.ViewProperties<Data>} properties
   */
  function show({ closed = null, ...properties }) {
    shown?.view.close();
    shown?.closed?.();
    page.article.scrollTop = 0;
    shown = { view: view(page.article, properties), closed };
    return shown.view;
  }

  /** The way back to the list, which is seen where list and details are not side by side, or to the item `id`. */
  const backLink = ({ id = null, words = all } = {}) =>
    h("a", { class: "icon-button back", href: page.elsewhere({ id }), "aria-label": words, title: words }, icon("back"));

  /** The heading of a view, and the way back. `words` is also the title of the window. */
  function heading(words, { key = words, back = backLink(), takesFocus = true, actions = null } = {}) {
    if (!takesFocus) wanted = null;
    document.title = `${words} · ${title}`;
    return h(
      "header",
      { class: "view-head", key: `head ${key}` },
      back,
      h("h2", { tabindex: "-1", dir: "auto", created: (element) => takeFocus(element) }, words),
      actions,
    );
  }

  /**
   * Shows the details in a narrow window when something is open there; a view that `isWide` has no list beside it. Marks the link
   * of `name`.
   */
  function arrange({ isOpen, isWide = false, name = null }) {
    layout.dataset.pane = isOpen ? "details" : "list";
    layout.classList.toggle("wide", isWide);
    markView(name);
  }

  /** Gives the details all the room to say how to begin, while there is nothing to list. Returns whether that is new. */
  function setEmpty(isEmpty) {
    const wasEmpty = layout.hasAttribute("data-empty");
    return layout.toggleAttribute("data-empty", isEmpty) !== wasEmpty;
  }

  return {
    ...page,
    go,
    expectFocus,
    takeFocus,
    show,
    backLink,
    heading,
    arrange,
    setEmpty,
    /** Draws what was read once more, as after a switch of the view itself. */
    redraw: () => shown?.view.redraw(),
    /** Reads the data of the view again. */
    refresh: () => shown?.view.refresh(),
  };
}
