// The trash of records, with Restore.
import { ago, counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { address, heading, refresh, show } from "/dictofun/page.js";
import { restore } from "/dictofun/record.js";
import { clock, titleOf } from "/dictofun/words.js";

const rowsAtOnce = 200;

/** Shows what is in the trash, last removed first. */
export function drawTrash() {
  let count = rowsAtOnce;
  const shown = show({
    topics: ["domain.dictofun/*"],
    read: (signal) => getJSON("/api/dictofun/trash", { signal }),
    draw: (rows) => [
      heading("Trash"),
      rows.length > 1 &&
        h(
          "div",
          { class: "toolbar", key: "tools" },
          h("span", { class: "hint grow" }, counted(rows.length, "record")),
          h("button", { type: "button", onclick: () => bringBack(rows.map(({ id }) => id)) }, "Restore all"),
        ),
      h("ul", { class: "cards", key: "rows" }, rows.slice(0, count).map(item)),
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
        empty("The trash is empty", {
          picture: "trash",
          words: "Deleted records stay here for a while and can be restored. They are not fetched from a recorder again.",
        }),
    ],
  });
}

function item(row) {
  return h(
    "li",
    { key: row.id, class: "card with-button" },
    h(
      "a",
      { href: address({ id: row.id, view: null }), "data-item": "" },
      h("strong", null, titleOf(row)),
      h("span", { class: "hint" }, `${clock(row.length_ms)} · deleted ${ago(row.deleted_at)}`),
    ),
    h(
      "button",
      { type: "button", "aria-label": `Restore ${titleOf(row)}`, onclick: () => bringBack([row.id]) },
      icon("restore"),
      h("span", null, "Restore"),
    ),
  );
}

async function bringBack(ids) {
  await restore(ids);
  refresh();
}
