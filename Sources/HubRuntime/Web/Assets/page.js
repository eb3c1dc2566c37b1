// The address determines the view: ?q=words&id=contact&view=edit. All navigation goes through `go`.
import { choose } from "/assets/dialog.js";
import { make } from "/assets/dom.js";

/**
 * The page at `path`. `fields` are what its address may say, with what holds without it; `kept` are those of them that
 * stay when one goes elsewhere. `article` is where views are drawn.
 */
export function makePage({ path, title, fields, kept = [], article }) {
  const state = { ...fields };
  let isDirty = () => false;
  let show = () => {};
  let turns = 0;
  // Screen readers read the heading of a new view first.
  let isComing = true;

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

  /** Starts drawing; returns a function that tests whether no other drawing has started since. */
  function begin() {
    const turn = ++turns;
    return () => turn === turns;
  }

  /** `check` returns whether typed text would be lost by leaving. */
  function guardLeaving(check = () => false) { isDirty = check; }

  async function mayLeave() {
    return !isDirty() || (await choose({
      title: "Leave without saving?", text: "Your changes would be lost.", id: "leave",
      choices: [{ value: "stay", words: "Keep editing" }, { value: "discard", words: "Discard", class: "danger" }],
    })) === "discard";
  }

  async function arrive() {
    guardLeaving();
    readAddress();
    isComing = true;
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
   * The way `back`, which a phone needs, and the heading. It gets the focus when the person has just come, or was reading.
   */
  function heading(words, { takesFocus = true, back = null } = {}) {
    const shown = make("h2", { text: words, tabindex: "-1" });
    if (takesFocus && (isComing || article.contains(document.activeElement))) queueMicrotask(() => shown.focus());
    isComing = false;
    document.title = `${words} · ${title}`;
    return [back && make("a", { class: "back", href: back.href, text: back.words }), shown].filter(Boolean);
  }

  /** Calls `draw` whenever the address says something new, and `followed(link)` when a link has led there. */
  function onAddress(draw, followed = () => {}) {
    show = draw;
    document.addEventListener("click", async (event) => {
      const link = event.target.closest("a[href]");
      if (link?.pathname !== path || link.origin !== location.origin) return;
      if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const said = new URLSearchParams(link.search);
      const left = { ...state };
      const names = Object.keys(fields).filter((name) => !kept.includes(name));
      if (await go(Object.fromEntries(names.map((name) => [name, said.get(name) ?? fields[name]])))) followed(link, left);
    });
  }

  window.addEventListener("popstate", async () => {
    const wanted = location.href;
    if (isDirty()) {
      history.pushState(null, "", address());
      if (!(await mayLeave())) return;
      history.pushState(null, "", wanted);
    }
    arrive();
  });
  window.addEventListener("beforeunload", (event) => { if (isDirty()) event.preventDefault(); });

  return { state, article, address, elsewhere, readAddress, begin, go, note, guardLeaving, heading, onAddress };
}

/** A message in place of an empty view. */
export const notice = (words) => make("p", { class: "empty", text: words });
