// Contacts from files: dropped on the page, or chosen.
import { chooseFiles } from "/assets/components/files.js";
import { counted, fileSize, listed, number, sentence } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { create, h } from "/assets/components/patch.js";
import { toast } from "/assets/toast.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";
import { sendBytes } from "/assets/hub.js";
import { address } from "/contacts/page.js";

const accepted = ".vcf,.vcard,.csv,.json,.ldif,text/vcard,text/csv";

/**
 * The ways to begin while there are no contacts.
 * @returns {Hub.Description[]}
 */
export const firstSteps = () => [
  h("button", { type: "button", class: "main", onclick: chooseImport }, icon("upload"), "Import a file…"),
  h("a", { class: "button", href: address({ id: null, view: "new" }) }, icon("add"), "New contact"),
];

/** Asks for files and imports them. */
export async function chooseImport() {
  await importFiles(await chooseFiles({ accept: accepted, isMultiple: true }));
}

/**
 * Imports files, one operation each.
 * @param {File[]} files
 * @returns {Promise<void>}
 */
export async function importFiles(files) {
  for (const file of files) {
    toast(`Importing ${file.name} (${fileSize(file.size)})…`);
    try {
      const { body, operation } = await sendBytes("POST", "/api/contacts/import?" + new URLSearchParams({ name: file.name }), file);
      tell(summary(file.name, body), {
        operation: body.new + body.updated ? operation : null,
        actions: body.skipped ? [h("button", { type: "button", onclick: () => explain(file.name, body) }, "Why?")] : [],
      });
    } catch (error) {
      tellError(error);
      return;
    }
  }
}

function summary(name, { new: added, updated, unchanged, skipped }) {
  const parts = [
    added && `${number(added)} new`,
    updated && `${number(updated)} updated`,
    unchanged && `${number(unchanged)} already known`,
    skipped && `${number(skipped)} skipped`,
  ];
  return `${name}: ${listed(parts.filter(Boolean), "unit") || "no contacts"}.`;
}

function explain(name, { problems, notes, skipped }) {
  return ask(
    makeDialog(
      "skipped",
      `${counted(skipped, "entry", "entries")} of ${name} skipped`,
      create(
        h(
          "ul",
          null,
          [...problems, ...notes].map((line) => h("li", null, sentence(line))),
        ),
      ),
      create(h("form", { method: "dialog", class: "actions" }, h("button", { autofocus: true }, "Close"))),
    ),
  );
}
