// What was typed in one text, so that undo takes back that and nothing that others wrote.
import { compose, inverse, isEmpty, over } from "/notes/change.js";

// Typing within this time, in milliseconds, is taken back at once.
const burst = 1000;
const maximumUndo = 500;

/**
 * The steps that undo and redo take, for `client`.
 * @param {Notes.EditClient} client
 * @returns {Notes.TypingHistory}
 */
export function typingHistory(client) {
  /** @type {Notes.Change[]} */
  let undone = [];
  /** @type {Notes.Change[]} */
  let done = [];
  let last = { at: 0, kind: "" };

  /**
   * Undo steps, the last one first, over a change of the text that they follow.
   * @param {Notes.Change[]} steps
   * @param {Notes.Change} change
   */
  function carried(steps, change) {
    /** @type {Notes.Change[]} */
    const result = [];
    for (const step of steps.toReversed()) {
      result.unshift(over(step, change, false));
      change = over(change, step, true);
    }
    return result.filter((step) => !isEmpty(step));
  }

  return {
    type(change, { kind, words, at }) {
      const back = inverse(change, client.text);
      const isMore = kind === last.kind && kind !== "" && at - last.at < burst && !/\s/.test(words);
      const before = isMore ? done.pop() : undefined;
      done.push(before ? compose(back, before) : back);
      last = { at, kind };
      undone = [];
      if (done.length > maximumUndo) done.shift();
      client.type(change);
    },
    receive(change) {
      [done, undone] = [carried(done, change), carried(undone, change)];
    },
    step(isRedo) {
      const [from, to] = isRedo ? [undone, done] : [done, undone];
      const change = from.pop();
      if (!change) return null;
      to.push(inverse(change, client.text));
      client.type(change);
      last = { at: 0, kind: "" };
      return change;
    },
  };
}

/**
 * The end of what a change inserts or deletes first, where the caret belongs after an undo.
 * @param {Notes.Change} change
 * @returns {number}
 */
export function endOf(change) {
  let at = 0;
  for (const part of change) {
    if (typeof part === "string") return at + part.length;
    if (part < 0) return at;
    at += part;
  }
  return at;
}

/**
 * What to do for a key that undoes or redoes; null for others.
 * @param {KeyboardEvent} event
 * @returns {"undo" | "redo" | null}
 */
export function undoKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  return key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : null;
}
