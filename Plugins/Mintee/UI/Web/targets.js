// The target sets of a task: on which days it is due, and what is to be reached then.
import { ask, choose, makeDialog } from "/assets/dialog.js";
import { checksField, selectField, textField } from "/assets/components/fields.js";
import { decimalMark, sentence, todayText, typedNumber, weekdayNames, weekStart } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { keys } from "/assets/components/keys.js";
import { create, h, patch } from "/assets/components/patch.js";
import { orderedList } from "/assets/components/rows.js";
import { keyed } from "/assets/components/shortcuts.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { mark, unmarkAll, wordsOf } from "/assets/problems.js";

// Goals in words, with the numbers of their operators in exports (0 none, 1 <, 2 <=, 3 =).
const goals = {
  done: ["Done or not", 2, 0],
  least: ["At least", 2, 0],
  most: ["At most", 0, 2],
  range: ["From … to", 2, 2],
  exactly: ["Exactly", 3, 0],
  more: ["More than", 1, 0],
  less: ["Less than", 0, 1],
  leastLess: ["At least …, and less than", 2, 1],
  moreMost: ["More than …, and at most", 1, 2],
  moreLess: ["More than …, and less than", 1, 1],
};

function goalOf(target) {
  if (target.minOperator === 2 && target.maxOperator === 0 && Number(target.min) === 1) return "done";
  return (
    Object.keys(goals).find((name) => name !== "done" && goals[name][1] === target.minOperator && goals[name][2] === target.maxOperator) ??
    "least"
  );
}

function rename(field, words) {
  const label = field.element.querySelector("label");
  if (label) label.textContent = words;
}

// A choice of what is to be reached, and its one or two numbers.
function goalFields(target, names = Object.keys(goals)) {
  const goal = selectField({
    name: "goal",
    label: "Goal",
    value: target ? goalOf(target) : names[0],
    options: names.map((name) => [name, goals[name][0]]),
    onchange: fit,
  });
  const number = (name, label, value) =>
    textField({ name, label, value: value === undefined || value === "" ? "" : typedNumber(value), inputmode: "decimal" });
  const [lower, upper] = [
    number("lower", "Number", target?.minOperator ? target.min : ""),
    number("upper", "Number", target?.maxOperator ? target.max : ""),
  ];
  const bounds = create(h("div", { class: "bounds" }, lower.element, upper.element));
  function fit() {
    const [, low, high] = goals[goal.read()];
    lower.element.hidden = low === 0 || goal.read() === "done";
    upper.element.hidden = high === 0;
    bounds.hidden = lower.element.hidden && upper.element.hidden;
    const words = low && high ? ["From", "To"] : ["Number", "Number"];
    [lower, upper].forEach((field, place) => rename(field, words[place]));
  }
  fit();
  return {
    elements: [goal.element, bounds],
    inputs: { lower: lower.input, upper: upper.input },
    read: () => {
      const [, lowerOperator, upperOperator] = goals[goal.read()];
      return {
        lowerOperator,
        upperOperator,
        lower: goal.read() === "done" ? "1" : lowerOperator ? lower.read() : "",
        upper: upperOperator ? upper.read() : "",
      };
    },
  };
}

