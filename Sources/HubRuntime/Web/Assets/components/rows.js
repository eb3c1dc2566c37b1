// Fields that hold several values: rows of the same shape, and lists in an order of their own.
import { dragHandle } from "/assets/components/dragging.js";
import { newID } from "/assets/components/fields.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { create, h } from "/assets/components/patch.js";

const changed = (element) => element.dispatchEvent(new Event("input", { bubbles: true }));

/**
 * A list of values that each have a kind, such as phone numbers. `kinds` are pairs of value and words; any other kind can be typed;
 * a row that is added has `usual`. `parts` are the inputs of one value: `{label, …properties}`; `split(value)` and `join(texts)`
 * convert. Values are `{kind, value}`; empty ones are left out, and unchanged ones are given back as they were.
 * @param {Hub.RowsProperties} properties
 * @returns {Hub.Field<Hub.Row[]>}
 */
export function rowsField({
  name,
  label,
  addLabel,
  kinds,
  parts,
  split = (value) => [value],
  join = ([text]) => text,
  value = [],
  usual = "",
}) {
  const box = create(h("div", { class: "rows" }));
  const adder = create(
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => {
          addRow().inputs[0].focus();
        },
      },
      icon("add"),
      addLabel,
    ),
  );
  const element = create(h("fieldset", { class: "field", "data-field": name }, h("legend", null, label), box, adder));
  let rows = [];

  const texts = (row) => row.inputs.map((input) => input.value).join("\n");

  function kindControl(kind) {
    const isOwn = kind !== "" && !kinds.some(([key]) => key === kind);
    const own = create(
      h("input", {
        type: "text",
        class: "kind",
        "aria-label": `Kind of ${label.toLowerCase()}`,
        autocomplete: "off",
        hidden: !isOwn,
        value: isOwn ? kind : "",
      }),
    );
    const select = create(
      h(
        "select",
        {
          class: "kind",
          "aria-label": `Kind of ${label.toLowerCase()}`,
          hidden: isOwn,
          value: isOwn ? "" : kind,
          onchange: () => {
            if (select.value !== "*") return;
            [select.hidden, own.hidden] = [true, false];
            own.focus();
          },
        },
        h("option", { value: "" }, "No label"),
        kinds.map(([key, words]) => h("option", { value: key }, words)),
        h("option", { value: "*" }, "Custom…"),
      ),
    );
    return { elements: [select, own], read: () => (own.hidden ? select.value : own.value.trim()) };
  }

  function addRow({ kind = usual, value: text = "" } = {}) {
    const shown = split(text);
    const control = kindControl(kind);
    const inputs = parts.map(({ label: words, ...properties }, place) =>
      create(
        h("input", {
          type: "text",
          autocomplete: "off",
          id: newID(),
          placeholder: null,
          "aria-label": parts.length === 1 ? words : null,
          value: shown[place] ?? "",
          ...properties,
        }),
      ),
    );
    const row = { inputs, control, value: text, element: null, untouched: "" };
    row.element = create(
      h(
        "div",
        { class: parts.length > 1 ? "row wide" : "row" },
        h("div", { class: "kinds" }, control.elements),
        h(
          "div",
          { class: "cells" },
          inputs.map((input, place) =>
            h("div", { class: "cell" }, parts.length > 1 && h("label", { for: input.id }, parts[place].label), input),
          ),
        ),
        iconButton("close", `Remove this ${label.toLowerCase()}`, () => drop(row)),
      ),
    );
    row.untouched = texts(row);
    rows.push(row);
    box.append(row.element);
    return row;
  }

  function drop(row) {
    const place = rows.indexOf(row);
    rows = rows.filter((other) => other !== row);
    row.element.remove();
    (rows[Math.min(place, rows.length - 1)]?.inputs[0] ?? adder).focus();
    changed(element);
  }

  function write(list) {
    rows = [];
    box.replaceChildren();
    for (const item of list) addRow(item);
    // What has many parts is there when it is asked for.
    if (!rows.length && parts.length === 1) addRow();
  }

  const valueOf = (row) => (texts(row) === row.untouched ? row.value : join(row.inputs.map((input) => input.value.trim())));
  const filled = () => rows.filter(valueOf);

  write(value);
  return {
    name,
    label,
    element,
    isList: true,
    write,
    words: (list) => list.map((item) => item.value).join(", "),
    read: () => filled().map((row) => ({ kind: row.control.read(), value: valueOf(row) })),
    input: (index = 0) => (filled()[index] ?? rows[0])?.inputs[0] ?? adder,
    focus: (index = 0) => ((filled()[index] ?? rows[0])?.inputs[0] ?? adder).focus(),
  };
}

/**
 * A list that people put in order, with buttons and by dragging. `row(item)` describes an item; `name(item)` names it. Calls
 * `moved(item, from, to)` after each move.
 * @template Item
 * @param {Hub.OrderedProperties<Item>} properties
 * @returns {Hub.OrderedList<Item>}
 */
export function orderedList({ label, items, row, name, moved }) {
  const list = create(h("ol", { class: "ordered", "aria-label": label }));
  let all = [...items];

  function move(item, to) {
    const from = all.indexOf(item);
    if (to < 0 || to >= all.length || to === from) return;
    all.splice(to, 0, ...all.splice(from, 1));
    draw();
    moved(item, from, to);
  }

  function step(item, by, event) {
    const words = event.currentTarget.getAttribute("aria-label");
    move(item, all.indexOf(item) + by);
    // At the end of the list the other button is left.
    const [same, other] = [true, false].map((isSame) =>
      [...list.children[all.indexOf(item)].querySelectorAll("button.move")].find(
        (button) => (button.getAttribute("aria-label") === words) === isSame && !button.disabled,
      ),
    );
    (same ?? other)?.focus();
  }

  function draw() {
    /** @type {any} */
    const focused = document.activeElement;
    list.replaceChildren(
      ...all.map((item, place) =>
        create(
          h(
            "li",
            null,
            h(
              "span",
              dragHandle((from, to) => move(all[from], to)),
              icon("drag"),
            ),
            h("div", null, row(item)),
            iconButton("up", `Move ${name(item)} up`, (event) => step(item, -1, event), {
              class: "icon-button move",
              disabled: place === 0,
            }),
            iconButton("down", `Move ${name(item)} down`, (event) => step(item, 1, event), {
              class: "icon-button move",
              disabled: place === all.length - 1,
            }),
          ),
        ),
      ),
    );
    if (focused?.isConnected) focused.focus();
  }

  draw();
  return {
    element: list,
    read: () => [...all],
    write: (list) => {
      all = [...list];
      draw();
    },
  };
}
