// The trash of notes, with Restore.
import { ago } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { trashView } from "/assets/components/trashview.js";
import { restore } from "/notes/actions.js";
import { page } from "/notes/page.js";

/** Shows what is in the trash, last removed first. */
export const drawTrash = () =>
  trashView({
    page,
    plugin: "notes",
    noun: "note",
    name: (/** @type {Notes.Deleted} */ note) => note.name,
    row: ({ name, deleted_at: since }) => [h("strong", null, name), h("span", { class: "hint" }, `Deleted ${ago(since)}`)],
    restore: (items) =>
      restore(
        items.map(({ id }) => id),
        items.length > 1 ? null : items[0].name,
      ),
    words: "Deleted notes stay here for a while and can be restored.",
  });
