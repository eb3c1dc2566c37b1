// Icons of /assets/components/icons.svg; the file is the list of their names.
import { h } from "/assets/components/patch.js";

// Beside this module, wherever it is served.
const sprite = new URL("icons.svg", import.meta.url).pathname;

/**
 * An icon; with `label` it has a name of its own, otherwise the words beside it are its name.
 * @param {string} name
 * @param {{ size?: "small" | "medium" | "large", label?: string | null }} options
 * @returns {Hub.Description}
 */
export function icon(name, { size = "medium", label = null } = {}) {
  return h(
    "svg",
    { class: `icon ${size}`, role: label ? "img" : null, "aria-label": label, "aria-hidden": label ? null : "true" },
    h("use", { href: `${sprite}#${name}` }),
  );
}

/**
 * A button that shows an icon only; `label` is its name and its tooltip.
 * @param {string} name
 * @param {string} label
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Hub.Properties} [properties]
 * @returns {Hub.Description}
 */
export function iconButton(name, label, onclick, properties = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...properties }, icon(name));
}

/**
 * A button with an icon and words.
 * @param {string} name
 * @param {string} words
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Hub.Properties} [properties]
 * @returns {Hub.Description}
 */
export function labelledButton(name, words, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, icon(name), h("span", null, words));
}
