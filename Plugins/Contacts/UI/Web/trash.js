// The trash of contacts, with Restore.
import { avatar } from "/assets/components/avatar.js";
import { ago, counted } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { trashView } from "/assets/components/trashview.js";
import { restore } from "/contacts/card.js";
import { page } from "/contacts/page.js";

/** Shows what is in the trash, last removed first. */
export const drawTrash = () =>
  trashView({
    page,
    plugin: "contacts",
    noun: "contact",
    name: (/** @type {Contacts.Deleted} */ contact) => contact.name,
    row: ({ name, deleted_at: since, merged_into: into }) => [
      avatar(name),
      h("span", { class: "words" }, h("strong", null, name), h("span", { class: "hint" }, `${into ? "Merged" : "Deleted"} ${ago(since)}`)),
    ],
    restore: (items) =>
      restore(
        items.map(({ id }) => id),
        items.length > 1 ? counted(items.length, "contact") : items[0].name,
      ),
    words: "Deleted contacts stay here for a while and can be restored.",
  });
