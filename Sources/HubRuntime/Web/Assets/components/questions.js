// Questions with fields, in a dialog.
import { create, h } from "/assets/components/patch.js";
import { ask, makeDialog } from "/assets/dialog.js";

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
