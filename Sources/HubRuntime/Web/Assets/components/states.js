// What a view shows when it has nothing, waits, or failed.
import { sentence } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { icon } from "/assets/components/icons.js";

/**
 * An empty view: what would be here, and `actions` that lead on.
 * @param {string} title
 * @param {{ words?: string | null, picture?: string | null, actions?: Hub.Child[] }} options
 * @returns {Hub.Description}
 */
export function empty(title, { words = null, picture = null, actions = [] } = {}) {
  return h(
    "div",
    { class: "state", key: "state" },
    picture && icon(picture, { size: "large" }),
    h("p", { class: "state-title" }, title),
    words && h("p", null, words),
    actions.length > 0 && h("div", { class: "actions" }, actions),
  );
}

/**
 * A view that waits; it is seen only when the wait is long.
 * @param {string} [words]
 * @returns {Hub.Description}
 */
export function busy(words = "Loading…") {
  return h("div", { class: "state waiting", key: "state", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), words);
}

/**
 * A view whose data could not be read; `retry` reads them again.
 * @param {Hub.Failure} error
 * @param {(() => unknown) | null} [retry]
 * @returns {Hub.Description}
 */
export function failed(error, retry = null) {
  const isGone = error.status === 404;
  return h(
    "div",
    { class: "state", key: "state", role: "alert" },
    icon(isGone ? "search" : "warning", { size: "large" }),
    h("p", { class: "state-title" }, sentence(error.message)),
    error.hint && !isGone && h("p", null, sentence(error.hint)),
    retry && !isGone && h("div", { class: "actions" }, h("button", { type: "button", onclick: retry }, "Try again")),
  );
}
