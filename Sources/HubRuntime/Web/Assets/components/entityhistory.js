// The history of an item: who changed what and when, and the way back to an earlier version.
import { itemURL, nameOf, plugin } from "/assets/components/entities.js";
import { momentWords, sentence } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";

const verbs = { removed: "Moved to the trash" };

/**
 * The changes of an item, newest first. Each version can be restored, unless the item is in the trash; then `restored` is called.
 * @param {Hub.Entity} entity
 * @param {{ id: string, deleted_at?: string | null }} item
 * @param {Hub.EntityChange[]} changes
 * @param {() => unknown} restored
 * @returns {Hub.Description}
 */
export function historyList(entity, item, changes, restored) {
  const restore = async ({ at, operation }) => {
    const words = `Version of ${momentWords(at)} restored.`;
    if (await undoable("POST", itemURL(entity, item.id, "/restore"), { operation }, words)) restored();
  };
  const row = (change, place) =>
    h(
      "li",
      { key: change.operation },
      h("strong", null, verbs[change.verb] ?? sentence(change.verb).slice(0, -1)),
      " ",
      h("time", { datetime: change.at, class: "hint" }, momentWords(change.at)),
      change.who && change.who !== "user" && h("span", { class: "hint" }, ` by ${change.who}`),
      change.changes.length > 0 && h("p", null, change.changes.join(", ")),
      place > 0 &&
        change.verb !== "removed" &&
        !item.deleted_at &&
        h("button", { type: "button", class: "quiet", onclick: () => restore(change) }, "Restore this version"),
    );
  return h("ol", { class: "history", key: "history" }, changes.map(row));
}

/**
 * Shows the history of the item of the address in a page of `splitPage`.
 * @param {{ page: Hub.SplitPage, entity: Hub.Entity, topics?: string[], label?: (item: any) => string }} properties
 */
export function historyView({ page, entity, topics = [`domain.${plugin}/*`], label = nameOf }) {
  const { id } = page.state;
  page.show({
    topics,
    read: async (signal) => {
      const item = await getJSON(itemURL(entity, id), { signal });
      return { item, changes: await getJSON(itemURL(entity, item.id, "/history"), { signal }) };
    },
    draw: ({ item, changes }) => [
      page.heading(`History of ${label(item)}`, { back: page.backLink({ id, words: `Back to ${label(item)}` }) }),
      changes.length
        ? historyList(entity, item, changes, page.refresh)
        : empty("No history yet", { picture: "clock", words: "History does not go back to the last change." }),
    ],
  });
}
