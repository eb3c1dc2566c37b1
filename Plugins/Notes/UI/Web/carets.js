// Where others write in a text: an invisible copy of it lies over the text area, with their selections and carets in it, so they
// wrap as the text does at every width.
import { colorOf } from "/assets/components/avatar.js";
import { h } from "/assets/components/patch.js";

// The most characters of a word after the last caret; a longer one may wrap differently.
const longestWord = 200;

/**
 * Describes the copy of `text`, as the text area shows it. Each of `people` has a `key`, who it is, the name to show, `start` and
 * `end` of the selection, whose end is the caret, and how often they moved, `moves`.
 * @param {string} text
 * @param {{ key: string, who: string, name: string, start: number, end: number, moves: number }[]} people
 * @returns {Hub.Description}
 */
export function caretLayer(text, people) {
  const cuts = [...new Set([0, ...people.flatMap(({ start, end }) => [start, end])])].sort((one, other) => one - other);
  const last = cuts[cuts.length - 1];
  // A word that begins before the last caret wraps as a whole.
  const [rest] = text.slice(last, last + longestWord).split(/\s/, 1);
  const parts = cuts.flatMap((from, at) => {
    const to = cuts[at + 1] ?? from + rest.length;
    const words = text.slice(from, to);
    const holder = people.find(({ start, end }) => start <= from && to <= end);
    return [
      people.filter(({ end }) => end === from).map(caret),
      holder && words ? h("span", { class: `selected color-${colorOf(holder.who)}` }, words) : words,
    ];
  });
  return h("div", { class: "carets", key: "carets", dir: "auto", "aria-hidden": "true" }, parts);
}

/**
 * An element of its own for each place: its name is shown for some seconds.
 * @param {{ key: string, who: string, name: string, moves: number }} person
 * @returns {Hub.Description}
 */
const caret = ({ key, who, name, moves }) =>
  h(
    "span",
    { class: `peer color-${colorOf(who)}`, key: `${key} ${moves}` },
    h("span", { class: "peer-caret" }),
    h("span", { class: "peer-name" }, name),
  );
