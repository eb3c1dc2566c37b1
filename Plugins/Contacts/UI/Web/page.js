// What is shown is what the address says: ?q=words&id=contact&view=edit. Every way from here to there goes through `go`.
import { make } from "/contacts/dom.js";

/** What the address says. */
export const state = { q: "", id: null, view: null, days: null };
/** Where all but the list is shown. */
export const article = document.getElementById("details");
let isDirty = () => false;
let show = () => {};
let turns = 0;
// Whoever comes to a view hears its heading first.
let isComing = true;

/** Calls `draw` whenever the address says something new. */
export function onAddress(draw) { show = draw; }

/** `check` tells whether something typed would be lost by leaving. */
export function guardLeaving(check = () => false) { isDirty = check; }

/** The address with `changes`. */
export function address(changes = {}) {
  const fields = Object.entries({ ...state, ...changes }).filter(([, value]) => value);
  return "/contacts" + (fields.length ? "?" + new URLSearchParams(fields) : "");
}

/** Reads the address into `state`. */
export function readAddress() {
  const fields = new URLSearchParams(location.search);
  for (const name of Object.keys(state)) state[name] = fields.get(name);
  state.q ??= "";
}

/** Begins to draw; the function that it gives tells whether nothing else has begun since. */
export function begin() {
  const turn = ++turns;
  return () => turn === turns;
}

/** Goes where `changes` lead, unless the person wants to stay with what they typed. */
export async function go(changes, { isSure = false } = {}) {
  if (!isSure && !(await mayLeave())) return false;
  guardLeaving();
  history.pushState(null, "", address({ view: null, days: null, ...changes }));
  readAddress();
  isComing = true;
  await show();
  return true;
}

/** Changes the words of the search in the address, and nothing else. */
export function noteWords(words) {
  state.q = words;
  history.replaceState(null, "", address());
}

function mayLeave() {
  if (!isDirty()) return Promise.resolve(true);
  const dialog = document.getElementById("leave");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "discard"), { once: true });
  });
}

/** The way back, which a phone needs, and the heading. It gets the focus when the person has just come, or was reading. */
export function heading(words, { takesFocus = true } = {}) {
  const title = make("h2", { text: words, tabindex: "-1" });
  if (takesFocus && (isComing || article.contains(document.activeElement))) queueMicrotask(() => title.focus());
  isComing = false;
  document.title = `${words} · Contacts`;
  return [make("a", { class: "back", href: address({ id: null, view: null, days: null }), text: "← All contacts" }), title];
}

/** What is told where nothing can be shown. */
export const notice = (words) => make("p", { class: "empty", text: words });

window.addEventListener("popstate", async () => {
  const wanted = location.href;
  if (isDirty()) {
    history.pushState(null, "", address());
    if (!(await mayLeave())) return;
    history.pushState(null, "", wanted);
  }
  guardLeaving();
  readAddress();
  isComing = true;
  show();
});
window.addEventListener("beforeunload", (event) => { if (isDirty()) event.preventDefault(); });
