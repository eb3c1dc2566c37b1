// The trash of one plugin: what was deleted, with Restore.
import { counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { emptyTrash } from "/assets/trash.js";

const rowsAtOnce = 200;

/**
 * Shows the trash of `plugin` in a page of `splitPage`, last deleted first. `row(item)` describes what the link of an item shows, and
 * `name(item)` names it; `restore(items)` restores some. `noun` is one item, `words` tells what happens to deleted ones.
 * @template {{ id: string }} Item
 * @param {Hub.TrashProperties<Item>} properties
 */
export function trashView({ page, plugin, noun, topics = [`domain.${plugin}/*`], row, name, restore, words }) {
  let count = rowsAtOnce;
  const act = async (items) => {
    await restore(items);
    await page.refresh();
  };
  const item = (it) =>
    h(
      "li",
      { key: it.id, class: "card with-button" },
      h("a", { href: page.address({ id: it.id, view: null }), "data-item": "" }, row(it)),
      h(
        "button",
        { type: "button", "aria-label": `Restore ${name(it)}`, onclick: () => act([it]) },
        icon("restore"),
        h("span", null, "Restore"),
      ),
    );
  const tools = (items) =>
    h(
      "div",
      { class: "toolbar", key: "tools" },
      h("span", { class: "hint grow" }, counted(items.length, noun)),
      items.length > 1 && h("button", { type: "button", onclick: () => act(items) }, "Restore all"),
      h(
        "button",
        {
          type: "button",
          class: "danger",
          onclick: async () => {
            if (await emptyTrash(items.length, plugin)) page.refresh();
          },
        },
        "Empty trash",
      ),
    );
  const more = () => {
    count += rowsAtOnce;
    shown.redraw();
  };
  const shown = page.show({
    topics,
    read: (signal) => getJSON(`/api/${plugin}/trash`, { signal }),
    draw: (items) => [
      page.heading("Trash"),
      items.length > 0 && tools(items),
      h("ul", { class: "cards trash", key: "rows" }, items.slice(0, count).map(item)),
      items.length > count && h("button", { type: "button", key: "more", onclick: more }, "Show more"),
      !items.length && empty("The trash is empty", { picture: "trash", words }),
    ],
  });
}
