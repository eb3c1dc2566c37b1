// The trash of notes, with Restore.
import { ago, counted } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { restore } from "/notes/actions.js";
import { address, heading, refresh, show } from "/notes/page.js";

const rowsAtOnce = 200;

/** Shows what is in the trash, last removed first. */
export function drawTrash() {
  let count = rowsAtOnce;
  const act = (ids, name) => restore(ids, name).then(refresh);
  const shown = show({
    topics: ["domain.notes/*"],
    read: (signal) => getJSON("/api/notes/trash", { signal }),
    draw: (rows) => [
      heading("Trash"),
      rows.length > 1 &&
        h(
          "div",
          { class: "toolbar", key: "tools" },
          h("span", { class: "hint grow" }, counted(rows.length, "note")),
          h("button", { type: "button", onclick: () => act(rows.map(({ id }) => id)) }, "Restore all"),
        ),
      h(
        "ul",
        { class: "plain-rows", key: "rows" },
        rows
          .slice(0, count)
          .map(({ id, name, deleted_at: since }) =>
            h(
              "li",
              { key: id },
              h(
                "a",
                { href: address({ id, view: null }), "data-item": "" },
                h("strong", null, name),
                h("span", { class: "hint" }, `Deleted ${ago(since)}`),
              ),
              h(
                "button",
                { type: "button", "aria-label": `Restore ${name}`, onclick: () => act([id], name) },
                icon("restore"),
                h("span", null, "Restore"),
              ),
            ),
          ),
      ),
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
      !rows.length && empty("The trash is empty", { picture: "trash", words: "Deleted notes stay here for a while and can be restored." }),
    ],
  });
}
