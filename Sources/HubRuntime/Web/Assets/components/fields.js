// Fields of forms. Each is an object with `name`, `label`, `element`, `read()` and `write(value)`; `focus(index)` goes to a value,
// `input(index)` is what an error is shown at, and `words(value)` says a value to people. A field with `isList` holds an array.
import { dateOrder, dateParts, dayWords, listed, monthNames, westernDigits } from "/assets/components/format.js";
import { iconButton } from "/assets/components/icons.js";
import { keys } from "/assets/components/keys.js";
import { create, h } from "/assets/components/patch.js";

let made = 0;
/**
 * A new id for an element.
 * @param {string} [name]
 * @returns {string}
 */
export const newID = (name = "field") => `${name}-${++made}`;

const changed = (element) => element.dispatchEvent(new Event("input", { bubbles: true }));

/**
 * A label above what it names, and a hint below.
 * @param {{ label: string, hint?: string | null, name?: string | null, isRequired?: boolean }} properties
 * @param {HTMLElement} control
 * @returns {HTMLElement}
 */
function labelled({ label, hint = null, name = null, isRequired = false }, control) {
  const id = (control.id ||= newID());
  const note = hint ? create(h("p", { class: "hint", id: `${id}-hint` }, hint)) : null;
  if (note) {
    control.setAttribute("aria-describedby", note.id);
    control.dataset.hint = note.id;
  }
  return create(
    h(
      "div",
      { class: "field", "data-field": name },
      h("label", { for: id }, label, isRequired && h("span", { class: "quiet-mark" }, " (required)")),
      control,
      note,
    ),
  );
}

/**
 * Several controls under one name.
 * @param {{ label: string, hint?: string | null, name?: string | null }} properties
 * @param {...Hub.Child} content
 */
function group({ label, hint = null, name = null }, ...content) {
  const id = newID("hint");
  return create(
    h(
      "fieldset",
      { class: "field", "data-field": name, "aria-describedby": hint ? id : null },
      h("legend", null, label),
      content,
      hint && h("p", { class: "hint", id }, hint),
    ),
  );
}

/**
 * One line of text, or several with `isLong`. Other properties are those of the input.
 * @param {Hub.TextProperties} properties
 * @returns {Hub.Field<string>}
 */
export function textField({ name, label, hint, value = "", isLong = false, isRequired = false, ...properties }) {
  const input = create(
    isLong
      ? h("textarea", { rows: "4", dir: "auto", ...properties })
      : h("input", { type: "text", autocomplete: "off", dir: "auto", ...properties }),
  );
  if (isRequired) input.setAttribute("aria-required", "true");
  // An input of one line cannot show every text, such as one with line breaks: unchanged it is given back as it was.
  let [original, shown] = ["", ""];
  function write(text) {
    original = text ?? "";
    input.value = original;
    shown = input.value;
  }
  write(value);
  return {
    name,
    label,
    element: labelled({ label, hint, name, isRequired }, input),
    input: () => input,
    focus: () => input.focus(),
    read: () => (input.value === shown ? original : isLong ? input.value : input.value.trim()),
    write,
    words: (text) => text,
  };
}

/**
 * A choice from a list; `options` are pairs of value and words.
 * @param {Hub.ChoiceProperties} properties
 * @returns {Hub.Field<string>}
 */
export function selectField({ name, label, hint, value = "", options, ...properties }) {
  const select = create(
    h(
      "select",
      { ...properties, value },
      options.map(([key, words]) => h("option", { value: key }, words)),
    ),
  );
  return {
    name,
    label,
    element: labelled({ label, hint, name }, select),
    input: () => select,
    focus: () => select.focus(),
    read: () => select.value,
    write: (key) => {
      select.value = key;
    },
    words: (key) => options.find(([other]) => other === key)?.[1] ?? key,
  };
}

/**
 * A choice with all options in sight; `options` are value, words, and a hint if there is one.
 * @param {Hub.ChoiceProperties} properties
 * @returns {Hub.Field<string>}
 */
export function radioField({ name, label, hint, value = "", options }) {
  const id = newID("choice");
  const element = group(
    { label, hint, name },
    h(
      "div",
      { class: "options" },
      options.map(([key, words, note], place) =>
        h(
          "label",
          { class: "check" },
          h("input", { type: "radio", name: id, value: key, checked: key === value, id: `${id}-${place}` }),
          h("span", null, words, note && h("small", null, note)),
        ),
      ),
    ),
  );
  const inputs = [...element.querySelectorAll("input")];
  const checked = () => inputs.find((input) => input.checked);
  return {
    name,
    label,
    element,
    input: () => checked() ?? inputs[0],
    focus: () => (checked() ?? inputs[0]).focus(),
    read: () => checked()?.value ?? "",
    write: (key) =>
      inputs.forEach((input) => {
        input.checked = input.value === key;
      }),
    words: (key) => options.find(([other]) => other === key)?.[1] ?? key,
  };
}

