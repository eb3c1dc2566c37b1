// What is done with notes besides writing, and besides what every page does with its items: pin and move.
import { textField } from "/assets/components/fields.js";
import { counted } from "/assets/components/format.js";
import { answered } from "/assets/components/questions.js";
import { undoable } from "/assets/components/undoable.js";

const these = (count) => counted(count, "note");

/**
 * Shows notes first in the list, or no longer.
 * @param {string[]} ids
 * @param {boolean} pinned
 */
export const pin = (ids, pinned) =>
  undoable("POST", "/api/notes/pin", { ids, pinned }, `${these(ids.length)} ${pinned ? "pinned" : "unpinned"}.`);

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
