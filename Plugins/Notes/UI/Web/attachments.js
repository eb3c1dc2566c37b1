// The files of a note: shown, saved, and added where the caret is.
import { fileSize } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { sendFile } from "/assets/components/files.js";
import { h } from "/assets/components/patch.js";
import { number } from "/assets/components/format.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { mediaAddress, sendJSON } from "/assets/hub.js";
import { toast } from "/assets/toast.js";

const path = (id, rest = "") => `/api/notes/${encodeURIComponent(id)}/attachments${rest}`;

/**
 * The address of a file's content.
 * @param {string} id
 * @param {Notes.Attachment} file
 * @returns {string}
 */
export const fileAddress = (id, file) => path(id, `/${file.sha256}`);

// A target as it is compared: with and without percent escapes it means the same file.
function plain(target) {
  try {
    return decodeURIComponent(target).normalize();
  } catch {
    return target.normalize();
  }
}

/**
 * The attachment that a target in the text leads to.
 * @param {Notes.Attachment[] | null | undefined} attachments
 * @param {string} target
 * @returns {Notes.Attachment | undefined}
 */
export function fileOf(attachments, target) {
  const wanted = plain(target);
  return (attachments ?? []).find(({ targets }) => targets.some((known) => plain(known) === wanted));
}

/**
 * Saves a file of a note on this device.
 * @param {string} id
 * @param {Notes.Attachment} file
 * @returns {Promise<void>}
 */
export async function saveAttachment(id, file) {
  try {
    const link = document.createElement("a");
    link.href = await mediaAddress(fileAddress(id, file));
    link.download = file.name;
    link.click();
  } catch (error) {
    tellError(error);
  }
}

/**
 * The files of a note as a list, from which they are saved and removed.
 * @param {{ id: string, attachments?: Notes.Attachment[], deleted_at?: string | null, locked?: boolean }} note
 * @param {{ removed?: () => unknown }} options
 * @returns {Hub.Child}
 */
export function fileList(note, { removed = () => {} } = {}) {
  const files = note?.attachments ?? [];
  return (
    files.length > 0 &&
    h(
      "section",
      { class: "files", key: "files", "aria-label": "Attachments" },
      h(
        "ul",
        null,
        files.map((file) =>
          h(
            "li",
            { key: file.path },
            h(
              "button",
              { type: "button", class: "file", onclick: () => saveAttachment(note.id, file), title: `Save ${file.name}` },
              icon("download", { size: "small" }),
              h("span", { class: "file-name" }, file.name),
              h("span", { class: "hint" }, fileSize(file.size_bytes)),
            ),
            !note.deleted_at && !note.locked && iconButton("trash", `Remove ${file.name}`, () => remove(note, file, removed)),
          ),
        ),
      ),
    )
  );
}

async function remove(note, file, removed) {
  try {
    const { operation } = await sendJSON("DELETE", fileAddress(note.id, file));
    tell(`${file.name} removed.`, { operation });
    removed();
  } catch (error) {
    tellError(error);
  }
}

/**
 * Attaches files to the note that `save()` makes or knows, with links at the caret of `area`, each on a line of its own. A mark stands for
 * a file that is on its way.
 * @param {File[]} files
 * @param {any} area the text area of field.js
 * @param {() => Promise<string | null>} save
 * @returns {Promise<void>}
 */
export async function attachFiles(files, area, save) {
  let before = "";
  for (const file of files) {
    const mark = `${before}[Uploading ${file.name.replaceAll(/[[\]\n]/g, " ")}…]()`;
    area.insert(mark);
    const replace = (words) => {
      const at = area.text.indexOf(mark);
      if (at >= 0) area.insert(words, at, at + mark.length);
      else if (words) area.insert(words);
    };
    try {
      const id = await save();
      if (id === null) throw new Error("The note could not be saved.");
      const { body } = await sendFile(path(id), file, {
        sent: (share) => toast(`Attaching ${file.name}: ${number(share, { style: "percent" })}`),
      });
      replace(before + body.link);
      before = "\n";
    } catch (error) {
      replace("");
      tellError(error);
    }
  }
  await save();
}
