// From when to when a task is due. Neither date can pass the other: it takes the other one along.
import { make } from "/assets/dom.js";

/** The two dates of a form, and whether the end moves on by itself. */
export function makeSpan({ startDate, endDate, openEnd }) {
  const today = new Date().toISOString().slice(0, 10);
  const start = make("input", { id: "start", type: "date", required: true, change: () => {
    if (start.value > end.value) end.value = start.value;
  } });
  const end = make("input", { id: "end", type: "date", required: true, change: () => {
    if (end.value && end.value < start.value) start.value = end.value;
  } });
  const open = make("input", { id: "open-end", type: "checkbox", change: () => { end.disabled = open.checked; } });
  start.value = startDate ?? today;
  end.value = endDate ?? start.value;
  open.checked = openEnd;
  end.disabled = openEnd;
  const element = make("fieldset", { class: "span" }, make("legend", { text: "Due" }),
    make("div", { class: "field" }, make("label", { for: "start", text: "From" }), start),
    make("div", { class: "field" }, make("label", { for: "end", text: "To" }), end),
    make("p", { class: "choice" }, open, make("label", { for: "open-end", text: "No end: it lies a year ahead and moves on by itself" })));
  return {
    element, first: () => start, end: () => end,
    read: () => ({ startDate: start.value, openEnd: open.checked, ...(end.value ? { endDate: end.value } : {}) }),
  };
}
