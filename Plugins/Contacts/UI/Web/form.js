// The form for new and existing contacts.
import { key, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { mark, refusal, unmark, unmarkAll, wordsOf } from "/assets/problems.js";
import { tell } from "/assets/toast.js";
import { focusOn, readList } from "/contacts/list.js";
import { takeIn } from "/contacts/newer.js";
import { article, begin, go, guardLeaving, heading, state } from "/contacts/page.js";
import { fields, makeField } from "/contacts/rows.js";

// The open form: its fields, the values and revision it was filled with, and the form as read back unchanged.
let open = null;

/** Whether a form is shown. */
export const isOpen = () => open !== null && article.contains(open.element);

const plain = (values) => values.map(({ field, kind, value }) => ({ field, kind, value }));
const read = () => open.parts.flatMap((part) => part.read());
const isDirty = () => isOpen() && JSON.stringify(plain(read())) !== open.untouched;

/** Shows an empty form, or one with the contact in the URL. */
export async function drawForm() {
  const isHere = begin();
  const id = state.view === "edit" ? state.id : null;
  try {
    const contact = id ? await getJSON("/api/contacts/" + encodeURIComponent(id)) : { form: [], revision: null };
    if (isHere()) draw(id, contact);
  } catch (error) {
    if (isHere()) article.replaceChildren(notice(error.message));
  }
}

function draw(id, contact) {
  const parts = fields.map((field) => makeField(field, contact.form.filter((value) => value.field === field.name)));
  const isFilled = (part) => part.field.isMore && part.read().length > 0;
  const usual = parts.filter((part) => !part.field.isMore).map((part) => part.element);
  const more = make("details", { open: parts.some(isFilled) }, make("summary", { text: "More fields" }),
    ...parts.filter((part) => part.field.isMore).map((part) => part.element));
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const element = make("form", { class: "contact", novalidate: true, submit: save, input: clearProblem }, ...usual, more, problem,
    make("p", { class: "actions" },
      make("button", { type: "submit", class: "main" }, "Save ", key("Ctrl Enter")),
      make("button", { type: "button", click: cancel }, "Cancel ", key("Esc"))));
  open = { id, element, parts, problem, more, base: contact.form, revision: contact.revision };
  article.replaceChildren(
    ...heading(id ? `Edit ${contact.name}` : "New contact", { takesFocus: false }), element);
  open.untouched = JSON.stringify(plain(read()));
  guardLeaving(isDirty);
  parts[0].first().focus();
}

/** Closes the form; asks if there are unsaved changes. */
export async function cancel() {
  if (await go({ id: state.id })) focusOn(state.id);
}

/** Sends the form, as Ctrl+Enter does. */
export const submit = () => open.element.requestSubmit();

async function save(event) {
  event.preventDefault();
  if (open.isBusy) return;
  clearProblems();
  const form = open;
  const values = read();
  form.isBusy = true;
  try {
    const { body, operation } = form.id
      ? await sendJSON("PUT", "/api/contacts/" + encodeURIComponent(form.id), { form: plain(values) }, { revision: form.revision })
      : await sendJSON("POST", "/api/contacts", { form: plain(values) });
    // It stays to be seen until the contact is drawn, but takes no words any more, and keys are the page's.
    form.element.inert = true;
    open = null;
    tellSaved(form, body, operation);
    await go({ id: body.id }, { isSure: true });
    article.focus();
    await readList();
  } catch (error) {
    if (error.code === "edit-conflict") await meetNewer(form);
    else showError(error, values);
  } finally {
    form.isBusy = false;
  }
}

function tellSaved(form, saved, operation) {
  if (form.id && !saved.changes.length) return tell(`${saved.name}: nothing changed.`);
  const alike = saved.lookalikes.length ? ` The same address or number has: ${saved.lookalikes.join(", ")}.` : "";
  const words = form.id ? `${saved.name}: ${saved.changes.join(", ")}.` : `${saved.name} is new.`;
  tell(words + alike, { operation });
}

// The contact was changed elsewhere. The changes are merged into the form, which then has the new revision.
async function meetNewer(form) {
  try {
    const contact = await getJSON("/api/contacts/" + encodeURIComponent(form.id));
    const box = takeIn(form, contact);
    form.element.querySelector(".newer")?.remove();
    form.element.prepend(box);
    box.focus();
  } catch (error) {
    showError(error, []);
  }
}

function showError(error, values) {
  let first = null;
  for (const problem of error.problems) {
    const input = values[problem.index]?.input
      ?? open.parts.find((part) => part.field.name === problem.field)?.first();
    if (!input) continue;
    first ??= input;
    mark(input, wordsOf(problem));
  }
  open.problem.hidden = false;
  open.problem.textContent = refusal(error, first !== null);
  if (open.more.contains(first)) open.more.open = true;
  first?.focus();
}

function clearProblem(event) { if (event.target.ariaInvalid) unmark(event.target); }

function clearProblems() {
  open.problem.hidden = true;
  unmarkAll(open.element);
}
