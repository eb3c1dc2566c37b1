// What the forms of tasks and analyses have in common: saving, what is refused, and leaving.
import { key, make } from "/assets/dom.js";
import { mark, refusal, unmark, unmarkAll, wordsOf } from "/assets/problems.js";
import { article, guardLeaving, heading, redraw } from "/mintee/page.js";

// The form that is open.
let open = null;

/** Whether a form is shown. */
export const isOpen = () => open !== null && article.contains(open.element);

/**
 * Shows a form. `parts` are its fields by the names of problems, each with `element` and `first()`, the input that a
 * problem stands at; `read()` gives all that is sent, `save(value)` sends it and calls `closeForm()` before it tells of it,
 * `leave()` goes away without.
 */
export function openForm({ title, back, parts, read, save, leave, more = [] }) {
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const element = make("form", { class: "fields", novalidate: true,
    submit: (event) => { event.preventDefault(); submit(); },
    input: (event) => {
      problem.hidden = true;
      if (event.target.ariaInvalid) unmark(event.target);
    } },
  ...new Set(Object.values(parts).map((part) => part.element)), problem,
  make("p", { class: "actions" },
    make("button", { type: "submit", class: "main" }, "Save ", key("Ctrl Enter")),
    make("button", { type: "button", click: leave }, "Cancel ", key("Esc")), ...more));
  open = { element, parts, problem, read, save, leave, isBusy: false };
  redraw(heading(title, { takesFocus: false, back }), element);
  open.untouched = JSON.stringify(read());
  guardLeaving(() => isOpen() && JSON.stringify(open.read()) !== open.untouched);
  Object.values(parts)[0].first().focus();
}

/** Leaves the form; asks when something typed would be lost. */
export const cancel = () => open.leave();

/** Ends the form: it stays to be seen until the next view is drawn, but takes no words any more, and keys are the page's. */
export function closeForm() {
  if (!isOpen()) return;
  open.element.inert = true;
  guardLeaving();
  open = null;
}

/** Sends the form, as Ctrl+Enter does. */
export async function submit() {
  const form = open;
  if (!form || form.isBusy) return;
  unmarkAll(form.element);
  form.problem.hidden = true;
  form.isBusy = true;
  try {
    await form.save(form.read());
  } catch (error) {
    show(form, error);
  } finally {
    form.isBusy = false;
  }
}

function show(form, error) {
  let first = null;
  for (const problem of error.problems) {
    const input = form.parts[problem.field]?.first();
    if (!input) continue;
    first ??= input;
    mark(input, wordsOf(problem));
  }
  form.problem.hidden = false;
  form.problem.textContent = refusal(error, first !== null);
  (first ?? form.problem).focus();
}

/**
 * Tells that what the form was filled with was changed elsewhere, and what it says now in `lines`. All that was typed stays,
 * and the next save puts it in place of that.
 */
export function newerNotice(lines) {
  open.element.querySelector(".newer")?.remove();
  const box = make("section", { class: "newer mark", role: "alert", tabindex: "-1" },
    make("h3", { text: "Not saved yet: this was changed elsewhere meanwhile" }),
    make("ul", {}, ...lines.map((text) => make("li", { text }))),
    make("p", { text: "That is what it says now. All you typed is still here; save again to put it in its place." }));
  open.element.prepend(box);
  box.focus();
}

/** A field with a label above it. */
export function labelled(input, words, hint = null) {
  if (hint) Object.assign(input.dataset, { hint: input.id + "-hint" });
  if (hint) input.setAttribute("aria-describedby", input.id + "-hint");
  return make("div", { class: "field" }, make("label", { for: input.id, text: words }), input,
    hint && make("p", { class: "hint", id: input.id + "-hint", text: hint }));
}
