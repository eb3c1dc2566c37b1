// What is done with notes besides writing, and besides what every page does with its items: pin and move.
import { textField } from "/assets/components/fields.js";
import { counted } from "/assets/components/format.js";
import { answered } from "/assets/components/questions.js";
import { create, h } from "/assets/components/patch.js";
import { tellError, undoable } from "/assets/components/undoable.js";
import { choose } from "/assets/dialog.js";
import { sendJSON } from "/assets/hub.js";

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
  const move = { ids: [note.id], folder: folder.read() };
  const updates = await sendJSON("POST", "/api/notes/move/links", move).catch(tellError);
  if (!updates) return;
  const { body } = updates;
  if (body.length && !(await confirmLinks(`Move and update ${counted(linkCount(body), "link")}?`, body, "Move"))) return;
  await undoable("POST", "/api/notes/move", move, move.folder ? `Moved to ${move.folder}.` : "Moved out of its folder.");
}

/**
 * The number of links in a list of changes.
 * @param {Notes.LinkUpdate[]} updates
 * @returns {number}
 */
export const linkCount = (updates) => updates.reduce((sum, { count }) => sum + count, 0);

/**
 * Shows changes of links, and asks for them.
 * @param {string} title
 * @param {Notes.LinkUpdate[]} updates
 * @param {string} words
 * @returns {Promise<boolean>}
 */
export async function confirmLinks(title, updates, words) {
  const lines = updates.map(
    ({ note, old, new: now, count }) =>
      `${note}: ${old} ${now === null ? "leads elsewhere then" : `→ ${now}`}${count > 1 ? ` (${count} times)` : ""}`,
  );
  const list = h(
    "ul",
    null,
    lines.map((line) => h("li", null, line)),
  );
  const choices = [
    { value: "", words: "Cancel" },
    { value: "update", words, class: "main" },
  ];
  return (await choose({ title, content: [create(list)], choices })) === "update";
}
