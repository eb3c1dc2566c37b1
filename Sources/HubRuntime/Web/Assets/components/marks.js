// Marks the words of a search in what it has found.
import { h } from "/assets/components/patch.js";

/** @type {Record<string, string>} */
const letters = { ł: "l", Ł: "l", ø: "o", Ø: "o", đ: "d", Đ: "d", ı: "i", ħ: "h", Ħ: "h", æ: "a", Æ: "a", œ: "o", Œ: "o" };

/** @type {(text: string) => string} the base letters in lower case, one for each unit of the text */
const folded = (text) =>
  [...text]
    .map((letter) => {
      const base = (letters[letter] ?? letter.normalize("NFD")).slice(0, letter.length).toLowerCase();
      return base.length === letter.length ? base : letter;
    })
    .join("");

/**
 * The places of words in a text, where words begin, whatever their accents and capitals are.
 * @param {string} text
 * @param {string[]} words
 * @returns {[number, number][]} beginnings and ends, in order and apart
 */
export function placesOf(text, words) {
  const plain = folded(text);
  /** @type {[number, number][]} */
  const found = [];
  for (const word of words.map(folded).filter(Boolean)) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + word.length)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1])) found.push([at, at + word.length]);
    }
  }
  found.sort((one, other) => one[0] - other[0]);
  /** @type {[number, number][]} */
  const apart = [];
  for (const [start, end] of found) {
    const last = apart.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
}

/**
 * A text with the words of a search marked.
 * @param {string} text
 * @param {string[]} words
 * @returns {Hub.Child[]}
 */
export function marked(text, words) {
  /** @type {Hub.Child[]} */
  const parts = [];
  let done = 0;
  for (const [start, end] of placesOf(text, words)) {
    parts.push(text.slice(done, start), h("mark", null, text.slice(start, end)));
    done = end;
  }
  return [...parts, text.slice(done)];
}
