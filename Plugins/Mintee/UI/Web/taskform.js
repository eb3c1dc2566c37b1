// The form of a new task and of one that is changed.
import { button, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell } from "/assets/toast.js";
import { makeDates } from "/mintee/dates.js";
import { closeForm, labelled, newerNotice, openForm } from "/mintee/form.js";
import { agreeToLosses } from "/mintee/losses.js";
import { remove } from "/mintee/manage.js";
import { begin, elsewhere, go, heading, redraw, state } from "/mintee/page.js";
import { makeSets } from "/mintee/sets.js";
import { makeSpan } from "/mintee/span.js";
import { makeTags } from "/mintee/tags.js";
import { count } from "/mintee/text.js";

const back = () => ({ href: elsewhere(state.id ? { id: state.id } : { view: "manage" }), words: "← Back" });

/** Shows an empty form, or one with the task of the address. */
export async function drawTaskForm() {
  const isHere = begin();
  const id = state.view === "edit" ? state.id : null;
  try {
    const task = await getJSON(id ? "/api/mintee/tasks/" + encodeURIComponent(id) : "/api/mintee/form");
    if (isHere()) draw(id ? task : { form: task.form, id: null });
  } catch (error) {
    if (isHere()) redraw(heading(id ? "Edit" : "New task", { back: back() }), notice(error.message));
  }
}

const clock = (minutes) => (minutes === undefined ? "" : [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":"));
const minutes = (text) => (text ? text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) : null);

function draw(task) {
  const { form } = task;
  const name = make("input", { id: "name", autocomplete: "off", maxlength: "200" });
  const notes = make("textarea", { id: "notes", rows: "3" });
  const remind = make("input", { id: "remind", type: "time" });
  [name.value, notes.value, remind.value] = [form.name, form.notes, clock(form.remindAt)];
  const [tags, span, sets, dates] = [makeTags(form.tags), makeSpan(form), makeSets(form.targetSets), makeDates(form.dates)];
  const kind = makeKind(form.taskType, [span.element, sets.element], [dates.element]);
  const simple = (input, words, hint) => ({ element: labelled(input, words, hint), first: () => input });
  const parts = {
    name: simple(name, "Name"), tags, kind, start: span, end: { element: span.element, first: span.end }, sets, dates,
    remind: simple(remind, "Reminder", "Told on the desktop at this time of a due day, unless it is done by then."),
    notes: simple(notes, "Notes"),
  };
  function read() {
    const isSpecific = kind.value() === 1;
    return {
      name: name.value, notes: notes.value, remindAt: minutes(remind.value), tags: tags.read(), taskType: kind.value(),
      ...(isSpecific ? { dates: dates.read() } : { ...span.read(), targetSets: sets.read() }),
    };
  }
  openForm({
    title: task.id ? `Edit ${task.name}` : "New task", back: back(), parts, read,
    save: (value) => (task.id ? change(task, value) : create(value)),
    leave: () => go(task.id ? { id: task.id } : { view: "manage" }),
    more: task.id ? [button("Delete task", "#", () => remove(task.id, task.name, task.revision, closeForm), { class: "danger" })] : [],
  });
}

// Recurring or Specific. What was entered for the other one stays in its fields.
function makeKind(chosen, recurring, specific) {
  const radios = ["Recurring", "Specific"].map((words, value) => {
    const input = make("input", { type: "radio", name: "kind", value, id: `kind-${value}`, change: show });
    input.checked = value === chosen;
    return [input, make("label", { for: input.id, text: words })];
  });
  const value = () => Number(radios.find(([input]) => input.checked)[0].value);
  function show() {
    for (const element of recurring) element.hidden = value() === 1;
    for (const element of specific) element.hidden = value() === 0;
  }
  show();
  return { element: make("fieldset", { class: "choices" }, make("legend", { text: "Type" }),
    ...radios.map(([input, label]) => make("span", { class: "choice" }, input, label))), value, first: () => radios[0][0] };
}

async function create(value) {
  const { body, operation } = await sendJSON("POST", "/api/mintee/tasks", value);
  closeForm();
  tell(`${body.name} is new.`, { operation });
  await go({ id: body.id });
}

// First what it would do, then, when nothing filled is lost or the person agrees to that, the change.
async function change(task, value) {
  const address = "/api/mintee/tasks/" + encodeURIComponent(task.id);
  const { body: plan } = await sendJSON("POST", address + "/plan", value);
  if (!plan.is_changed) {
    closeForm();
    tell(`${plan.name}: nothing changed.`);
    return go({ id: task.id });
  }
  if (plan.losses.length && !(await agreeToLosses(task.name, plan.losses))) return;
  try {
    const { body, operation } = await sendJSON("PUT", address, { ...value, losing: plan.losses }, { revision: task.revision });
    closeForm();
    tell(`${body.name}: ${body.changes}.${body.losses.length ? ` ${count(body.losses.length, "filled day")} dropped.` : ""}`, { operation });
    await go({ id: task.id });
  } catch (error) {
    if (error.code !== "edit-conflict") throw error;
    const newer = await getJSON(address);
    task.revision = newer.revision;
    const days = newer.kind === "Specific" ? count(newer.sets.length, "date") : newer.sets.join("; ");
    newerNotice([newer.name, days, newer.tags.join(", "), newer.notes].filter(Boolean));
  }
}
