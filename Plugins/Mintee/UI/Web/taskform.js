// The form of a new task and of one that is changed.
import { checkField, chipsField, dateField, radioField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { counted, dayWords, todayText } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { create, h, patch } from "/assets/components/patch.js";
import { tell } from "/assets/components/undoable.js";
import { getJSON, HubError, sendJSON } from "/assets/hub.js";
import { go, goBack, guardLeaving, heading, show, state } from "/mintee/page.js";
import { agreeToLosses, targetsField } from "/mintee/targets.js";

let form = null;

/**
 * Whether a form of this page is open.
 * @returns {boolean}
 */
export const isOpen = () => form?.isOpen() ?? false;

/**
 * Shows `made`, a form of form.js, as the view; it asks before typed words are lost.
 * @param {string} title
 * @param {Hub.Form} made
 * @returns {() => Hub.Child}
 */
export function openForm(title, made) {
  form = made;
  guardLeaving(form.isDirty);
  queueMicrotask(() => form.focus());
  return () => [heading(title, { hasBack: true }), form.element];
}

/** Shows an empty form, or one with the task of the address. */
export function drawTaskForm() {
  const id = state.view === "edit" ? state.id : null;
  let draw = null;
  show({
    read: (signal) => getJSON(id ? "/api/mintee/tasks/" + encodeURIComponent(id) : "/api/mintee/form", { signal }),
    draw: (task) => (draw ??= openForm(id ? `Edit ${task.name}` : "New task", makeTaskForm(id, task)))(),
  });
}

const clock = (minutes) =>
  minutes === undefined || minutes === null
    ? ""
    : [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
const minutes = (text) => (text ? text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) : null);

// What is kept of a task by the names of the fields, and back.
const valuesOf = ({ form: kept }) => ({
  name: kept.name,
  tags: kept.tags,
  kind: String(kept.taskType),
  sets: kept.targetSets,
  period: kept.period ?? "",
  start: kept.startDate ?? todayText(),
  openEnd: kept.openEnd ?? true,
  end: kept.endDate ?? "",
  dates: kept.dates,
  remind: clock(kept.remindAt),
  section: kept.section ?? "",
  notes: kept.notes,
});
const formOf = ({ name, tags, kind, sets, period, start, openEnd, end, dates, remind, section, notes }) => ({
  name,
  tags,
  notes,
  section,
  remindAt: minutes(remind),
  taskType: Number(kind),
  ...(kind === "1" ? { dates } : { startDate: start, openEnd, ...(end ? { endDate: end } : {}), targetSets: sets, period }),
});

// The dates of a task that is due on single days.
function datesField({ name }) {
  const date = dateField({ label: "Date", value: todayText() });
  const chips = create(h("ul", { class: "chips", "aria-label": "Chosen dates" }));
  const adder = create(h("button", { type: "button", onclick: add }, icon("add"), h("span", null, "Add date")));
  const element = create(
    h(
      "fieldset",
      { class: "field", "data-field": name },
      h("legend", null, "Dates"),
      chips,
      h("div", { class: "toolbar end" }, date.element, adder),
    ),
  );
  let all = [];
  function write(list) {
    all = [...new Set(list)].sort();
    patch(
      chips,
      all.map((day) =>
        h(
          "li",
          { class: "chip", key: day },
          dayWords(day, { weekday: "short" }),
          iconButton("close", `Remove ${dayWords(day)}`, () => write(all.filter((other) => other !== day))),
        ),
      ),
    );
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function add() {
    if (date.read()) write([...all, date.read()]);
    date.focus();
  }
  return {
    name,
    label: "Dates",
    element,
    isList: true,
    input: () => date.input(),
    focus: () => date.focus(),
    read: () => all,
    write,
    words: (list) => list.map((day) => dayWords(day)).join(", "),
  };
}

function makeTaskForm(id, task) {
  const [start, end] = [dateField({ name: "start", label: "From" }), dateField({ name: "end", label: "To" })];
  const openEnd = checkField({ name: "openEnd", label: "No end date" });
  const kind = radioField({
    name: "kind",
    label: "Due",
    options: [
      ["0", "Repeatedly"],
      ["1", "On single dates"],
    ],
  });
  const [sets, dates] = [targetsField({ name: "sets" }), datesField({ name: "dates" })];
  const period = textField({
    name: "period",
    label: "Target per week or month",
    hint:
      "Such as 3 times a week, 150 a month, at most 12 a week, or 3 times in 7 days; the days above are then those on which it " +
      "may be done. Leave empty if each due day counts by itself.",
  });
  const fields = [
    textField({ name: "name", label: "Name", isRequired: true, maxlength: 200 }),
    kind,
    sets,
    period,
    dates,
    start,
    openEnd,
    end,
    chipsField({
      name: "tags",
      label: "Tags",
      hint: "Enter or a comma adds one.",
      offers: async () => (await getJSON("/api/mintee/tasks/tags")).map(({ tag }) => tag),
    }),
    textField({
      name: "remind",
      label: "Reminder",
      type: "time",
      hint: "A notification on the desktop at this time, on days when the task is due and not done.",
    }),
    textField({
      name: "section",
      label: "Section of the day",
      maxlength: 200,
      hint: "Such as Morning or Evening: today shows its tasks together.",
    }),
    textField({ name: "notes", label: "Notes", isLong: true }),
  ];
  function fit() {
    const isSpecific = kind.read() === "1";
    for (const field of [sets, period, start, openEnd]) field.element.hidden = isSpecific;
    end.element.hidden = isSpecific || openEnd.read();
    dates.element.hidden = !isSpecific;
  }
  // Neither date can pass the other: the one that was left last takes the other along.
  let last = null;
  function follow(target) {
    const field = [start, end].find(({ element }) => element.contains(target)) ?? null;
    if (last && last !== field && !end.element.hidden && start.read() && end.read() && start.read() > end.read())
      (last === start ? end : start).write(last.read());
    last = field;
  }
  const made = makeForm({
    fields,
    values: valuesOf(task),
    revision: task.revision ?? null,
    label: "Task",
    noun: "this task",
    save: (values, revision) => (id ? change(id, task.name, formOf(values), revision) : add(formOf(values))),
    reload: async () => {
      const now = await getJSON("/api/mintee/tasks/" + encodeURIComponent(id));
      return { values: valuesOf(now), revision: now.revision };
    },
    saved: ({ id: saved, words, operation }) => {
      tell(words, { operation });
      return go({ id: saved }, { isSure: true });
    },
    cancel: () => (id ? go({ id }) : goBack()),
  });
  made.element.addEventListener("change", fit);
  made.element.addEventListener("focusin", (event) => follow(event.target));
  if (!end.read()) end.write(start.read());
  fit();
  return made;
}

async function add(value) {
  const { body, operation } = await sendJSON("POST", "/api/mintee/tasks", value);
  return { id: body.id, words: `${body.name} added.`, operation };
}

// First what it would do, then, when nothing filled is lost or the person agrees to that, the change.
async function change(id, name, value, revision) {
  const address = "/api/mintee/tasks/" + encodeURIComponent(id);
  const { body: plan } = await sendJSON("POST", address + "/plan", value);
  if (!plan.is_changed) return { id, words: `${plan.name}: nothing changed.`, operation: null };
  if (plan.losses.length && !(await agreeToLosses(name, plan.losses, (date) => dayWords(date, { weekday: "long" })))) {
    throw new HubError(422, {
      code: "losses-kept",
      detail: "the filled days were kept",
      hint: "Change the days, or save again and drop them",
    });
  }
  const { body, operation } = await sendJSON("PUT", address, { ...value, losing: plan.losses }, { revision });
  return {
    id,
    words: `${body.name} saved.${body.losses.length ? ` ${counted(body.losses.length, "filled day")} dropped.` : ""}`,
    operation,
  };
}
