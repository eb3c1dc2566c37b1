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
    const object = URL.createObjectURL(await getBlob(url, options));
    create(h("a", { href: object, download: name.replaceAll(/[/\\:]/g, " ").trim() })).click();
    setTimeout(() => URL.revokeObjectURL(object), 60_000);
  } catch (error) {
    tellError(error);
  }
}
