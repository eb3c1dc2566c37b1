// What is to be reached: a lower and an upper bound with their operators.
import { make } from "/assets/dom.js";

const operators = [[1, "<"], [2, "<="], [3, "="], [0, "N/A"]];
const equal = 3;
const none = 0;

function choice(id, words, chosen, change) {
  const select = make("select", { id, "aria-label": words, change });
  for (const [value, text] of operators) {
    const option = make("option", { value, text });
    option.selected = value === chosen;
    select.append(option);
  }
  return select;
}

/** The fields of a target, empty with `<` on both sides, or filled with `target`. */
export function makeBounds(target = null) {
  const [lowOperator, highOperator] = target ? [target.minOperator, target.maxOperator] : [1, 1];
  const number = (id, words, value) => {
    const input = make("input", { id, "aria-label": words, inputmode: "decimal", autocomplete: "off" });
    input.value = value ?? "";
    return input;
  };
  const lower = number("lower", "Lower bound", lowOperator === none ? "" : target?.min);
  const upper = number("upper", "Upper bound", highOperator === none ? "" : target?.max);
  const lowerOperator = choice("lower-operator", "Lower operator", lowOperator, show);
  const upperOperator = choice("upper-operator", "Upper operator", highOperator, show);

  // = on one side leaves nothing to say on the other, and without an operator there is no bound.
  function show() {
    const [low, high] = [Number(lowerOperator.value), Number(upperOperator.value)];
    lower.disabled = low === none || (high === equal && low !== equal);
    upper.disabled = high === none || (low === equal && high !== equal);
  }
  show();
  const element = make("fieldset", { class: "bounds" }, make("legend", { text: "Target" }),
    make("div", { class: "cell" }, lower), lowerOperator, make("span", { class: "x", text: "value" }), upperOperator,
    make("div", { class: "cell" }, upper),
    make("p", { class: "hint", text: "Leave one side blank for at least or at most. 1 <= value is done or not." }));
  return {
    element, fields: { lower, upper },
    read: () => ({ lowerOperator: Number(lowerOperator.value), lower: lower.value, upperOperator: Number(upperOperator.value),
      upper: upper.value }),
  };
}
