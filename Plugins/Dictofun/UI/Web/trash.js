// The trash of records, with Restore.
import { ago } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { trashView } from "/assets/components/trashview.js";
import { page } from "/dictofun/page.js";
import { restore } from "/dictofun/record.js";
import { clock, titleOf } from "/dictofun/words.js";

/** Shows what is in the trash, last removed first. */
export const drawTrash = () =>
  trashView({
    page,
    plugin: "dictofun",
    noun: "record",
    name: (/** @type {Dictofun.Deleted} */ record) => titleOf(record),
    row: (record) => [
      h("strong", null, titleOf(record)),
      h("span", { class: "hint" }, `${clock(record.length_ms)} · deleted ${ago(record.deleted_at)}`),
    ],
    restore: (items) => restore(items.map(({ id }) => id)),
    words: "Deleted records stay here for a while and can be restored. They are not fetched from a recorder again.",
  });
