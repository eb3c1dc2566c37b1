// What is done with notes besides writing: pin, tag, move, delete, restore.
import { textField } from "/assets/components/fields.js";
import { counted } from "/assets/components/format.js";
import { create, h } from "/assets/components/patch.js";
import { undoable } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";

const these = (count) => counted(count, "note");

/**
 * Shows notes first in the list, or no longer.
 * @param {string[]} ids
 * @param {boolean} pinned
 */
export const pin = (ids, pinned) =>
  undoable("POST", "/api/notes/pin", { ids, pinned }, `${these(ids.length)} ${pinned ? "pinned" : "unpinned"}.`);

/**
 * Moves notes to the trash; gives whether it was done.
 * @param {string[]} ids
 * @param {string | null} [name]
 * @returns {Promise<boolean>}
 */
export async function removeNotes(ids, name = null) {
  return (await undoable("POST", "/api/notes/trash", { ids }, ({ notes }) => `${name ?? these(notes)} moved to the trash.`)) !== null;
}

/**
 * Restores notes from the trash.
 * @param {string[]} ids
 * @param {string | null} [name]
 */
export const restore = (ids, name = null) =>
  undoable("POST", "/api/notes/restore", { ids }, ({ notes }) => `${name ?? these(notes)} restored.`);

/**
 * A button that closes its dialog; not the one that Enter presses.
 * @returns {Hub.Description}
 */
export const cancel = () => h("button", { type: "button", onclick: (event) => event.currentTarget.closest("dialog").close("") }, "Cancel");

/**
 * Asks with fields in a dialog; returns whether they are to be used.
 * @param {string} id
 * @param {string} title
 * @param {Hub.Field[]} fields
 * @param {string} [words]
 * @returns {Promise<boolean>}
 */
export async function answered(id, title, fields, words = "Save") {
  const form = create(
    h(
      "form",
      { method: "dialog", class: "form" },
      fields.map(({ element }) => element),
      h("div", { class: "actions" }, cancel(), h("button", { value: "save", class: "main" }, words)),
    ),
  );
  fields[0].input().autofocus = true;
  return (await ask(makeDialog(id, title, form))) === "save";
}

/**
 * Asks which tags to add and which to take away.
 * @param {string[]} ids
 * @param {Notes.TagOptions} options
 * @returns {Promise<void>}
 */
export async function tagNotes(ids, { field, known }) {
  const offers = async () => known.map(({ name }) => name);
  const [add, remove] = [field({ name: "add", label: "Add tags", offers }), field({ name: "remove", label: "Remove tags", offers })];
  if (!(await answered("tagging", `Tags of ${these(ids.length)}`, [add, remove]))) return;
  await undoable("POST", "/api/notes/tags", { ids, add: add.read(), remove: remove.read() }, ({ notes }) =>
    notes ? `Tags of ${these(notes)} changed.` : "These notes already had these tags.",
  );
}

/**
 * Asks for the tags of one note.
 * @param {Notes.Note} note
 * @param {Notes.TagOptions} options
 * @returns {Promise<void>}
 */
export async function editTags(note, { field, known }) {
  const tags = field({
    name: "tags",
    label: "Tags",
    hint: "Enter or a comma adds one.",
    value: note.tags,
    offers: async () => known.map(({ name }) => name),
  });
  if (!(await answered("tagging", `Tags of ${note.name}`, [tags]))) return;
  const now = tags.read();
  const [add, remove] = [now.filter((tag) => !note.tags.includes(tag)), note.tags.filter((tag) => !now.includes(tag))];
  if (add.length || remove.length) await undoable("POST", "/api/notes/tags", { ids: [note.id], add, remove }, "Tags changed.");
}

/**
 * Asks for the folder of a note.
 * @param {Notes.Note} note
 * @returns {Promise<void>}
 */
export async function moveNote(note) {
  const folder = textField({ name: "folder", label: "Folder", hint: "Such as work/ideas; empty for none.", value: note.folder });
  if (!(await answered("moving", `Move ${note.name}`, [folder], "Move"))) return;
  await undoable(
    "POST",
    "/api/notes/move",
    { ids: [note.id], folder: folder.read() },
    folder.read() ? `Moved to ${folder.read()}.` : "Moved out of its folder.",
  );
}
