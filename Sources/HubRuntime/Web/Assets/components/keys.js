// Keys that a part of a page handles itself. Every listener of `keydown` goes through `keys`.

// These act again and again while they are held; all others act once.
const moving = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Tab", "j", "k"]);

/**
 * Whether a key belongs to an input method, where Enter, Esc and arrows compose a word.
 * @param {{ isComposing?: boolean, keyCode?: number }} event
 * @returns {boolean}
 */
const isComposing = (event) => Boolean(event.isComposing) || event.keyCode === 229;

/**
 * Whether a key that is held comes again, and is not one that moves.
 * @param {{ repeat?: boolean, key: string }} event
 * @returns {boolean}
 */
export const isHeld = (event) => Boolean(event.repeat) && !moving.has(event.key);

/**
 * A listener of `keydown` that is not called for keys of an input method.
 * @param {(event: KeyboardEvent) => unknown} act
 * @returns {(event: KeyboardEvent) => void}
 */
export const keys = (act) => (event) => {
  if (!isComposing(event)) act(event);
};

/**
 * The key of an event as a shortcut names it. A keyboard of another script, such as an Arabic or a Russian one, has other letters and
 * digits in the places of the Latin ones; letters with accents stay, for their places differ.
 * @param {{ key: string, code?: string, shiftKey?: boolean, getModifierState?: (name: string) => boolean }} event
 * @returns {string}
 */
export function keyOf(event) {
  const { key, code = "", shiftKey = false } = event;
  if (!/^[^\0-\x7f]$/u.test(key) || /\p{Script=Latin}/u.test(key)) return key;
  const place = /^(?:Key|Digit)(\w)$/.exec(code)?.[1];
  return !place || event.getModifierState?.("AltGraph") ? key : shiftKey ? place : place.toLowerCase();
}
