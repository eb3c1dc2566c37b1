// A note for others and for other programs: its public link, and the note as a file.
import { download, saveFile } from "/assets/components/download.js";
import { create, h } from "/assets/components/patch.js";
import { tell, tellError, undoable } from "/assets/components/undoable.js";
import { choose } from "/assets/dialog.js";
import { sendJSON } from "/assets/hub.js";
import { toast } from "/assets/toast.js";

const pathOf = (note, part) => `/api/notes/${encodeURIComponent(note.id)}/${part}`;

/**
 * Makes a link with which everyone can read a note, after a question, or shows the one that it has.
 * @param {Notes.Note} note
 * @returns {Promise<void>}
 */
export async function publicLink(note) {
  if (!note.public_url) {
    const text = "Everyone who has the link can read this note, with its pictures, as it is then. No account is needed.";
    const choices = [
      { value: "", words: "Cancel" },
      { value: "publish", words: "Make a link", class: "main" },
    ];
    if (!(await choose({ title: `Public link to ${note.name}`, text, choices }))) return;
  }
  // A note that has a link keeps it.
  const made = await sendJSON("POST", pathOf(note, "publish"), {}).catch(tellError);
  if (!made) return;
  if (!note.public_url) tell("Public link made.", { operation: made.operation });
  await showLink(note, made.body);
}

async function showLink(note, { url, served }) {
  const warning = "It works only while the notes server of this machine runs, which is off.";
  const content = [
    h("p", null, h("a", { href: url, target: "_blank", rel: "noreferrer", class: "public-link" }, url)),
    ...(served ? [] : [h("p", { class: "callout" }, warning)]),
  ];
  const choices = [
    { value: "", words: "Close" },
    { value: "remove", words: "Remove the link", class: "danger" },
    { value: "copy", words: "Copy", class: "main" },
  ];
  const chosen = await choose({ title: `Public link to ${note.name}`, content: content.map((one) => create(one)), choices });
  if (chosen === "copy") await navigator.clipboard.writeText(url).then(() => toast("Link copied."), tellError);
  if (chosen === "remove") await undoable("DELETE", pathOf(note, "publish"), {}, "Public link removed. It no longer works.");
}

/**
 * Saves a note as a file, in a form that is asked for. `texts` is what is in the fields now.
 * @param {Notes.Note} note
 * @param {{ title: string, content: string }} texts
 * @returns {Promise<void>}
 */
export async function saveAs(note, { title, content }) {
  const forms = [
    ["Markdown", "md"],
    ["Web page", "html"],
    ["PDF", "pdf"],
    ["Plain text", "txt"],
  ];
  const choices = forms.map(([words, value]) => ({ value, words }));
  const form = await choose({ title: `Save ${note.name}`, text: "A web page has the pictures inside.", id: "save-as", choices });
  if (form === "md") saveFile(new Blob([title ? `# ${title}\n\n${content}` : content], { type: "text/markdown" }), `${note.name}.md`);
  else if (form) await download(`${pathOf(note, "export")}?as=${form === "txt" ? "text" : form}`, `${note.name}.${form}`);
}
