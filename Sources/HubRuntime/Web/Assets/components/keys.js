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
