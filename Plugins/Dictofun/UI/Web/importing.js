// Records from files: dropped on the page, or chosen, and sent in pieces, since an hour of sound is large.
import { chooseFiles, sendFile } from "/assets/components/files.js";
import { counted, fileSize, number, sentence } from "/assets/components/format.js";
import { labelledButton, icon } from "/assets/components/icons.js";
import { create, h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { choose } from "/assets/dialog.js";
import { clearToast, toast } from "/assets/toast.js";
import { address, go } from "/dictofun/page.js";
import { recordButton } from "/dictofun/recording.js";

const accepted = "audio/*,.wav,.flac,.ogg,.oga,.opus,.mp3,.m4a,.aac,.mp4,.caf,.amr,.3gp,.aiff,.au,.w64,.wma,.webm";

/**
 * What is shown while there are no records: the ways to begin.
 * @returns {Hub.Description}
 */
export const firstUse = () =>
  empty("Your voice memos", {
    picture: "microphone",
    words: "Record one here, or drop voice memos of your phone: m4a, MP3, Opus, FLAC, WAV. Or pair a Dictofun recorder.",
    actions: [
      recordButton(),
      labelledButton("upload", "Import voice memos…", chooseImport),
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
    resumes: true,
    sent: (share) => toast(`Importing ${file.name}: ${number(share, { style: "percent" })}`),
    waiting: () => toast(`Importing ${file.name} continues as soon as hub responds.`),
  });

/** Sends a file; returns what came of it, with the error if it failed. */
async function importFile(file) {
  toast(`Importing ${file.name} (${fileSize(file.size)})…`);
  try {
    const { body, operation } = await send(file);
    return { file, body, operation, error: null };
  } catch (error) {
    return { file, body: null, operation: null, error };
  }
}

const reasonOf = (error) =>
  [error.message, ...(error.details ?? []), error.hint]
    .filter(Boolean)
    .map((words) => sentence(words))
    .join(" ");

const outcomeOf = ({ body, error }) => {
  if (error) return reasonOf(error);
  if (body.outcome !== "new") return "Already imported.";
  return body.notes.length ? `Imported: ${body.notes.join(", ")}.` : "Imported.";
};

/** Says what came of several files, each by its name when one of them failed. */
async function tellAll(results) {
  const failures = results.filter(({ error }) => error);
  const known = results.filter(({ body }) => body && body.outcome !== "new").length;
  const imported = counted(results.length - failures.length, "file");
  if (!failures.length) return tell(`${imported} imported${known ? `, ${number(known)} of them known` : ""}.`);
  clearToast();
  const rows = results.map((result) =>
    h("li", { class: result.error ? "wrong" : "" }, h("strong", null, result.file.name), h("span", null, outcomeOf(result))),
  );
  await choose({
    id: "import-results",
    title: `${imported} of ${number(results.length)} imported`,
    content: [create(h("ul", { class: "import-results scroll" }, rows))],
    choices: [{ value: "", words: "Close" }],
  });
}

function tellOne({ file, body, operation, error }) {
  if (error) return tellError({ ...error, message: `${file.name}: ${error.message}` });
  const remarks = body.notes.length ? ` (${body.notes.join(", ")})` : "";
  tell(body.outcome === "new" ? `${file.name} imported${remarks}.` : `${file.name} was already imported.`, {
    operation: body.outcome === "new" ? operation : null,
  });
}

/**
 * Imports files, one operation each, says what came of each, and shows the last one.
 * @param {File[]} files
 * @returns {Promise<void>}
 */
export async function importFiles(files) {
  const results = [];
  for (const file of files) results.push(await importFile(file));
  if (results.length === 1) tellOne(results[0]);
  else if (results.length > 1) await tellAll(results);
  const last = results.findLast(({ body }) => body)?.body.id;
  if (last) await go({ id: last }, { focus: files.length === 1 ? "heading" : null });
}
