// The picture of a person or thing, or its initials.
import { h } from "/assets/components/patch.js";

const colors = 8;

/** Up to two initials; null when the name has no letter or digit. */
export function initials(name) {
  const words = (name ?? "").split(/[\s,;()"“”<>]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = picked.map((word) => [...new Intl.Segmenter().segment(word)][0].segment).join("");
  return letters.toLocaleUpperCase() || null;
}

/** The colour of a name, the same everywhere: 0 to 7. */
export function colorOf(name) {
  let hash = 7;
  for (const letter of name ?? "") hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  return hash % colors;
}

/** An avatar; `photo` is an address, `size` small, medium or large. It says nothing to screen readers: the name is beside it. */
export function avatar(name, { photo = null, size = "medium", sign = null } = {}) {
  return h("span", { class: `avatar ${size} color-${colorOf(name)}`, "aria-hidden": "true" },
    photo ? h("img", { src: photo, alt: "", loading: "lazy", decoding: "async", draggable: "false" })
      : sign ?? initials(name) ?? "?");
}
