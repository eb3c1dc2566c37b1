// The picture of a person or thing, or its initials.
import { h } from "/assets/components/patch.js";
import { getBlob } from "/assets/hub.js";

const colors = 8;
const maximumPictures = 400;
// Addresses of pictures that were read, the latest last.
const pictures = new Map();

/**
 * Up to two initials; null when the name has no letter or digit.
 * @param {string | null} name
 * @returns {string | null}
 */
function initials(name) {
  const words = (name ?? "").split(/[\s,;()"“”<>]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  const letters = picked.map((word) => [...new Intl.Segmenter().segment(word)][0].segment).join("");
  return letters.toLocaleUpperCase() || null;
}

/**
 * The colour of a name, the same everywhere: 0 to 7.
 * @param {string | null} name
 * @returns {number}
 */
export function colorOf(name) {
  let hash = 7;
  for (const letter of name ?? "") hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % colors;
}

// An <img> cannot send the key of the session, so the bytes are read here.
function pictureAt(address) {
  const found = pictures.get(address) ?? getBlob(address).then((blob) => URL.createObjectURL(blob));
  pictures.delete(address);
  pictures.set(address, found);
  if (pictures.size > maximumPictures) {
    const [oldest, picture] = pictures.entries().next().value;
    pictures.delete(oldest);
    picture.then(URL.revokeObjectURL, () => {});
  }
  return found;
}

/**
 * Shows the picture at `address` of the API in an `<img>`, which is removed if there is none.
 * @param {HTMLImageElement} image
 * @param {string} address
 * @returns {Promise<void>}
 */
export async function showPicture(image, address) {
  try {
    image.src = await pictureAt(address);
  } catch {
    pictures.delete(address);
    image.remove();
  }
}

/**
 * An avatar; `photo` is an address of the API, `size` small, medium or large, `sign` an icon in place of initials. It says nothing to
 * screen readers: the name is beside it.
 * @param {string} name
 * @param {{ photo?: string | null, size?: "small" | "medium" | "large", sign?: Hub.Child }} options
 * @returns {Hub.Description}
 */
export function avatar(name, { photo = null, size = "medium", sign = null } = {}) {
  return h(
    "span",
    { class: `avatar ${size} color-${colorOf(name)}`, "aria-hidden": "true", key: photo ?? "initials" },
    h("span", null, sign ?? initials(name) ?? "?"),
    photo && h("img", { key: photo, alt: "", draggable: "false", created: (image) => showPicture(image, photo) }),
  );
}
