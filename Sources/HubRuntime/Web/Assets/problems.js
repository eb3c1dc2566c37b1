// Shows the error in a value next to its field.
import { make } from "/assets/dom.js";

/** Says below `input` what is wrong with it. */
export function mark(input, words) {
  unmark(input);
  const note = make("p", { class: "problem", id: input.id + "-problem", text: "✗ " + words });
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", [note.id, input.dataset.hint].filter(Boolean).join(" "));
  (input.closest("label.check")?.parentElement ?? input.closest(".date-parts") ?? input).after(note);
}

/** Takes that away again. */
export function unmark(input) {
  document.getElementById(input.id + "-problem")?.remove();
  input.removeAttribute("aria-invalid");
  if (input.dataset.hint) input.setAttribute("aria-describedby", input.dataset.hint);
  else input.removeAttribute("aria-describedby");
}

/** Takes all of it away inside `element`. */
export function unmarkAll(element) {
  for (const input of element.querySelectorAll("[aria-invalid]")) unmark(input);
}

/** The words of one problem of a HubError. */
export const wordsOf = (problem) => [problem.message, problem.hint].filter(Boolean).join(": ");

/** The message below a form that was not saved; with `isMarked` the fields show the details. */
export function refusal(error, isMarked) {
  return ["✗ Not saved:", error.message + ".", ...(isMarked ? [] : error.details), error.hint].filter(Boolean).join(" ");
}
