// Records from files: dropped on the page, or chosen, and sent in pieces, since an hour of sound is large.
import { chooseFiles, sendFile } from "/assets/components/files.js";
import { counted, fileSize, number } from "/assets/components/format.js";
import { labelledButton, icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { toast } from "/assets/toast.js";
import { address, go } from "/dictofun/page.js";

const accepted = "audio/*,.wav,.flac,.ogg,.oga,.opus,.mp3,.m4a,.aac,.amr,.3gp,.aiff,.wma,.webm";

/**
 * What is shown while there are no records: the ways to begin.
 * @returns {Hub.Description}
 */
export const firstUse = () =>
  empty("Your voice records", {
    picture: "microphone",
    words: "Drop a voice memo from your phone here: m4a, MP3, Opus, FLAC, WAV. Or pair a Dictofun recorder.",
    actions: [
      labelledButton("upload", "Import voice memos…", chooseImport, { class: "main" }),
      h("a", { class: "button", href: address({ id: null, view: "recorders" }) }, icon("add"), "Pair a recorder"),
    ],
  });

/** Asks for files and imports them. */
export async function chooseImport() {
  await importFiles(await chooseFiles({ accept: accepted, isMultiple: true }));
}

const send = (file) =>
  sendFile("/api/dictofun/import", file, {
    fields: { changed: file.lastModified },
    sent: (share) => toast(`Importing ${file.name}: ${number(share, { style: "percent" })}`),
  });

/**
 * Imports files, one operation each, and shows the last one.
 * @param {File[]} files
 * @returns {Promise<void>}
 */
export async function importFiles(files) {
  let last = null;
  let known = 0;
  for (const [place, file] of files.entries()) {
    toast(`Importing ${file.name} (${fileSize(file.size)})…`);
    try {
      const { body, operation } = await send(file);
      last = body.id;
      if (body.outcome !== "new") known += 1;
      const remarks = body.notes.length ? ` (${body.notes.join(", ")})` : "";
      tell(body.outcome === "new" ? `${file.name} imported${remarks}.` : `${file.name} was already imported.`, {
        operation: body.outcome === "new" ? operation : null,
      });
      if (place === files.length - 1 && files.length > 1)
        tell(`${counted(files.length, "file")} imported${known ? `, ${number(known)} of them known` : ""}.`);
    } catch (error) {
      tellError(error);
      break;
    }
  }
  if (last) await go({ id: last }, { focus: files.length === 1 ? "heading" : null });
}
