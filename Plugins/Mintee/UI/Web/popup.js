// The popups of a target set and of the bounds of a band: what is filled in is read by the server before it is taken.
import { ask, makeDialog } from "/assets/dialog.js";
import { key, make } from "/assets/dom.js";
import { sendJSON } from "/assets/hub.js";
import { mark, refusal, unmarkAll, wordsOf } from "/assets/problems.js";
import { makeBounds } from "/mintee/bounds.js";
import { makeBubbles, monthDays, weekdays, weeks } from "/mintee/bubbles.js";

// Shows `parts`; Done sends `read()` to `url`, and what comes back is the answer. Null when it was left.
async function popup({ id, title, parts, url, read, inputs, canSend = () => true }) {
  let answer = null;
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const done = make("button", { type: "submit", class: "main" }, "Done ", key("Ctrl Enter"));
  const look = () => { done.disabled = !canSend(); };
  const form = make("form", { class: "fields", novalidate: true, input: look, change: look, submit: send, keydown: (event) => {
    if (event.key !== "Enter" || !event.ctrlKey || done.disabled) return;
    event.preventDefault();
    form.requestSubmit(done);
  } }, ...parts, problem, make("p", { class: "actions" }, done,
    make("button", { type: "button", click: () => dialog.close(), text: "Cancel" })));
  const dialog = makeDialog(id, title, form);
  look();

  async function send(event) {
    event.preventDefault();
    unmarkAll(form);
    problem.hidden = true;
    try {
      answer = (await sendJSON("POST", url, read())).body.set;
      dialog.close();
    } catch (error) {
      const known = error.problems.filter((one) => inputs[one.field]);
      for (const one of known) mark(inputs[one.field](), wordsOf(one));
      problem.hidden = known.length > 0;
      problem.textContent = refusal(error, false);
      if (known.length) inputs[known[0].field]().focus();
    }
  }

  await ask(dialog);
  return answer;
}

const kinds = [[1, "Days of week"], [2, "Weekdays of month"], [3, "Days of month"]];

/** Asks for a target set; `set` is the one that is changed. Null when it is to stay as it is. */
export async function askSet(set = null) {
  const pattern = set?.pattern ?? { Type: 1, DaysOfWeek: [], WeeksOfMonth: [], DaysOfMonth: [] };
  const days = makeBubbles("Days of the week", "weekdays", weekdays, pattern.DaysOfWeek);
  const ordinals = makeBubbles("Weeks of the month", "weeks", weeks, pattern.WeeksOfMonth);
  const numbers = makeBubbles("Days of the month", "monthdays", monthDays, pattern.DaysOfMonth);
  const bounds = makeBounds(set);
  const kind = make("select", { id: "pattern", change: show });
  for (const [value, words] of kinds) {
    const option = make("option", { value, text: words });
    option.selected = value === pattern.Type;
    kind.append(option);
  }
  const type = () => Number(kind.value);
  function show() {
    days.element.hidden = type() === 3;
    ordinals.element.hidden = type() !== 2;
    numbers.element.hidden = type() !== 3;
  }
  show();
  const chosen = () => ({ Type: type(), DaysOfWeek: type() === 3 ? [] : days.read(), WeeksOfMonth: type() === 2 ? ordinals.read() : [],
    DaysOfMonth: type() === 3 ? numbers.read() : [] });
  return popup({
    id: "popup", title: set ? "Edit the target set" : "New target set", url: "/api/mintee/read/set",
    parts: [make("div", { class: "field" }, make("label", { for: "pattern", text: "Due on" }), kind), days.element, ordinals.element,
      numbers.element, bounds.element],
    read: () => ({ pattern: chosen(), ...bounds.read() }),
    inputs: { lower: () => bounds.fields.lower, upper: () => bounds.fields.upper, days: () => kind },
    canSend: () => {
      const { Type, DaysOfWeek, WeeksOfMonth, DaysOfMonth } = chosen();
      const isChosen = Type === 3 ? DaysOfMonth.length > 0 : DaysOfWeek.length > 0 && (Type === 1 || WeeksOfMonth.length > 0);
      const { lowerOperator, upperOperator } = bounds.read();
      return isChosen && (lowerOperator !== 0 || upperOperator !== 0);
    },
  });
}

/** Asks for the bounds of a band of values; null when they are to stay as they are. */
export async function askBounds(target = null) {
  const bounds = makeBounds(target);
  return popup({
    id: "popup", title: "Values of the band", url: "/api/mintee/read/bounds", parts: [bounds.element], read: bounds.read,
    inputs: { lower: () => bounds.fields.lower, upper: () => bounds.fields.upper },
    canSend: () => bounds.read().lowerOperator !== 0 || bounds.read().upperOperator !== 0,
  });
}