// Shows a form in front of the view; what it reads is sent to `url`, and the answer is the target set. Null when it was left.
async function askSet({ title, elements, url, read, inputs, isReady = () => true }) {
  let answer = null;
  const problem = create(h("p", { class: "problem", role: "alert" }));
  const done = create(h("button", { type: "submit", class: "main", ...keyed("Mod+Enter") }, "Done"));
  const look = () => {
    done.disabled = !isReady();
  };
  async function send(event) {
    event.preventDefault();
    unmarkAll(form);
    problem.textContent = "";
    try {
      answer = (await sendJSON("POST", url, { ...read(), decimal_mark: decimalMark })).body.set;
      dialog.close();
    } catch (error) {
      const known = error.problems.filter(({ field }) => inputs[field]);
      for (const one of known) mark(inputs[one.field](), sentence(wordsOf(one)));
      if (known.length) inputs[known[0].field]().focus();
      else problem.textContent = sentence(error.message);
    }
  }
  const form = create(
    h(
      "form",
      {
        class: "form",
        novalidate: true,
        oninput: () => {
          unmarkAll(form);
          look();
        },
        onchange: look,
        onsubmit: send,
        onkeydown: keys((event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          if (!done.disabled) form.requestSubmit(done);
        }),
      },
      elements,
      problem,
      h("div", { class: "actions" }, done, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
    ),
  );
  const dialog = makeDialog("popup", title, form);
  look();
  await ask(dialog);
  return answer;
}

const weekdays = () => weekdayNames("short").map((words, place) => [String(((place + weekStart) % 7) + 1), words]);
const weeks = ["First", "Second", "Third", "Fourth", "Last"].map((words, place) => [String(place + 1), words]);
const monthDays = [...Array.from({ length: 31 }, (_, place) => [String(place + 1), String(place + 1)]), ["0", "Last"]];

function bubbles(name, label, options, chosen) {
  const field = checksField({ name, label, options, value: chosen.map(String) });
  field.element.classList.add("bubbles", name);
  return {
    ...field,
    numbers: () =>
      field
        .read()
        .map(Number)
        .sort((one, other) => one - other),
  };
}

const calendarNames = async () => (await getJSON("/api/mintee/holidays").catch(() => [])).map(({ name }) => name);

/**
 * Asks for days and target; `set` is the one that is changed. Null when it is to stay as it is.
 * @param {Mintee.TargetSet | null} [set]
 * @returns {Promise<Mintee.TargetSet | null>}
 */
async function askDays(set = null) {
  const calendars = await calendarNames();
  // A second click came while they were read.
  if (document.getElementById("popup")) return null;
  const pattern = set?.pattern ?? { Type: 1, DaysOfWeek: [], WeeksOfMonth: [], DaysOfMonth: [] };
  const kind = selectField({
    name: "kind",
    label: "Due on",
    value: String(pattern.Type),
    options: [
      ["1", "Days of the week"],
      ["2", "Weekdays of the month"],
      ["3", "Days of the month"],
    ],
  });
  const [days, ordinals, numbers] = [
    bubbles("weekdays", "Days", weekdays(), pattern.DaysOfWeek),
    bubbles("weeks", "Weeks", weeks, pattern.WeeksOfMonth),
    bubbles("monthdays", "Days of the month", monthDays, pattern.DaysOfMonth),
  ];
  const goal = goalFields(set);
  const type = () => Number(kind.read());
  // Every so many days is kept as it is; weeks and months can be chosen.
  const kept = pattern.Interval ?? null;
  const every = textField({
    name: "every",
    label: "Every … weeks",
    value: String(kept && kept.Unit !== 1 ? kept.Count : 1),
    inputmode: "numeric",
  });
  const interval = () => {
    const count = Number(every.read());
    if (kept?.Unit === 1 && type() === 1) return { Interval: kept };
    if (every.read() === "1" || every.read() === "") return {};
    return { Interval: { Unit: type() === 1 ? 2 : 3, Count: Number.isInteger(count) ? count : 0, Start: kept?.Start ?? todayText() } };
  };
  // A calendar that is left out is offered even if the list cannot be read.
  if (pattern.Except && !calendars.includes(pattern.Except)) calendars.push(pattern.Except);
  const except = selectField({
    name: "except",
    label: "Except",
    value: pattern.Except ?? "",
    options: [["", "No exception"], ...calendars.map((name) => [name, name])],
  });
  except.element.hidden = calendars.length === 0;
  function fit() {
    every.element.hidden = kept?.Unit === 1 && type() === 1;
    rename(every, type() === 1 ? "Every … weeks" : "Every … months");
    days.element.hidden = type() === 3;
    ordinals.element.hidden = type() !== 2;
    numbers.element.hidden = type() !== 3;
  }
  kind.element.addEventListener("change", fit);
  fit();
  const chosen = () => ({
    Type: type(),
    DaysOfWeek: type() === 3 ? [] : days.numbers(),
    WeeksOfMonth: type() === 2 ? ordinals.numbers() : [],
    DaysOfMonth: type() === 3 ? numbers.numbers() : [],
    ...interval(),
    ...(except.read() ? { Except: except.read() } : {}),
  });
  return askSet({
    title: set ? "Edit days and target" : "Days and target",
    url: "/api/mintee/read/set",
    elements: [kind.element, ordinals.element, days.element, numbers.element, every.element, except.element, ...goal.elements],
    read: () => ({ pattern: chosen(), ...goal.read() }),
    inputs: { ...goal.inputs, days: days.input, every: every.input },
    isReady: () => {
      const { Type, DaysOfWeek, WeeksOfMonth, DaysOfMonth } = chosen();
      return Type === 3 ? DaysOfMonth.length > 0 : DaysOfWeek.length > 0 && (Type === 1 || WeeksOfMonth.length > 0);
    },
  });
}

/**
 * Asks for the values of a band; null when they are to stay as they are.
 * @param {Mintee.Target | null} [target]
 * @returns {Promise<Mintee.TargetSet | null>}
 */
export function askBounds(target = null) {
  const goal = goalFields(
    target,
    Object.keys(goals).filter((name) => name !== "done"),
  );
  return askSet({
    title: "Values of the range",
    url: "/api/mintee/read/bounds",
    elements: goal.elements,
    read: goal.read,
    inputs: goal.inputs,
  });
}

/**
 * The field of all target sets: the first one that names a day holds.
 * @param {{ name: string, value?: Mintee.TargetSet[] }} properties
 * @returns {Hub.Field<Mintee.TargetSet[]>}
 */
export function targetsField({ name, value = [] }) {
  const label = "Days and targets";
  const adder = create(h("button", { type: "button", class: "quiet", onclick: add }, icon("add"), "Add days and target"));
  const list = orderedList({
    label,
    items: value,
    name: ({ words }) => words,
    moved: changed,
    row: (set) =>
      h(
        "div",
        { class: "toolbar" },
        h("span", { class: "grow set" }, set.words),
        iconButton("edit", `Edit ${set.words}`, () => edit(set)),
        iconButton("close", `Remove ${set.words}`, () => remove(set)),
      ),
  });
  const hint = create(h("p", { class: "hint" }));
  const element = create(h("fieldset", { class: "field", "data-field": name }, h("legend", null, label), list.element, adder, hint));
  function changed() {
    patch(hint, list.read().length > 1 ? "If several of them include a day, the first one applies." : "");
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function write(sets) {
    list.write(sets);
    changed();
  }
  async function add() {
    const set = await askDays();
    if (set) write([...list.read(), set]);
    adder.focus();
  }
  async function edit(set) {
    const [place, next] = [list.read().indexOf(set), await askDays(set)];
    if (next) write(list.read().map((other) => (other === set ? next : other)));
    list.element.children[place].querySelector("button")?.focus();
  }
  function remove(set) {
    write(list.read().filter((other) => other !== set));
    adder.focus();
  }
  changed();
  return {
    name,
    label,
    element,
    isList: true,
    input: () => adder,
    focus: () => adder.focus(),
    read: list.read,
    write,
    words: (sets) => sets.map(({ words }) => words).join("; "),
  };
}

/**
 * Whether the person agrees that a task drops these days with what was entered for them.
 * @param {string} name
 * @param {string[]} dates
 * @param {(date: string) => string} say
 * @returns {Promise<boolean>}
 */
export async function agreeToLosses(name, dates, say) {
  return (
    (await choose({
      title: `Drop ${dates.length === 1 ? "a filled day" : `${dates.length} filled days`}?`,
      id: "losses",
      text: `${name} would no longer be due on these days, and their entries would be lost:`,
      content: [
        create(
          h(
            "ul",
            { class: "losses", tabindex: "0", "aria-label": "Filled days" },
            dates.map((date) => h("li", null, say(date))),
          ),
        ),
      ],
      choices: [
        { value: "no", words: "Keep editing" },
        { value: "yes", words: "Drop them", class: "danger" },
      ],
    })) === "yes"
  );
}
