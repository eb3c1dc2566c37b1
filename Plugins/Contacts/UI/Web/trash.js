// The trash of contacts, with Restore.
import { avatar } from "/assets/components/avatar.js";
import { ago, counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";
import { emptyTrash } from "/assets/trash.js";
import { restore } from "/contacts/card.js";
import { address, heading, refresh, show } from "/contacts/page.js";

const rowsAtOnce = 200;

/** Shows what is in the trash, last removed first. */
export function drawTrash() {
  let count = rowsAtOnce;
  const shown = show({
    topics: ["domain.contacts/*"],
    read: (signal) => getJSON("/api/contacts/trash", { signal }),
    draw: (rows) => [
      heading("Trash"),
      rows.length > 0 &&
        h(
          "div",
          { class: "toolbar", key: "tools" },
          h("span", { class: "hint grow" }, counted(rows.length, "contact")),
          rows.length > 1 && h("button", { type: "button", onclick: () => restoreAll(rows) }, "Restore all"),
          h(
            "button",
            {
              type: "button",
              class: "danger",
              onclick: async () => {
                if (await emptyTrash(rows.length, "contacts")) refresh();
              },
            },
            "Empty trash",
          ),
        ),
      h("ul", { class: "people-rows", key: "rows" }, rows.slice(0, count).map(item)),
      rows.length > count &&
        h(
          "button",
          {
            type: "button",
            key: "more",
            onclick: () => {
              count += rowsAtOnce;
              shown.redraw();
            },
          },
          "Show more",
        ),
      !rows.length &&
        empty("The trash is empty", { picture: "trash", words: "Deleted contacts stay here for a while and can be restored." }),
    ],
  });
}

function item({ id, name, deleted_at: since, merged_into: into }) {
  return h(
    "li",
    { key: id, class: "with-button" },
    h(
      "a",
      { href: address({ id, view: null }), "data-item": "" },
      avatar(name),
      h("span", { class: "words" }, h("strong", null, name), h("span", { class: "hint" }, `${into ? "Merged" : "Deleted"} ${ago(since)}`)),
    ),
    h(
      "button",
      {
        type: "button",
        "aria-label": `Restore ${name}`,
        onclick: async () => {
          await restore([id], name);
          refresh();
        },
      },
      icon("restore"),
      h("span", null, "Restore"),
    ),
  );
}

async function restoreAll(rows) {
  const ids = rows.map(({ id }) => id);
  await undoable("POST", "/api/contacts/restore", { ids }, ({ contacts }) => `${counted(contacts, "contact")} restored.`);
  refresh();
}
