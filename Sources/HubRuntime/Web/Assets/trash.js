// The trash of all plugins: what was deleted, the way back, and the one way to destroy it.
import { choose } from "/assets/dialog.js";
import { ago, counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { tellError, undoable } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { toast } from "/assets/toast.js";

const rowsAtOnce = 200;
const root = document.getElementById("trash");

/**
 * Restores items of a plugin. Gives whether that succeeded.
 * @param {string} plugin
 * @param {string[]} ids
 * @param {Hub.Words} words
 * @returns {Promise<boolean>}
 */
export async function restore(plugin, ids, words) {
  return (await undoable("POST", "/api/trash/restore", { plugin, ids }, words)) !== null;
}

/**
 * Asks, and then destroys all that is in the trash, or in that of one plugin. Gives whether that happened.
 * @param {number} count
 * @param {string | null} [plugin]
 * @returns {Promise<boolean>}
 */
export async function emptyTrash(count, plugin = null) {
  const answer = await choose({
    title: `Permanently delete ${counted(count, "item")}?`,
    text: "This cannot be undone. Older backups still contain them.",
    id: "empty-trash",
    choices: [
      { value: "no", words: "Keep them" },
      { value: "yes", words: "Delete permanently", class: "danger" },
    ],
  });
  if (answer !== "yes") return false;
  try {
    const { body } = await sendJSON("DELETE", "/api/trash" + (plugin ? `?plugin=${encodeURIComponent(plugin)}` : ""));
    toast(`${counted(body.deleted, "item")} permanently deleted.`);
    return true;
  } catch (error) {
    tellError(error);
    return false;
  }
}

if (root) {
  const shown = new Map();
  const page = view(root, {
    topics: ["*"],
    read: (signal) => getJSON("/api/trash", { signal }),
    draw: (parts) => {
      const count = parts.reduce((sum, { items }) => sum + items.length, 0);
      if (!count)
        return empty("The trash is empty", { picture: "trash", words: "Deleted items stay here for a while and can be restored." });
      return [
        h(
          "div",
          { class: "toolbar", key: "tools" },
          h("span", { class: "hint grow" }, counted(count, "item")),
          h(
            "button",
            {
              type: "button",
              class: "danger",
              onclick: async () => {
                if (await emptyTrash(count)) page.refresh();
              },
            },
            "Empty trash",
          ),
        ),
        parts.map(section),
      ];
    },
  });
  const section = ({ plugin, title, items }) =>
    h(
      "section",
      { key: plugin, "aria-labelledby": `trash-${plugin}` },
      h("h2", { id: `trash-${plugin}` }, title),
      h(
        "ul",
        { class: "item-list" },
        items.slice(0, shown.get(plugin) ?? rowsAtOnce).map((item) => row(plugin, item)),
      ),
      items.length > (shown.get(plugin) ?? rowsAtOnce) &&
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              shown.set(plugin, (shown.get(plugin) ?? rowsAtOnce) + rowsAtOnce);
              page.redraw();
            },
          },
          "Show more",
        ),
    );
  const row = (plugin, { id, title, deleted_at: since, path }) =>
    h(
      "li",
      { key: id },
      h(
        path ? "a" : "span",
        { class: "words", href: path },
        h("strong", null, title || "(no name)"),
        h("span", { class: "hint" }, `Deleted ${ago(since)}`),
      ),
      h(
        "button",
        {
          type: "button",
          "aria-label": `Restore ${title}`,
          onclick: async () => {
            if (await restore(plugin, [id], `${title} restored.`)) page.refresh();
          },
        },
        icon("restore"),
        h("span", null, "Restore"),
      ),
    );
  document.addEventListener("hub-undone", page.refresh);
}
