// Files that the browser saves on this device.
import { create, h } from "/assets/components/patch.js";
import { tellError } from "/assets/components/undoable.js";
import { getBlob } from "/assets/hub.js";

/**
 * Saves what is at `url` under `name`, in which `/`, `\` and `:` become spaces; says why it cannot be had.
 * @param {string} url
 * @param {string} name
 * @param {RequestInit} [options]
 * @returns {Promise<void>}
 */
export async function download(url, name, options) {
  try {
    saveFile(await getBlob(url, options), name);
  } catch (error) {
    tellError(error);
  }
}

/**
 * Saves what the page has under `name`, in which `/`, `\` and `:` become spaces.
 * @param {Blob} content
 * @param {string} name
 */
export function saveFile(content, name) {
  const url = URL.createObjectURL(content);
  create(h("a", { href: url, download: name.replaceAll(/[/\\:]/g, " ").trim() })).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
