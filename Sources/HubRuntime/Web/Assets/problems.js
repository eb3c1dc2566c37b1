// Shows the error in a value next to its field.
import { create, h } from "/assets/components/patch.js";

/**
 * Says below `input` what is wrong with it.
 * @param {HTMLElement} input
 * @param {string} words
 */
export function mark(input, words) {
  unmark(input);
  const note = create(h("p", { class: "problem", id: input.id + "-problem" }, "✗ " + words));
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", [note.id, input.dataset.hint].filter(Boolean).join(" "));
  (input.closest("label.check")?.parentElement ?? input.closest(".date-parts") ?? input).after(note);
}

/**
 * Takes that away again.
 * @param {HTMLElement} input
 */
export function unmark(input) {
  document.getElementById(input.id + "-problem")?.remove();
  input.removeAttribute("aria-invalid");
  if (input.dataset.hint) input.setAttribute("aria-describedby", input.dataset.hint);
  else input.removeAttribute("aria-describedby");
}

/**
 * Takes all of it away inside `element`.
 * @param {HTMLElement} element
 */
export function unmarkAll(element) {
  for (const input of element.querySelectorAll("[aria-invalid]")) unmark(input);
}

/**
 * The words of one problem of a HubError.
 * @param {Hub.Problem} problem
 * @returns {string}
 */
export const wordsOf = (problem) => [problem.message, problem.hint].filter(Boolean).join(": ");
