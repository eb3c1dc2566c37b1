// The history of a contact, newest first.
import { momentWords, sentence } from "/assets/components/format.js";
import { create, h } from "/assets/components/patch.js";
import { tellError } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";
import { getJSON } from "/assets/hub.js";

const verbs = { made: "Created", changed: "Changed", removed: "Moved to the trash", restored: "Restored", destroyed: "Deleted" };

/**
 * Shows who changed what and when.
 * @param {Contacts.Contact} contact
 * @returns {Promise<void>}
 */
export async function showHistory(contact) {
  try {
    const rows = await getJSON(`/api/contacts/${encodeURIComponent(contact.id)}/history`);
    const items = rows.map(({ at, who, verb, changes }) =>
      h(
        "li",
        null,
        h("strong", null, verbs[verb] ?? sentence(verb)),
        " ",
        h("time", { datetime: at, class: "hint" }, momentWords(at)),
        who && who !== "user" && h("span", { class: "hint" }, ` by ${who}`),
        changes.length > 0 && h("p", null, changes.join(", ")),
      ),
    );
    await ask(
      makeDialog(
        "history",
        `History of ${contact.name}`,
        create(items.length ? h("ol", { class: "history" }, items) : h("p", null, "History does not go back to the last change.")),
        create(h("form", { method: "dialog", class: "actions" }, h("button", { autofocus: true }, "Close"))),
      ),
    );
  } catch (error) {
    tellError(error);
  }
}
