// The dates of a Specific task, in their order.
import { make } from "/assets/dom.js";
import { longDate } from "/mintee/text.js";

/** The list of dates of a form. */
export function makeDates(dates) {
  let chosen = [...dates];
  const list = make("ul", { class: "dates", "aria-label": "Chosen dates" });
  const field = make("input", { id: "date", type: "date", keydown: (event) => {
    if (event.key !== "Enter" || event.ctrlKey) return;
    event.preventDefault();
    add();
  } });
  const element = make("fieldset", { "data-field": "dates" }, make("legend", { text: "Dates" }), list,
    make("div", { class: "inputs" }, make("label", { class: "visually-hidden", for: "date", text: "Another date" }),
      make("div", { class: "cell" }, field), make("button", { type: "button", id: "add-date", text: "Add date", click: add })));

  function add() {
    if (!field.value) return field.focus();
    chosen = [...new Set([...chosen, field.value])].sort();
    draw();
    field.focus();
  }

  function draw() {
    list.hidden = !chosen.length;
    list.replaceChildren(...chosen.map((date) => make("li", {}, longDate(date), make("button", { type: "button", class: "remove",
      "aria-label": `Remove ${longDate(date)}`, text: "×", click: () => {
        chosen = chosen.filter((other) => other !== date);
        draw();
        field.focus();
      } }))));
  }

  draw();
  return { element, first: () => field, read: () => chosen };
}
