// Dialogs: questions that are answered before anything else, and small forms in front of a view.
import { create, h } from "/assets/components/patch.js";

/**
 * Shows `dialog` until it is closed; gives its return value, "" when it was left by Escape or by a click beside it.
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>}
 */
export function ask(dialog) {
  document.body.append(dialog);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener(
      "close",
      () => {
        dialog.remove();
        done(dialog.returnValue);
      },
      { once: true },
    );
  });
}

/**
 * A dialog with a heading; `id` names it.
 * @param {string} id
 * @param {string} title
 * @param {...Node} children
 * @returns {HTMLDialogElement}
 */
export function makeDialog(id, title, ...children) {
  return create(h("dialog", { id, "aria-labelledby": `${id}-title`, closedby: "any" }, h("h2", { id: `${id}-title` }, title), children));
}

/**
 * Asks to choose one of `choices`, the first of which is the careful one; gives its value, "" for none.
 * @param {{ title: string, text?: string | null, id?: string, choices: Hub.Choice[], content?: Node[] }} question
 * @returns {Promise<string>}
 */
export function choose({ title, text = null, id = "question", choices, content = [] }) {
  const buttons = choices.map(({ value, words, ...properties }, place) =>
    h("button", { value, autofocus: place === 0, ...properties }, words),
  );
  const actions = create(h("form", { method: "dialog", class: "actions" }, buttons));
  return ask(makeDialog(id, title, ...(text ? [create(h("p", null, text))] : []), ...content, actions));
}
