// The target sets of a task, the strongest first.
import { make } from "/assets/dom.js";
import { shownBubbles } from "/mintee/bubbles.js";
import { askSet } from "/mintee/popup.js";

/** The list of sets of a form. */
export function makeSets(sets) {
  let chosen = [...sets];
  const list = make("ol", { class: "sets" });
  const add = make("button", { type: "button", id: "add-set", text: "Add target set", click: async () => {
    const set = await askSet();
    if (set) chosen.push(set);
    draw();
    add.focus();
  } });
  const element = make("fieldset", { "data-field": "sets" }, make("legend", { text: "Days and targets" }),
    make("p", { class: "hint", text: "On a day that several sets name the first one holds." }), list, make("div", { class: "cell" }, add));

  const tool = (words, text, place, act, properties = {}) => make("button", { type: "button", "aria-label": `${words} ${chosen[place].text}`,
    click: act, ...properties }, text);

  function move(place, by) {
    const [set] = chosen.splice(place, 1);
    chosen.splice(place + by, 0, set);
    draw();
    const item = list.children[place + by];
    (item.querySelector(by < 0 ? ".up:enabled" : ".down:enabled") ?? item.querySelector("button")).focus();
  }

  async function edit(place) {
    const set = await askSet(chosen[place]);
    if (set) chosen[place] = set;
    draw();
    list.children[place].querySelector("button").focus();
  }

  function drop(place) {
    chosen.splice(place, 1);
    draw();
    (list.children[Math.min(place, chosen.length - 1)]?.querySelector("button") ?? add).focus();
  }

  function item(set, place) {
    return make("li", { class: "card set" }, shownBubbles(set.pattern),
      make("p", {}, make("strong", { text: set.days }), make("span", { class: "hint", text: set.frequency }), make("span", { text: set.label })),
      make("p", { class: "actions" }, tool("Edit", "Edit", place, () => edit(place), { class: "edit" }),
        tool("Move up", "↑", place, () => move(place, -1), { class: "up", disabled: place === 0 }),
        tool("Move down", "↓", place, () => move(place, 1), { class: "down", disabled: place === chosen.length - 1 }),
        tool("Remove", "Remove", place, () => drop(place), { class: "danger" })));
  }

  function draw() { list.replaceChildren(...chosen.map(item)); }

  draw();
  // The words of a set are for people; the numbers are what is kept.
  const plain = ({ pattern, min, minOperator, max, maxOperator }, priority) => ({ pattern, min, minOperator, max, maxOperator, priority });
  return { element, first: () => add, read: () => chosen.map(plain) };
}
