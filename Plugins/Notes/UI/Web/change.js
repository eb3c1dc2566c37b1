// Changes of a text that two people make at once, carried over each other. TextChange.swift is the reference.
//
// A change is a list of steps from the beginning of the text to its end: a positive number keeps so many UTF-16 units, a
// negative one deletes them, a text is inserted. An insertion comes before a deletion at one place; the rest is kept.

/**
 * Adds a step to a change.
 * @param {Notes.Change} steps
 * @param {number | string} step
 */
export function push(steps, step) {
  if (step === 0 || step === "") return;
  const last = steps.length - 1;
  if (typeof step === "string") {
    const at = typeof steps[last] === "number" && steps[last] < 0 ? last : last + 1;
    if (typeof steps[at - 1] === "string") steps[at - 1] += step;
    else steps.splice(at, 0, step);
    return;
  }
  const before = steps[last];
  if (typeof before === "number" && before > 0 === step > 0) steps[last] = before + step;
  else steps.push(step);
}

/**
 * The place in a list of steps; after the end everything is kept.
 * @param {Notes.Change} steps
 */
function reader(steps) {
  let [index, offset] = [0, 0];
  /** @type {(step: number | string) => number} */
  const size = (step) => (typeof step === "string" ? step.length : Math.abs(step));
  return {
    get kind() {
      const step = steps[index];
      return step === undefined ? "end" : typeof step === "string" ? "insert" : step < 0 ? "delete" : "keep";
    },
    get left() {
      return index < steps.length ? size(steps[index]) - offset : Infinity;
    },
    /**
     * Goes on by `count` units, and gives the text of an insertion.
     * @param {number} count
     */
    take(count) {
      const step = steps[index];
      const text = typeof step === "string" ? step.slice(offset, offset + count) : "";
      offset += count;
      if (index < steps.length && offset === size(step)) [index, offset] = [index + 1, 0];
      return text;
    },
  };
}

/**
 * The change that deletes `deleted` units from `at` on and inserts a text there.
 * @param {number} at
 * @param {number} deleted
 * @param {string} inserted
 * @returns {Notes.Change}
 */
export function replacing(at, deleted, inserted) {
  /** @type {Notes.Change} */
  const steps = [];
  for (const step of [at, inserted, -deleted]) push(steps, step);
  return steps;
}

/**
 * Whether nothing changes.
 * @param {Notes.Change} change
 * @returns {boolean}
 */
export const isEmpty = (change) => change.every((step) => typeof step === "number" && step > 0);

/**
 * The change that is `first` and then `second`.
 * @param {Notes.Change} first
 * @param {Notes.Change} second
 * @returns {Notes.Change}
 */
export function compose(first, second) {
  /** @type {Notes.Change} */
  const result = [];
  const [one, two] = [reader(first), reader(second)];
  while (one.kind !== "end" || two.kind !== "end") {
    if (one.kind === "delete") {
      push(result, -one.left);
      one.take(one.left);
    } else if (two.kind === "insert") push(result, two.take(two.left));
    else {
      const count = Math.min(one.left, two.left);
      const [from, to] = [one.kind, two.kind];
      const text = one.take(count);
      two.take(count);
      if (from === "insert") push(result, to === "delete" ? "" : text);
      else push(result, to === "delete" ? -count : count);
    }
  }
  return result;
}

/**
 * `change` as one of the text that `other`, a change of the same text, makes. At one place, what `change` inserts comes first
 * when `isFirst`.
 * @param {Notes.Change} change
 * @param {Notes.Change} other
 * @param {boolean} isFirst
 * @returns {Notes.Change}
 */
export function over(change, other, isFirst) {
  /** @type {Notes.Change} */
  const result = [];
  const [mine, theirs] = [reader(change), reader(other)];
  while (mine.kind !== "end") {
    if (mine.kind === "insert" && (isFirst || theirs.kind !== "insert")) push(result, mine.take(mine.left));
    else if (theirs.kind === "insert") {
      push(result, theirs.left);
      theirs.take(theirs.left);
    } else {
      const count = Math.min(mine.left, theirs.left);
      // What they deleted is gone already.
      if (theirs.kind !== "delete") push(result, mine.kind === "delete" ? -count : count);
      mine.take(count);
      theirs.take(count);
    }
  }
  return result;
}

/**
 * The text after a change.
 * @param {Notes.Change} change
 * @param {string} text
 * @returns {string}
 */
export function apply(change, text) {
  let [result, at] = ["", 0];
  for (const step of change) {
    if (typeof step === "string") result += step;
    else {
      if (step > 0) result += text.slice(at, at + step);
      at += Math.abs(step);
    }
  }
  return result + text.slice(at);
}

