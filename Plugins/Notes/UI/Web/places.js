// Where the server has put what was sent, so that what was typed meanwhile stays with its letters. ConfirmedPlaces.swift is the reference.
import { push } from "/notes/change.js";

// The most pairs of letters that are compared.
const mostPairs = 4_000_000;

/**
 * For each element of `own` the index of the same one in `all`, in the same order, or -1; most have one.
 * @param {string[]} own
 * @param {string[]} all
 * @returns {Int32Array}
 */
function matches(own, all) {
  const found = new Int32Array(own.length).fill(-1);
  let start = 0;
  while (start < own.length && own[start] === all[start]) found[start] = start++;
  let [end, last] = [own.length, all.length];
  while (end > start && last > start && own[end - 1] === all[last - 1]) found[--end] = --last;
  const [height, width] = [end - start, last - start];
  if (height === 0 || height * width > mostPairs) return found;
  // The lengths of the longest common subsequences of what begins at each pair.
  const lengths = new Int32Array((height + 1) * (width + 1));
  /** @type {(row: number, column: number) => number} */
  const at = (row, column) => row * (width + 1) + column;
  for (let row = height - 1; row >= 0; row--) {
    for (let column = width - 1; column >= 0; column--) {
      lengths[at(row, column)] =
        own[start + row] === all[start + column]
          ? lengths[at(row + 1, column + 1)] + 1
          : Math.max(lengths[at(row + 1, column)], lengths[at(row, column + 1)]);
    }
  }
  for (let [row, column] = [0, 0]; row < height && column < width;) {
    if (own[start + row] === all[start + column]) found[start + row++] = start + column++;
    else if (lengths[at(row + 1, column)] >= lengths[at(row, column + 1)]) row++;
    else column++;
  }
  return found;
}

/**
 * The inserted characters of a change with the place of each in the text after it, and for each unit of the text before its place, or -1.
 * @param {Notes.Change} change
 * @param {number} length
 * @returns {{ characters: string[], ends: number[], kept: Int32Array }}
 */
function outcome(change, length) {
  /** @type {string[]} */
  const characters = [];
  /** @type {number[]} */
  const ends = [];
  const kept = new Int32Array(length).fill(-1);
  let [old, now] = [0, 0];
  for (const step of [...change, length]) {
    if (typeof step === "string") {
      for (const character of step) {
        characters.push(character);
        ends.push(now);
        now += character.length;
      }
    } else if (step < 0) old -= step;
    else for (const end = Math.min(old + step, length); old < end;) kept[old++] = now++;
  }
  return { characters, ends, kept };
}

/**
 * For each unit of the text after the change `sent` of `known` its place in the text after `stored`, which is all that the server
 * did, or -1.
 * @param {Notes.Change} sent
 * @param {Notes.Change} stored
 * @param {string} known
 * @returns {Int32Array}
 */
export function places(sent, stored, known) {
  const own = outcome(sent, known.length);
  const all = outcome(stored, known.length);
  const result = new Int32Array(known.length + own.characters.reduce((sum, character) => sum + character.length, 0)).fill(-1);
  own.kept.forEach((place, at) => {
    if (place >= 0) result[place] = all.kept[at];
  });
  matches(own.characters, all.characters).forEach((match, at) => {
    if (match < 0) return;
    for (let unit = 0; unit < own.characters[at].length; unit++) result[own.ends[at] + unit] = all.ends[match] + unit;
  });
  return result;
}

/**
 * A change of the text after what was sent, as one of the text of the server. What it inserts follows the same character.
 * @param {Int32Array} places
 * @param {Notes.Change} change
 * @returns {Notes.Change}
 */
export function carryTo(places, change) {
  const steps = [];
  let at = 0;
  for (const step of change) {
    if (typeof step === "string") {
      let before = Math.min(at, places.length) - 1;
      while (before >= 0 && places[before] < 0) before--;
      steps.push({ place: before < 0 ? 0 : places[before] + 1, text: step });
    } else {
      for (const end = Math.min(at - step, places.length); step < 0 && at < end; at++)
        if (places[at] >= 0) steps.push({ place: places[at], text: null });
      if (step > 0) at += step;
    }
  }
  /** @type {Notes.Change} */
  const result = [];
  let done = 0;
  // At one place, texts come in their order, and then the deletion.
  for (const { place, text } of steps.sort(
    (one, other) => one.place - other.place || Number(one.text === null) - Number(other.text === null),
  )) {
    push(result, place - done);
    push(result, text ?? -1);
    done = place + (text === null ? 1 : 0);
  }
  return result;
}
