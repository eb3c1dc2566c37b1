// The trash of a plugin: what was deleted, last deleted first, with Restore and the one way to destroy it.
import { entities, nameOf, plugin, restoreItems } from "/assets/components/entities.js";
import { ago, counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { emptyTrash } from "/assets/trash.js";

const rowsAtOnce = 200;

/**
 * Shows what is in the trash of the plugin. `link(item, entity)` is where an item is shown, `row(item, entity)` what its link
 * shows, `label(item, entity)` names it in messages; `words` says more about deleted items.
 * @param {Hub.EntityTrashProperties} properties
 */
export function trashView({
  page,
  topics = [`domain.${plugin}/*`],
  label = nameOf,
  link = ({ id }) => page.elsewhere({ id }),
  row = (item, entity) => [h("strong", null, label(item, entity)), h("span", { class: "hint" }, `Deleted ${ago(item.deleted_at)}`)],
  words = "",
}) {
  let count = rowsAtOnce;
  const noun = entities.length === 1 ? entities[0] : { one: "item", many: "items" };

  // One request for each kind of items, so that one change is undone at once.
  async function restore(items) {
    for (const entity of entities) {
      const own = items.filter((item) => item.entity === entity);
      const ids = own.map(({ id }) => id);
      if (own.length && !(await restoreItems(entity, ids, own.length > 1 ? null : label(own[0], entity)))) return;
    }
    await page.refresh();
  }

  const card = (item) =>
    h(
      "li",
      { key: item.id, class: "card with-button" },
      h("a", { href: link(item, item.entity), "data-item": "" }, row(item, item.entity)),
      h(
        "button",
        { type: "button", "aria-label": `Restore ${label(item, item.entity)}`, onclick: () => restore([item]) },
        icon("restore"),
        h("span", null, "Restore"),
      ),
    );
  const tools = (items) =>
    h(
      "div",
      { class: "toolbar", key: "tools" },
      h("span", { class: "hint grow" }, counted(items.length, noun.one, noun.many)),
      items.length > 1 && h("button", { type: "button", onclick: () => restore(items) }, "Restore all"),
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
    read: async (signal) => {
      const parts = await Promise.all(
        entities.map(async (entity) => {
          const items = await getJSON(`${entity.path}/trash`, { signal });
          return items.map((item) => ({ ...item, entity }));
        }),
      );
      const items = parts.flat();
      return entities.length > 1 ? items.toSorted((one, other) => other.deleted_at.localeCompare(one.deleted_at)) : items;
    },
    draw: (items) => [
      page.heading("Trash"),
      items.length > 0 && tools(items),
      h("ul", { class: "cards trash", key: "rows" }, items.slice(0, count).map(card)),
      items.length > count && h("button", { type: "button", key: "more", onclick: more }, "Show more"),
      !items.length &&
        empty("The trash is empty", {
          picture: "trash",
          words: ["Deleted " + entities.map(({ many }) => many).join(" and ") + " stay here for a while and can be restored.", words]
            .filter(Boolean)
            .join(" "),
        }),
    ],
  });
}
