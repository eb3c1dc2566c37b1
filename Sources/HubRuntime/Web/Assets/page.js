// The address determines the view: ?q=words&id=contact&view=edit. All navigation goes through `go`.
import { choose } from "/assets/dialog.js";

/**
 * Marks the link of the view `name` among the tabs of the page: null is the view without a name, undefined none.
 * @param {string | null} [name]
 */
export function markView(name) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".views a");
  for (const link of links) {
    if (new URLSearchParams(link.search).get("view") === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/**
 * The page at `path`. `fields` are what its address may say, with what holds without it; `kept` are those of them that
 * stay when one goes elsewhere. `article` is where views are drawn.
 * @param {Hub.PageProperties} properties
 * @returns {Hub.Page}
 */
export function makePage({ path, fields, kept = [], article }) {
  const state = { ...fields };
  let isDirty = () => false;
  let show = () => {};

  /** The address with `changes`. */
  function address(changes = {}) {
    const said = Object.entries({ ...state, ...changes }).filter(([, value]) => value);
    return path + (said.length ? "?" + new URLSearchParams(said) : "");
  }

  /** The address of another view: everything that is not kept is reset. */
  function elsewhere(changes = {}) {
    const reset = Object.entries(fields).filter(([name]) => !kept.includes(name));
    return address({ ...Object.fromEntries(reset), ...changes });
  }

  /** Reads the address into `state`. */
  function readAddress() {
    const said = new URLSearchParams(location.search);
    for (const [name, otherwise] of Object.entries(fields)) state[name] = said.get(name) ?? otherwise;
  }

  /** `check` returns whether typed text would be lost by leaving. */
  function guardLeaving(check = () => false) {
    isDirty = check;
  }

  async function mayLeave() {
    return (
      !isDirty() ||
      (await choose({
        title: "Leave without saving?",
        text: "Your changes would be lost.",
        id: "leave",
        choices: [
          { value: "stay", words: "Keep editing" },
          { value: "discard", words: "Discard", class: "danger" },
        ],
      })) === "discard"
    );
  }

  async function arrive() {
    guardLeaving();
    readAddress();
    await show();
  }

  /** Navigates to `changes`, unless the user wants to keep editing. */
  async function go(changes, { isSure = false } = {}) {
    if (!isSure && !(await mayLeave())) return false;
    history.pushState(null, "", elsewhere(changes));
    await arrive();
    return true;
  }

  /** Changes what the address says of the view that is shown, and nothing else. */
  function note(changes) {
    Object.assign(state, changes);
    history.replaceState(null, "", address());
  }

  /**
   * Calls `draw` whenever the address says something new, and `followed(link, left)` when a link has led there.
   * @type {Hub.OnAddress}
   */
  const onAddress = (draw, followed = () => {}) => {
    show = draw;
    document.addEventListener("click", async (event) => {
      /** @type {HTMLAnchorElement | null} */
      const link = event.target?.closest?.("a[href]") ?? null;
      if (link?.pathname !== path || link.origin !== location.origin) return;
      if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.target) return;
      event.preventDefault();
      const said = new URLSearchParams(link.search);
      const left = { ...state };
      const names = Object.keys(fields).filter((name) => !kept.includes(name));
      if (await go(Object.fromEntries(names.map((name) => [name, said.get(name) ?? fields[name]])))) followed(link, left);
    });
  };

  window.addEventListener("popstate", async () => {
    const wanted = location.href;
    if (isDirty()) {
      history.pushState(null, "", address());
      if (!(await mayLeave())) return;
      history.pushState(null, "", wanted);
    }
    arrive();
  });
  window.addEventListener("beforeunload", (event) => {
    if (isDirty()) event.preventDefault();
  });

  return { state, article, address, elsewhere, readAddress, go, note, guardLeaving, onAddress };
}
