// Adds something from any page: a note, a contact, a task.
import { todayText } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { deliver } from "/assets/components/outbox.js";
import { create, h, patch } from "/assets/components/patch.js";
import { filled, operationID } from "/assets/components/queue.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";

/**
 * What the plugins declare.
 * @type {{ words: string, icon: string, label: string, path: string, body?: string }[]}
 */
const additions = JSON.parse(document.body.dataset.additions ?? "[]");
// What was added last is what is offered first.
const place = "hub-added";
let isOpen = false;

/**
 * Opens the dialog that asks what to add.
 * @param {string | null} [wanted] the words of what is chosen at first
 * @param {string} [text] what is in the field at first
 */
export async function openAdd(wanted = null, text = "") {
  if (isOpen || !additions.length) return;
  const typed = additions.filter(({ body }) => body);
  const others = additions.filter(({ body }) => !body);
  const first = [wanted, localStorage.getItem(place)].map((known) => typed.find(({ words }) => words === known)).find(Boolean);
  let chosen = first ?? typed[0] ?? null;
  const form = create(h("form", { class: "form add", method: "dialog" }));

  /** @param {{ words: string }} one */
  const choose = (one) => {
    chosen = typed.find(({ words }) => words === one.words) ?? chosen;
    draw();
  };
  const draw = () =>
    patch(
      form,
      chosen &&
        h(
          "fieldset",
          { class: "add-kinds" },
          h("legend", { class: "visually-hidden" }, "What to add"),
          typed.map((one) =>
            h(
              "label",
              { class: "add-kind", key: one.words },
              h("input", {
                type: "radio",
                name: "kind",
                class: "visually-hidden",
                value: one.words,
                checked: one === chosen,
                onchange: () => choose(one),
                // Arrow keys go on among the kinds; a pointer has chosen.
                onclick: (event) => event.detail > 0 && form.querySelector("#add-text").focus(),
              }),
              icon(one.icon),
              h("span", null, one.words),
            ),
          ),
        ),
      chosen &&
        h(
          "div",
          { class: "field", key: "field" },
          h("label", { for: "add-text" }, chosen.label),
          h("input", {
            id: "add-text",
            type: "text",
            value: text,
            dir: "auto",
            autocomplete: "off",
            maxlength: 200,
            required: true,
            autofocus: true,
          }),
        ),
      h(
        "div",
        { class: "actions", key: "actions" },
        chosen && h("button", { value: "add", class: "main" }, "Add"),
        h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      ),
      others.length > 0 &&
        h(
          "p",
          { class: "add-others", key: "others" },
          others.map((one) =>
            h("a", { class: "button", href: one.path, onclick: () => dialog.close() }, icon(one.icon), h("span", null, one.words)),
          ),
        ),
    );
  const dialog = makeDialog("add", "Add", form);
  draw();
  isOpen = true;
  const answer = await ask(dialog);
  isOpen = false;
  const words = /** @type {HTMLInputElement | null} */ (form.querySelector("#add-text"))?.value.trim();
  if (answer === "add" && chosen && words) await send(chosen, words);
}

/**
 * @param {{ words: string, path: string, body?: string }} addition
 * @param {string} text
 */
async function send(addition, text) {
  localStorage.setItem(place, addition.words);
  const words = `“${text}” added.`;
  try {
    const body = filled(addition.body ?? "{}", { text, today: todayText(), key: operationID() });
    const answer = await deliver("POST", addition.path, body, words);
    if (!answer) return;
    const plugin = addition.path.split("/")[2];
    const id = answer.body?.id;
    const open = id && h("a", { class: "button", href: `/${plugin}?id=${encodeURIComponent(id)}` }, "Open");
    tell(words, { operation: answer.operation, actions: open ? [open] : [] });
  } catch (error) {
    tellError(error);
  }
}
