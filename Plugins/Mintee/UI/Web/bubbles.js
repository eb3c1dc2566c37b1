// Days and weeks as bubbles that are chosen or not.
import { make } from "/assets/dom.js";

/** Days of the week as they are shown, with their numbers as they are kept. */
export const weekdays = [
  [2, "M", "Monday"], [3, "T", "Tuesday"], [4, "W", "Wednesday"], [5, "R", "Thursday"], [6, "F", "Friday"], [7, "S", "Saturday"],
  [1, "U", "Sunday"],
];
/** Weeks of a month. */
export const weeks = [[1, "1st", "First"], [2, "2nd", "Second"], [3, "3rd", "Third"], [4, "4th", "Fourth"], [5, "Last", "Last"]];
/** Days of a month; the last one, whichever it is, is kept as 0. */
export const monthDays = [...Array.from({ length: 31 }, (_, place) => [place + 1, String(place + 1), `Day ${place + 1}`]), [0, "Last", "Last day"]];

/** Bubbles to choose from: `element`, `read()` for the chosen numbers, `first()`. */
export function makeBubbles(title, name, choices, chosen) {
  const inputs = choices.map(([number, , words]) => {
    const input = make("input", { type: "checkbox", id: `${name}-${number}`, "aria-label": words, class: "visually-hidden" });
    input.checked = chosen.includes(number);
    input.dataset.number = number;
    return input;
  });
  const element = make("fieldset", { class: `bubbles ${name}` }, make("legend", { text: title }),
    ...inputs.map((input, place) => make("span", { class: "bubble" }, input,
      make("label", { for: input.id, "aria-hidden": "true", title: choices[place][2], text: choices[place][1],
        class: choices[place][1].length > 3 ? "long" : null }))));
  return {
    element, first: () => inputs[0],
    read: () => inputs.filter((input) => input.checked).map((input) => Number(input.dataset.number)).sort((a, b) => a - b),
  };
}

const row = (choices, chosen) => make("span", { class: "week-row" }, ...choices.map(([number, letter]) =>
  make("span", { class: ["bubble", chosen.includes(number) && "on", letter.length > 2 && "long"].filter(Boolean).join(" "), text: letter })));

/** The bubbles of a pattern as a picture; its words stand beside it. */
export function shownBubbles(pattern) {
  const rows = { 1: [[weekdays, pattern.DaysOfWeek]], 2: [[weekdays, pattern.DaysOfWeek], [weeks, pattern.WeeksOfMonth]],
    3: [[monthDays, pattern.DaysOfMonth]] }[pattern.Type];
  return make("span", { class: `picture type-${pattern.Type}`, "aria-hidden": "true" }, ...rows.map(([choices, chosen]) => row(choices, chosen)));
}
