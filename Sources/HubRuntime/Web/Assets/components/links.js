// What an item has to do with the items of other plugins: where it is named, and what it names.
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { getJSON } from "/assets/hub.js";

/** @typedef {{ plugin: string, title: string, hits: { title: string, detail: string, path: string }[] }} Group */

const pictures = { contacts: "person", notes: "note", dictofun: "microphone", mintee: "check", market: "coin" };

/** @type {(plugin: string) => Node | Hub.Description} the icon of a plugin is in the navigation already */
const picture = (plugin) =>
  document.querySelector(`.places a[href="/${CSS.escape(plugin)}"] .icon`)?.cloneNode(true) ?? icon(pictures[plugin] ?? "link");

/**
 * Reads the links of an item, and keeps them until another one is asked for. `changed` is called once they are there.
 * @param {string} plugin
 * @param {() => unknown} changed
 * @returns {(id: string | null, version?: string | number) => Hub.Description | null} describes the links of an item; reads them
 *   again for another version of it
 */
export function itemLinks(plugin, changed) {
  /** @type {string | null} */
  let asked = null;
  /** @type {Group[]} */
  let groups = [];

  /** @param {string} key @param {string} id */
  async function read(key, id) {
    // Without an answer there are no links to show; the item is there all the same.
    const found = await getJSON("/api/links?" + new URLSearchParams({ item: `${plugin}:${id}` })).catch(() => null);
    if (asked !== key || !found) return;
    groups = found;
    changed();
  }

  return (id, version = "") => {
    if (!id) return null;
    const key = `${id} ${version}`;
    if (asked !== key) {
      if (!asked?.startsWith(`${id} `)) groups = [];
      asked = key;
      read(key, id);
    }
    return groups.length > 0 ? drawn(groups) : null;
  };
}

/** @type {(groups: Group[]) => Hub.Description} */
const drawn = (groups) =>
  h(
    "nav",
    { class: "item-links", key: "item-links", "aria-label": "Elsewhere in hub" },
    groups.map(({ plugin, title, hits }) =>
      h(
        "section",
        { class: "panel", key: `${plugin} ${title}` },
        h("h3", null, title),
        h(
          "ul",
          { class: "plain-list" },
          hits.map((hit) =>
            h(
              "li",
              { key: hit.path },
              h(
                "a",
                { href: hit.path },
                picture(plugin),
                h(
                  "span",
                  { class: "words" },
                  h("strong", { dir: "auto" }, hit.title),
                  hit.detail && h("span", { class: "hint", dir: "auto" }, hit.detail),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