/**
 * Yes or no.
 * @param {Hub.FieldProperties<boolean>} properties
 * @returns {Hub.Field<boolean>}
 */
export function checkField({ name, label, hint, value = false }) {
  const input = create(h("input", { type: "checkbox", checked: value, id: newID() }));
  const element = create(
    h(
      "div",
      { class: "field", "data-field": name },
      h("label", { class: "check" }, input, h("span", null, label, hint && h("small", null, hint))),
    ),
  );
  return {
    name,
    label,
    element,
    input: () => input,
    focus: () => input.focus(),
    read: () => input.checked,
    write: (isOn) => {
      input.checked = isOn;
    },
    words: (isOn) => (isOn ? "yes" : "no"),
  };
}

/**
 * Several of a set; `options` are pairs of value and words.
 * @param {Hub.ChoiceProperties<string[]>} properties
 * @returns {Hub.Field<string[]>}
 */
export function checksField({ name, label, hint, value = [], options }) {
  const element = group(
    { label, hint, name },
    h(
      "div",
      { class: "options" },
      options.map(([key, words]) =>
        h("label", { class: "check" }, h("input", { type: "checkbox", value: key, checked: value.includes(key) }), h("span", null, words)),
      ),
    ),
  );
  const inputs = [...element.querySelectorAll("input")];
  return {
    name,
    label,
    element,
    isList: true,
    input: () => inputs[0],
    focus: () => inputs[0].focus(),
    read: () => inputs.filter((input) => input.checked).map((input) => input.value),
    write: (keys) =>
      inputs.forEach((input) => {
        input.checked = keys.includes(input.value);
      }),
    words: (keys) => listed(keys),
  };
}

/**
 * A date in the order of the locale, typed as numbers with the month as a word. The value is YYYY-MM-DD; with `isYearOptional`
 * also --MM-DD. Other words, such as "about 1800", are edited as text.
 * @param {Hub.FieldProperties & { isYearOptional?: boolean }} properties
 * @returns {Hub.Field<string>}
 */
export function dateField({ name, label, hint = null, value = "", isYearOptional = false }) {
  hint ??= isYearOptional ? "The year is optional." : null;
  const id = newID("date");
  const number = (part, words, width) =>
    h(
      "div",
      { class: "date-part" },
      h("label", { for: `${id}-${part}` }, words),
      h("input", {
        id: `${id}-${part}`,
        type: "text",
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: width,
        class: part,
        oninput: onInput,
        oncompositionend: onInput,
      }),
    );
  const parts = {
    day: number("day", "Day", 2),
    year: number("year", "Year", 4),
    month: h(
      "div",
      { class: "date-part" },
      h("label", { for: `${id}-month` }, "Month"),
      h(
        "select",
        { id: `${id}-month`, class: "month" },
        h("option", { value: "" }, "–"),
        monthNames().map((words, place) => h("option", { value: String(place + 1) }, words)),
      ),
    ),
  };
  const other = create(h("input", { type: "text", autocomplete: "off", "aria-label": `${label} in words`, hidden: true }));
  const clear = create(
    iconButton("close", `Clear ${label.toLowerCase()}`, () => {
      write("");
      input("day").focus();
      changed(element);
    }),
  );
  const element = group(
    { label, hint, name },
    h(
      "div",
      { class: "date-parts" },
      dateOrder().map((part) => parts[part]),
      other,
      clear,
    ),
  );
  const input = (part) => element.querySelector(`.${part}`);
  const all = ["day", "month", "year"];

  // A full number leads on to the next part.
  function onInput({ target, isComposing = false }) {
    // An input method has not finished the digit yet.
    if (isComposing) return;
    target.value = westernDigits(target.value).replace(/\D/g, "");
    const order = dateOrder();
    const next = order[order.indexOf(target.classList[0]) + 1];
    if (next && target.value.length === target.maxLength && document.activeElement === target) input(next).focus();
  }

  function write(text) {
    const date = dateParts(text);
    const isText = Boolean(text) && (!date || !date.month || !date.day);
    other.hidden = !isText;
    other.value = isText ? text : "";
    for (const part of all) {
      input(part).closest(".date-part").hidden = isText;
      input(part).value = isText || !date ? "" : String(date[part] ?? "");
    }
  }

  function read() {
    if (!other.hidden) return other.value.trim();
    const [day, month, year] = all.map((part) => input(part).value.trim());
    if (!day && !month && !year) return "";
    const pad = (text, length) => text.padStart(length, "0");
    // What is missing is left out, so that hub names the mistake.
    return `${year ? pad(year, 4) : isYearOptional ? "-" : ""}-${month ? pad(month, 2) : ""}-${day ? pad(day, 2) : ""}`;
  }

  // There is something to clear.
  const follow = () => {
    clear.hidden = !read();
  };
  element.addEventListener("input", follow);
  write(value);
  follow();
  const first = () => (other.hidden ? input(dateOrder()[0]) : other);
  // The part that is missing, else the day.
  const wrong = () =>
    other.hidden ? input(all.find((part) => !input(part).value && !(part === "year" && isYearOptional)) ?? "day") : other;
  return {
    name,
    label,
    element,
    input: wrong,
    focus: () => first().focus(),
    read,
    write: (text) => {
      write(text);
      follow();
    },
    words: dayWords,
  };
}

