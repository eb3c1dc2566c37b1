// The colours of an analysis: one for each category, or one for each band of values.
import { make } from "/assets/dom.js";
import { askBounds } from "/mintee/popup.js";

/** What a new analysis begins with. */
export const standardLegend = { categorizedEntries: [{ category: 1, color: "09B300FF" }, { category: 3, color: "AD0C00FF" },
  { category: 2, color: "AD0C00FF" }], completionEntries: [] };

const categories = [[1, "■ Reached target"], [3, "▲ Over target"], [2, "▼ Under target"]];

// The field of the browser knows no opacity: what was kept of it stays.
function colorField(id, words, color) {
  const input = make("input", { type: "color", id, "aria-label": words, value: "#" + color.slice(0, 6).toLowerCase() });
  return { input, read: () => input.value.slice(1).toUpperCase() + color.slice(6) };
}

/** The legend of a form; `words` are its bands as people read them. */
export function makeLegend(legend, words) {
  const categorized = categories.map(([category, name]) => {
    const kept = legend.categorizedEntries.find((entry) => entry.category === category)
      ?? standardLegend.categorizedEntries.find((entry) => entry.category === category);
    return { category, name, ...colorField(`category-${category}`, name, kept.color) };
  });
  let bands = legend.completionEntries.map((entry, place) => ({ target: entry, words: words[place], ...colorField(`band-${place}`, words[place], entry.color) }));
  let made = bands.length;
  const list = make("ol", { class: "bands" });
  const add = make("button", { type: "button", id: "add-band", text: "Add band", click: async () => {
    const set = await askBounds();
    if (set) bands.push({ target: set, words: set.bounds, ...colorField(`band-${made++}`, set.bounds, "09B300FF") });
    draw();
    add.focus();
  } });
  const kinds = [["category", "By category"], ["band", "By bands of values"]].map(([value, text]) => {
    const input = make("input", { type: "radio", name: "legend", value, id: `legend-${value}`, change: show });
    input.checked = (value === "band") === bands.length > 0;
    return [input, make("span", { class: "choice" }, input, make("label", { for: input.id, text }))];
  });
  const byCategory = make("div", { class: "colors" }, ...categorized.map(({ input, name }) =>
    make("span", { class: "choice" }, input, make("label", { for: input.id, text: name }))));
  const byBand = make("div", {}, make("p", { class: "hint", text: "The first band that a value meets counts." }), list, make("div", { class: "cell" }, add));
  const isBand = () => kinds[1][0].checked;

  function show() {
    byCategory.hidden = isBand();
    byBand.hidden = !isBand();
  }

  function move(place, by) {
    const [band] = bands.splice(place, 1);
    bands.splice(place + by, 0, band);
    draw();
    list.children[place + by].querySelector("button:enabled").focus();
  }

  async function edit(place) {
    const set = await askBounds(bands[place].target);
    if (set) Object.assign(bands[place], { target: set, words: set.bounds });
    draw();
    list.children[place].querySelector(".edit").focus();
  }

  function draw() {
    const tool = (text, label, click, properties = {}) => make("button", { type: "button", "aria-label": label, click, ...properties }, text);
    list.replaceChildren(...bands.map((band, place) => make("li", { class: "card" },
      make("span", { class: "choice" }, band.input, make("label", { for: band.input.id, text: band.words })),
      make("span", { class: "actions" }, tool("Edit", `Edit ${band.words}`, () => edit(place), { class: "edit" }),
        tool("↑", `Move up ${band.words}`, () => move(place, -1), { disabled: place === 0 }),
        tool("↓", `Move down ${band.words}`, () => move(place, 1), { disabled: place === bands.length - 1 }),
        tool("Remove", `Remove ${band.words}`, () => { bands = bands.filter((other) => other !== band); draw(); add.focus(); }, { class: "danger" })))));
  }

  draw();
  show();
  return {
    element: make("fieldset", { class: "choices", "data-field": "legend" }, make("legend", { text: "Colours" }), ...kinds.map(([, line]) => line), byCategory, byBand),
    first: () => (isBand() ? add : kinds[0][0]),
    read: () => ({
      categorizedEntries: isBand() ? [] : categorized.map(({ category, read }) => ({ category, color: read() })),
      completionEntries: isBand() ? bands.map(({ target, read }) => ({ color: read(), min: target.min, minOperator: target.minOperator,
        max: target.max, maxOperator: target.maxOperator })) : [],
    }),
  };
}
