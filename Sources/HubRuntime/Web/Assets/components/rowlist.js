// Short lists whose rows have buttons: each list is one stop of the Tab key. Arrows move between rows, and to what a row offers.
import { keys } from "/assets/components/keys.js";

/**
 * The row that is `by` rows further; the ends stay.
 * @param {number} place
 * @param {number} by
 * @param {number} count
 * @returns {number}
 */
const stepped = (place, by, count) => Math.max(0, Math.min(place + by, count - 1));

/**
 * Makes the lists in `root` one tab stop each. `stop(list, row, first)` gives the properties of the main element of a row, which
 * all rows have; what else a row offers gets `inRow`. Arrow keys move in all lists of `root`, in their order.
 * @param {HTMLElement} root
 * @param {() => unknown} redraw draws the rows again
 * @returns {{ stop: (list: string, row: string, first: string) => Hub.Properties, inRow: Hub.Properties }}
 */
export function rowStops(root, redraw) {
  /**
   * The row of each list that Tab leads to.
   * @type {Map<string, string>}
   */
  const current = new Map();

  root.addEventListener("focusin", (event) => {
    const row = /** @type {HTMLElement} */ (event.target).closest("[data-row]")?.querySelector("[data-stop]");
    if (!row) return;
    const { list = "", stop = "" } = row.dataset;
    if (current.get(list) === stop) return;
    current.set(list, stop);
    redraw();
  });

  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const row = focused.closest("[data-row]");
    if (!row || !root.contains(row) || event.ctrlKey || event.metaKey || event.altKey || focused.matches("input, textarea, select")) return;
    const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const isLTR = getComputedStyle(row).direction !== "rtl";
    const aside = { ArrowRight: isLTR ? 1 : -1, ArrowLeft: isLTR ? -1 : 1 }[event.key];
    const all = /** @type {HTMLElement[]} */ (
      by ? [...root.querySelectorAll("[data-stop]")] : aside ? [...row.querySelectorAll("a, button:enabled")] : []
    );
    if (!all.length) return;
    event.preventDefault();
    const from = by ? all.indexOf(/** @type {HTMLElement} */ (row.querySelector("[data-stop]"))) : all.indexOf(focused);
    all[stepped(from, by ?? aside ?? 0, all.length)].focus();
  };
  root.addEventListener("keydown", keys(onKey));

  return {
    stop: (list, row, first) => ({
      "data-list": list,
      "data-stop": row,
      tabindex: (current.get(list) ?? first) === row ? "0" : "-1",
    }),
    inRow: { tabindex: "-1" },
  };
}
