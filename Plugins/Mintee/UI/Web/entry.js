// Asking why a day is skipped, and for a note.
import { ask, makeDialog } from "/assets/dialog.js";
import { key, make } from "/assets/dom.js";

async function askText(id, title, label, value, verb) {
  const field = make("textarea", { id: `${id}-text`, rows: "3", maxlength: "10000", autofocus: true, keydown: (event) => {
    if (event.key === "Enter" && event.ctrlKey) form.requestSubmit(keep);
  } });
  field.value = value;
  const keep = make("button", { value: "keep", class: "main" }, verb + " ", key("Ctrl Enter"));
  const form = make("form", { method: "dialog", class: "fields" }, make("label", { for: field.id, text: label }), field,
    make("p", { class: "actions" }, keep, make("button", { value: "" }, "Cancel ", key("Esc"))));
  return (await ask(makeDialog(id, title, form))) === "keep" ? field.value.trim() : null;
}

/** The reason for skipping a day of a task, which may be empty; null when it is not to be skipped. */
export const askSkip = (name) => askText("skip", `Skip ${name}`, "Why? The day counts neither way.", "", "Skip");

/** The note of a day; null when it is to stay as it is. */
export const askNote = (name, note) => askText("note", `Note for ${name}`, "Note; empty takes it away", note, "Save");
