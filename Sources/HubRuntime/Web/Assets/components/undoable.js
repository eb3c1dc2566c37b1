// Changes that can be undone: what was done in this tab, on all pages of hub, with undo and redo in order.
import { counted, sentence } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { shortcuts, keyed } from "/assets/components/shortcuts.js";
import { toast } from "/assets/toast.js";
import { sendJSON } from "/assets/hub.js";

const maximum = 100;
const place = "hub-undo";
// Each undo waits for the one before, however fast the keys are pressed.
let latest = Promise.resolve();

function load() {
  try {
    const { done, undone } = JSON.parse(sessionStorage.getItem(place) ?? "");
    return { done, undone };
  } catch {
    return { done: [], undone: [] };
  }
}

function save({ done, undone }) {
  sessionStorage.setItem(place, JSON.stringify({ done: done.slice(-maximum), undone: undone.slice(-maximum) }));
  document.dispatchEvent(new CustomEvent("hub-undo-changed", { detail: undoState() }));
}

/**
 * What `undo` and `redo` would do next, in words; null for nothing.
 * @returns {{ undo: string | null, redo: string | null }}
 */
export function undoState() {
  const { done, undone } = load();
  return { undo: done.at(-1)?.words ?? null, redo: undone.at(-1)?.words ?? null };
}

const again = (words, act, key) => h("button", { type: "button", onclick: act, ...keyed(key) }, words);

/**
 * Says what was done; `operation` is what can be undone, or redone when it `isUndo` itself. `actions` are further buttons.
 * @param {string} words
 * @param {Hub.Undoable} options
 */
export function tell(words, { operation = null, actions = [], isError = false, isUndo = false } = {}) {
  const { done, undone } = load();
  if (operation && isUndo) save({ done, undone: [...undone, { operation, words }] });
  else if (operation) save({ done: [...done, { operation, words }], undone: [] });
  const back = isUndo ? again("Redo", redo, "Mod+Shift+z") : again("Undo", undo, "u");
  toast(words, { actions: [...(operation ? [back] : []), ...actions], isError });
}

/**
 * Says that something failed, and what to do.
 * @param {Hub.Failure} error
 */
export function tellError(error) {
  // The line at the head of the page says why.
  const isSaid = error.code === "offline" || error.code === "login-needed";
  toast(
    isSaid
      ? "Not done."
      : ["Not done.", sentence(error.message), ...(error.details ?? []).map(sentence), error.hint && sentence(error.hint)]
          .filter(Boolean)
          .join(" "),
    { isError: true },
  );
}

/**
 * Sends a change and says what was done. `words` is a text or a function of the answer. Gives the answer's body; null when it
 * failed, which has been told then.
 * @param {string} method
 * @param {string} url
 * @param {object} value
 * @param {Hub.Words} words
 * @param {{ revision?: string | number | null }} options
 * @returns {Promise<any>} the body, which differs by the route
 */
export async function undoable(method, url, value, words, { revision = null } = {}) {
  try {
    const said = typeof words === "string" ? words : null;
    const { body, operation } = await sendJSON(method, url, value, { revision, words: said });
    tell(typeof words === "function" ? words(body) : words, { operation });
    return body ?? {};
  } catch (error) {
    tellError(error);
    return null;
  }
}

const running = new Set();

/**
 * Runs `act`, and nothing while the one of the same `key` is under way: a key pressed twice deletes once.
 * @param {string} key
 * @param {() => unknown} act
 * @returns {Promise<void>}
 */
export async function once(key, act) {
  if (running.has(key)) return;
  running.add(key);
  try {
    await act();
  } finally {
    running.delete(key);
  }
}

/**
 * Undoes the last change of this tab, or when it made none, the last one of hub. The page receives `hub-undone`.
 * @returns {Promise<void>}
 */
export const undo = () => queue(() => step("done", "undone", "Undone", "/api/undo/last"));

/**
 * Does again what was undone last.
 * @returns {Promise<void>}
 */
export const redo = () => queue(() => step("undone", "done", "Redone", "/api/redo"));

function queue(act) {
  latest = latest.then(act);
  return latest;
}

async function step(from, to, verb, otherwise) {
  const stacks = load();
  const passed = [];
  const already = () => `${verb} already: ${passed.length > 1 ? `${counted(passed.length, "change")}.` : passed[0]}`;
  for (;;) {
    const entry = stacks[from].pop();
    // Only changes of this tab follow one of this tab.
    if (!entry && passed.length) return toast(already());
    try {
      const { body, operation } = entry
        ? await sendJSON("POST", "/api/undo", { operation: entry.operation })
        : await sendJSON("POST", otherwise);
      const words = entry?.words ?? sentence((body.command ?? "").replace(/^page: /, ""));
      stacks[to].push({ operation, words });
      save(stacks);
      const back = from === "done" ? again("Redo", redo, "Mod+Shift+z") : again("Undo", undo, "u");
      // What another device has changed since stays as it left it.
      const kept = body.kept?.length > 0 && `Changed later, and kept: ${body.kept.join(", ")}.`;
      toast([passed.length > 0 && already(), `${verb}: ${words}`, kept].filter(Boolean).join(" "), { actions: [back] });
      return document.dispatchEvent(new Event("hub-undone"));
    } catch (error) {
      // What cannot be undone any more must not hide what was done before it.
      if (error.status >= 400 && error.status < 500 && error.code !== "login-needed") save(stacks);
      // A command or another tab was first.
      if (!entry || error.code !== "already-undone") return tellError(error);
      passed.push(entry.words);
    }
  }
}

shortcuts("Everywhere", [
  { key: "u", words: "Undo", act: undo },
  { key: "Mod+z", words: "Undo", act: undo },
  { key: "Mod+Shift+z", words: "Redo", act: redo },
  { key: "Mod+y", words: "Redo", act: redo, isHidden: true },
]);