/**
 * The change that takes `change` of `text` back.
 * @param {Notes.Change} change
 * @param {string} text
 * @returns {Notes.Change}
 */
export function inverse(change, text) {
  /** @type {Notes.Change} */
  const result = [];
  let at = 0;
  for (const step of change) {
    if (typeof step === "string") push(result, -step.length);
    else {
      push(result, step > 0 ? step : text.slice(at, at - step));
      at += Math.abs(step);
    }
  }
  return result;
}

/**
 * Where a place of the text is after a change; `isAfter` moves it behind what is inserted there.
 * @param {Notes.Change} change
 * @param {number} position
 * @param {boolean} [isAfter]
 * @returns {number}
 */
export function moved(change, position, isAfter = false) {
  let [old, now] = [0, 0];
  for (const step of change) {
    if (typeof step === "string") {
      if (position === old && !isAfter) return now;
      now += step.length;
    } else if (step > 0) {
      if (position < old + step || (position === old + step && !isAfter)) return now + position - old;
      [old, now] = [old + step, now + step];
    } else {
      if (position < old - step) return now;
      old -= step;
    }
  }
  return now + Math.max(0, position - old);
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {boolean}
 */
const isHigh = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xd800;
/**
 * @param {string} text
 * @param {number} at
 * @returns {boolean}
 */
const isLow = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/**
 * The change at one place that turns a text into another. With `caret`, the place where typing in the new one ended, it is
 * there if it can be.
 * @param {string} from
 * @param {string} to
 * @param {number} [caret]
 * @returns {Notes.Change}
 */
export function difference(from, to, caret = to.length) {
  const most = Math.min(from.length, to.length);
  let end = 0;
  while (end < most && end < to.length - caret && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  let start = 0;
  while (start < most - end && from[start] === to[start]) start++;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  // Both halves of a character outside of the basic plane stay together.
  if (start > 0 && (isHigh(from, start - 1) || isHigh(to, start - 1))) start--;
  if (end > 0 && (isLow(from, from.length - end) || isLow(to, to.length - end))) end--;
  return replacing(start, from.length - end - start, to.slice(start, to.length - end));
}

// The protocol counts Unicode scalars.

/**
 * @param {string} text
 * @returns {boolean}
 */
const hasPairs = (text) => /[\ud800-\udfff]/.test(text);

/**
 * The number of scalars of a text.
 * @param {string} text
 * @returns {number}
 */
export function scalars(text) {
  let count = text.length;
  if (hasPairs(text)) for (let at = 0; at < text.length; at++) if (isLow(text, at)) count--;
  return count;
}

/**
 * The place after so many scalars from `start` on.
 * @param {string} text
 * @param {number} start
 * @param {number} count
 * @param {boolean} [isPlain]
 * @returns {number}
 */
export function unitsAfter(text, start, count, isPlain = !hasPairs(text)) {
  if (isPlain) return start + count;
  let at = start;
  for (let left = count; left > 0; left--) at += isHigh(text, at) ? 2 : 1;
  return at;
}

/**
 * The change of `text` that edits of the protocol make: place, number of deleted scalars, inserted text, each after those before.
 * @param {Notes.Edit[]} edits
 * @param {string} text
 * @returns {Notes.Change}
 */
export function fromEdits(edits, text) {
  const isPlain = !hasPairs(text) && !edits.some(([, , inserted]) => hasPairs(inserted));
  /** @type {Notes.Change} */
  let change = [];
  for (const [position, deleted, inserted] of edits) {
    const at = unitsAfter(text, 0, position, isPlain);
    const end = unitsAfter(text, at, deleted, isPlain);
    change = compose(change, replacing(at, end - at, inserted));
    if (!isPlain) text = text.slice(0, at) + inserted + text.slice(end);
  }
  return change;
}

/**
 * The edits of the protocol that a change of `text` is.
 * @param {Notes.Change} change
 * @param {string} text
 * @returns {Notes.Edit[]}
 */
export function toEdits(change, text) {
  /** @type {Notes.Edit[]} */
  const edits = [];
  let [at, position, isOpen] = [0, 0, false];
  for (const step of change) {
    if (typeof step === "string") {
      edits.push([position, 0, step]);
      position += scalars(step);
      isOpen = true;
      continue;
    }
    const count = scalars(text.slice(at, at + Math.abs(step)));
    at += Math.abs(step);
    if (step > 0) {
      position += count;
      isOpen = false;
    } else if (isOpen) edits[edits.length - 1][1] = count;
    else edits.push([position, count, ""]);
  }
  return edits;
}