/**
 * Words as chips, such as tags. Enter or a comma adds one, Backspace takes the last one back. `offers()` gives the words in use, best
 * first; the matching ones are offered while one types.
 * @param {Hub.FieldProperties<string[]> & { offers?: () => Promise<string[]> }} properties
 * @returns {Hub.Field<string[]>}
 */
export function chipsField({ name, label, hint, value = [], offers = async () => [] }) {
  const id = newID("chips");
  const input = create(
    h("input", {
      type: "text",
      id,
      autocomplete: "off",
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": `${id}-list`,
      "aria-autocomplete": "list",
      oninput: show,
      onkeydown: keys(onKey),
      onblur: () => {
        add(input.value);
        hide();
      },
      onfocus: show,
    }),
  );
  const list = create(h("ul", { class: "offers", role: "listbox", id: `${id}-list`, "aria-label": `${label} in use`, hidden: true }));
  const box = create(
    h(
      "div",
      {
        class: "chips-box",
        onclick: (event) => {
          if (event.target === box) input.focus();
        },
      },
      input,
    ),
  );
  const element = create(
    h(
      "div",
      { class: "field", "data-field": name },
      h("label", { for: id }, label),
      h("div", { class: "chips-field" }, box, list),
      hint && h("p", { class: "hint" }, hint),
    ),
  );
  let words = [];
  let known = null;
  let chosen = -1;

  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const options = () => [...list.children];

  function draw() {
    for (const chip of box.querySelectorAll(".chip")) chip.remove();
    input.before(
      ...words.map((word) =>
        create(
          h(
            "span",
            { class: "chip" },
            word,
            iconButton("close", `Remove ${word}`, () => {
              write(words.filter((other) => other !== word));
              input.focus();
              changed(element);
            }),
          ),
        ),
      ),
    );
  }

  function write(list) {
    words = [...list];
    draw();
  }

  function add(text) {
    const found = text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part && !words.some((word) => fold(word) === fold(part)));
    input.value = "";
    if (!found.length) return;
    write([...words, ...found]);
    changed(element);
  }

  async function show() {
    known ??= await offers().catch(() => []);
    if (document.activeElement !== input) return;
    const typed = fold(input.value.trim());
    const fitting = known.filter((word) => fold(word).includes(typed) && !words.some((other) => fold(other) === fold(word))).slice(0, 8);
    chosen = -1;
    list.replaceChildren(
      ...fitting.map((word, place) =>
        create(
          h(
            "li",
            {
              role: "option",
              id: `${id}-${place}`,
              "aria-selected": "false",
              onpointerdown: (event) => {
                event.preventDefault();
                add(word);
                show();
              },
            },
            word,
          ),
        ),
      ),
    );
    list.hidden = !fitting.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    input.removeAttribute("aria-activedescendant");
  }

  function hide() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  function mark(place) {
    chosen = (place + options().length) % options().length;
    options().forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    input.setAttribute("aria-activedescendant", options()[chosen].id);
  }

  function onKey(event) {
    const isOpen = !list.hidden;
    if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp"))
      mark(event.key === "ArrowDown" ? chosen + 1 : Math.max(chosen, 0) - 1);
    else if (isOpen && event.key === "Escape") hide();
    else if (event.key === "," || (event.key === "Enter" && !event.ctrlKey && (input.value.trim() || chosen >= 0))) {
      add(chosen >= 0 ? options()[chosen].textContent : input.value);
      show();
    } else if (event.key === "Backspace" && !input.value && words.length) {
      write(words.slice(0, -1));
      changed(element);
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  write(value);
  return {
    name,
    label,
    element,
    isList: true,
    input: () => input,
    focus: () => input.focus(),
    write,
    words: (list) => listed(list),
    read: () => (input.value.trim() ? [...words, input.value.trim()] : words),
  };
}
