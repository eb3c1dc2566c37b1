// Shows the last action in a line that stays until the next one, with an undo button.
import { sendJSON } from "/assets/hub.js";

const box = document.createElement("div");
box.id = "hub-toast";
box.setAttribute("role", "status");
document.body.append(box);
let latest = null;

function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.append(...words);
  made.addEventListener("click", act);
  return made;
}

function key(name) {
  const made = document.createElement("kbd");
  made.textContent = name;
  return made;
}

/** Shows `words`. `operation` is what the button undoes; with `isUndo` it was an undo itself. */
export function tell(words, { operation = null, isUndo = false, isError = false } = {}) {
  latest = operation && { operation, isUndo };
  const text = document.createElement("span");
  text.textContent = words;
  const parts = [text];
  if (operation) parts.push(button([isUndo ? "Redo " : "Undo ", key("u")], takeBack));
  parts.push(button(["Close"], () => box.replaceChildren()));
  box.classList.toggle("wrong", isError);
  box.replaceChildren(...parts);
}

/** Shows an error. */
export function tellError(error) {
  tell(["Not done:", error.message, ...error.details, error.hint].filter(Boolean).join(" "), { isError: true });
}

/** Undoes the shown operation; undoing an undo redoes it. The page receives `hub-undone` on `document`. */
export async function takeBack() {
  if (!latest) return;
  const { operation, isUndo } = latest;
  latest = null;
  try {
    const answer = await sendJSON("POST", "/api/undo", { operation });
    tell(isUndo ? "Redone." : "Undone.", { operation: answer.operation, isUndo: !isUndo });
    document.dispatchEvent(new Event("hub-undone"));
  } catch (error) {
    tellError(error);
  }
}
