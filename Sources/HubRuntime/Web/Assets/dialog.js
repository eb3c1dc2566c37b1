// Dialogs: questions that are answered before anything else, and small forms in front of a view.
import { make } from "/assets/dom.js";

/** Shows `dialog` until it is closed; gives its return value, "" when it was left by Escape or by a click beside it. */
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

/** A dialog with a heading; `id` names it. */
export function makeDialog(id, title, ...children) {
  return make(
    "dialog",
    { id, "aria-labelledby": `${id}-title`, closedby: "any" },
    make("h2", { id: `${id}-title`, text: title }),
    ...children,
  );
}

/** Asks to choose one of `choices`, the first of which is the careful one; gives its value, "" for none. */
export function choose({ title, text = null, id = "question", choices, content = [] }) {
  const buttons = choices.map(({ value, words, ...properties }, place) =>
    make("button", { value, autofocus: place === 0, ...properties }, words),
  );
  return ask(
    makeDialog(id, title, text && make("p", { text }), ...content, make("form", { method: "dialog", class: "actions" }, ...buttons)),
  );
}
