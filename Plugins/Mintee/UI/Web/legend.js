// The colours of an analysis: one for each result, or one for each band of values.
import { newID, radioField } from "/assets/components/fields.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { create, h, patch } from "/assets/components/patch.js";
import { orderedList } from "/assets/components/rows.js";
import { askBounds } from "/mintee/targets.js";

const [green, red] = ["09B300FF", "AD0C00FF"];
/** @type {[number, string, string][]} */
const categories = [
  [1, "Reached", green],
  [3, "Over the target", red],
  [2, "Missed", red],
];

/**
 * The colours of a new analysis: tints by what was reached.
 * @type {Mintee.Legend}
 */
export const standardLegend = { categorizedEntries: categories.map(([category, , color]) => ({ category, color })), completionEntries: [] };

// The field of the browser knows no opacity: what was kept of it stays.
const css = (color) => "#" + color.slice(0, 6).toLowerCase();
const kept = (value, color) => value.slice(1).toUpperCase() + color.slice(6);

/**
 * The field of the colours. Its value is that of exports, with `words` for the bands.
 * @param {{ name: string }} properties
 * @returns {Hub.Field<Mintee.Legend>}
 */
export function legendField({ name }) {
  const label = "Colours";
  const kind = radioField({
    label,
    options: [
      ["result", "By result"],
      ["band", "By value range"],
    ],
  });
  const results = create(h("div", { class: "options" }));
  const adder = create(h("button", { type: "button", class: "quiet", onclick: add }, icon("add"), "Add range"));
  let value = standardLegend;
  /** @type {{ target: Mintee.Target, words: string, color: string }[]} */
  let bands = [];
  const list = orderedList({
    label: "Value ranges",
    items: bands,
    name: ({ words }) => words,
    moved: () => {
      bands = list.read();
      changed();
    },
    row: (band) =>
      h(
        "div",
        { class: "toolbar" },
        h("input", {
          type: "color",
          "aria-label": `Colour of ${band.words}`,
          value: css(band.color),
          oninput: (event) => {
            band.color = kept(event.currentTarget.value, band.color);
          },
        }),
        h("span", { class: "grow" }, band.words),
        iconButton("edit", `Edit ${band.words}`, () => edit(band)),
        iconButton("close", `Remove ${band.words}`, () => draw(bands.filter((other) => other !== band))),
      ),
  });
  const own = create(h("div", null, h("p", { class: "hint" }, "The first range that contains a value applies."), list.element, adder));
  const element = create(h("div", { class: "field", "data-field": name }, kind.element, results, own));
  const changed = () => element.dispatchEvent(new Event("input", { bubbles: true }));
  const colorOf = (category, standard) => value.categorizedEntries.find((entry) => entry.category === category)?.color ?? standard;

  function draw(next) {
    bands = next;
    list.write(bands);
    changed();
  }
  async function add() {
    const set = await askBounds();
    if (set) draw([...bands, { target: set, words: set.goal, color: green }]);
    adder.focus();
  }
  async function edit(band) {
    const set = await askBounds(band.target);
    if (set) draw(bands.map((other) => (other === band ? { ...band, target: set, words: set.goal } : other)));
    adder.focus();
  }
  function fit() {
    results.hidden = kind.read() === "band";
    own.hidden = kind.read() !== "band";
  }
  function write(next) {
    value = next;
    kind.write(next.completionEntries.length ? "band" : "result");
    patch(
      results,
      categories.map(([category, words, standard]) => {
        const [id, color] = [newID("color"), colorOf(category, standard)];
        return h(
          "label",
          { class: "check", key: `${category} ${color}` },
          h("input", { type: "color", id, "data-category": category, value: css(color) }),
          h("span", null, words),
        );
      }),
    );
    draw(next.completionEntries.map((entry, place) => ({ target: entry, words: next.words?.[place] ?? "", color: entry.color })));
    fit();
  }
  kind.element.addEventListener("change", fit);
  write(value);
  return {
    name,
    label,
    element,
    input: () => (kind.read() === "band" ? adder : kind.input()),
    focus: () => kind.focus(),
    write,
    words: () => "other colours",
    read: () => ({
      categorizedEntries:
        kind.read() === "band"
          ? []
          : categories.map(([category, , standard]) => ({
              category,
              color: kept(results.querySelector(`[data-category="${category}"]`).value, colorOf(category, standard)),
            })),
      completionEntries:
        kind.read() === "band"
          ? bands.map(({ target, color }) => ({
              color,
              min: target.min,
              minOperator: target.minOperator,
              max: target.max,
              maxOperator: target.maxOperator,
            }))
          : [],
      words: kind.read() === "band" ? bands.map(({ words }) => words) : [],
    }),
  };
}
