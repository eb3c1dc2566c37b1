// The fields of the form with their values.
import { make } from "/assets/dom.js";

const dateHint = "1985-03-31, --03-31 without a year, or words in \"quotes\"";

/** The fields in order; those with `isMore` are collapsed while they are empty. */
export const fields = [
  { name: "name", label: "Name" },
  { name: "phone", label: "Phone", kinds: ["mobile", "home", "work", "work fax"], inputmode: "tel" },
  { name: "email", label: "E-mail", kinds: ["home", "work"], inputmode: "email" },
  { name: "address", label: "Address", kinds: ["home", "work"],
    parts: ["Street", "Postal code and town", "Region", "Country"] },
  { name: "birthday", label: "Birthday", hint: dateHint },
  { name: "org", label: "Organization", hint: "Company; department" },
  { name: "tag", label: "Tags", hint: "With commas between them" },
  { name: "note", label: "Note", isLong: true },
  { name: "nickname", label: "Nicknames", hint: "With commas between them", isMore: true },
  { name: "title", label: "Title", isMore: true },
  { name: "role", label: "Role", isMore: true },
  { name: "anniversary", label: "Anniversary", hint: dateHint, isMore: true },
  { name: "url", label: "Web page", kinds: ["home", "work"], inputmode: "url", isMore: true },
  { name: "im", label: "Messenger", kinds: ["home", "work"], isMore: true },
];

let made = 0;

function input(properties, value) {
  const name = properties.isLong ? "textarea" : "input";
  const { isLong, ...attributes } = properties;
  const element = make(name, { autocomplete: "off", ...(isLong ? { rows: "4" } : { type: "text" }), ...attributes });
  element.value = value;
  return element;
}

// An address is a text with its parts separated by semicolons.
function parts(field, value) {
  const texts = field.parts ? value.split(";").map((text) => text.trim()) : [value];
  if (field.parts) texts.push(texts.splice(field.parts.length - 1).filter(Boolean).join(", "));
  const labels = field.parts ?? [field.label];
  return labels.map((label, place) => {
    const hint = field.hint ? `hint-${field.name}` : null;
    return { label, element: input(
      { id: `field-${++made}`, isLong: field.isLong, inputmode: field.inputmode, "aria-describedby": hint,
        "data-hint": hint }, texts[place] ?? "") };
  });
}

/** A field with its values: `element` shows it, `read()` returns the values, `write(values)` replaces them. */
export function makeField(field, values) {
  const box = make("div", { class: "rows" });
  let rows = [];

  function addRow({ kind = "", value = "" } = {}) {
    const inputs = parts(field, value);
    const kindInput = field.kinds
      ? input({ class: "kind", list: `kinds-${field.name}`, "aria-label": `Kind of ${field.label.toLowerCase()}`,
        placeholder: "kind" }, kind) : null;
    const cells = inputs.map(({ label, element }) => make("div", { class: "cell" },
      make("label", { for: element.id, class: field.parts || !field.kinds ? null : "visually-hidden", text: label }), element));
    const row = { inputs: inputs.map((part) => part.element), kindInput, value };
    row.untouched = texts(row);
    const removal = field.kinds ? make("button", { type: "button", class: "quiet", "aria-label": `Remove this ${field.label.toLowerCase()}`,
      click: () => drop(row), text: "✕" }) : null;
    row.element = make("div", { class: field.parts ? "row wide" : "row" },
      ...[kindInput, make("div", { class: "cells" }, ...cells), removal].filter(Boolean));
    rows.push(row);
    box.append(row.element);
    return row;
  }

  const texts = (row) => row.inputs.map((part) => part.value).join("\n");

  function drop(row) {
    rows = rows.filter((other) => other !== row);
    row.element.remove();
    (rows.at(-1)?.inputs[0] ?? add).focus();
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function write(list) {
    rows = [];
    box.replaceChildren();
    for (const value of list) addRow(value);
    if (!rows.length) addRow();
  }

  // An input cannot show every value, such as one with line breaks: unchanged values are returned as they
  // were.
  function valueOf(row) {
    if (texts(row) === row.untouched) return row.value;
    if (field.isLong) return row.inputs[0].value;
    const words = row.inputs.map((part) => part.value.trim());
    while (words.length > 1 && !words.at(-1)) words.pop();
    return field.parts ? words.map((text) => text.replaceAll(";", ",")).join("; ") : words[0];
  }

  function read() {
    return rows.map((row) => ({ field: field.name, kind: row.kindInput?.value.trim() ?? "", value: valueOf(row),
      input: row.inputs[0] })).filter(({ value }) => value);
  }

  const add = field.kinds
    ? make("button", { type: "button", class: "quiet", text: `Add ${field.label.toLowerCase()}`,
      click: () => (addRow().kindInput).focus() }) : null;
  const content = [box, add,
    field.kinds ? make("datalist", { id: `kinds-${field.name}` }, ...field.kinds.map((kind) => make("option", { value: kind }))) : null,
    field.hint ? make("p", { id: `hint-${field.name}`, class: "hint", text: field.hint }) : null].filter(Boolean);
  const element = field.kinds
    ? make("fieldset", { "data-field": field.name }, make("legend", { text: field.label }), ...content)
    : make("div", { class: "field", "data-field": field.name }, ...content);
  write(values);
  return { field, element, read, write, first: () => rows[0]?.inputs[0] ?? add };
}
