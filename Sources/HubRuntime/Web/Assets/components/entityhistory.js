// The history of an item: who changed what and when, and the way back to an earlier version.
import { itemURL, nameOf, plugin } from "/assets/components/entities.js";
import { momentWords, sentence } from "/assets/components/format.js";
import { create, h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { tellError, undoable } from "/assets/components/undoable.js";
import { choose } from "/assets/dialog.js";
import { getJSON } from "/assets/hub.js";

/**
 * What an item was and is: its values by field, those that it had not then or has not now marked.
 * @param {Hub.EarlierValue[]} values
 * @param {(field: string) => string} [fieldName] the words for a field
 * @returns {Hub.Description}
 */
export function earlierValues(values, fieldName = (field) => sentence(field.replaceAll("_", " ")).slice(0, -1)) {
  const fields = [...new Set(values.map(({ field }) => field))];
  /** @type {(value: Hub.EarlierValue) => Hub.Description} */
  const drawn = ({ value, span }) =>
    span === "same"
      ? h("span", { dir: "auto" }, value)
      : h(
          span === "then" ? "mark" : "s",
          { dir: "auto", class: span },
          h("span", { class: "visually-hidden" }, span === "then" ? "then: " : "now: "),
          value,
        );
  return h(
    "dl",
    { class: "lines earlier" },
    fields.map((field) =>
      h(
        "div",
        { class: "line", key: field },
        h("dt", null, fieldName(field)),
        values.filter((value) => value.field === field).map((value) => h("dd", null, drawn(value))),
      ),
    ),
  );
}

/**
 * Shows an item as it was after an operation, and offers to restore that.
 * @param {Hub.Entity} entity
 * @param {{ id: string }} item
 * @param {Hub.EntityChange} change
 * @param {(() => unknown) | null} restore
 * @param {((field: string) => string) | undefined} fieldName
 */
async function showEarlier(entity, item, change, restore, fieldName) {
  try {
    /** @type {Hub.EarlierValue[]} */
    const values = await getJSON(itemURL(entity, item.id, `/at/${encodeURIComponent(change.operation)}`));
    const isSame = values.every(({ span }) => span === "same");
    const hint = isSame ? "It is the same now." : "Marked is what has changed since; what is struck through came later.";
    const answer = await choose({
      id: "earlier",
      title: `As it was: ${momentWords(change.at)}`,
      content: [create(h("p", { class: "hint" }, hint)), create(h("div", { class: "scroll-box" }, earlierValues(values, fieldName)))],
      choices: [
        { value: "", words: "Close" },
        ...(restore && !isSame ? [{ value: "restore", words: "Restore this version", class: "main" }] : []),
      ],
    });
    if (answer === "restore") await restore?.();
  } catch (error) {
    tellError(error);
  }
}

const verbs = { removed: "Moved to the trash" };

/**
 * The changes of an item, newest first. Each version can be restored, unless the item is in the trash; then `restored` is called.
 * @param {Hub.Entity} entity
 * @param {{ id: string, deleted_at?: string | null }} item
 * @param {Hub.EntityChange[]} changes
 * @param {() => unknown} restored
 * @param {(field: string) => string} [fieldName] the words for a field
 * @returns {Hub.Description}
 */
export function historyList(entity, item, changes, restored, fieldName) {
  const restore = async ({ at, operation }) => {
    const words = `Version of ${momentWords(at)} restored.`;
    if (await undoable("POST", itemURL(entity, item.id, "/restore"), { operation }, words)) restored();
  };
  const isThere = ({ verb }) => verb !== "removed" && verb !== "deleted";
  const canRestore = (place) => place > 0 && !item.deleted_at;
  // A change begins with its field.
  const named = (/** @type {string} */ words) => {
    const [field, ...value] = words.split(" ");
    return fieldName ? `${fieldName(field)}: ${value.join(" ")}` : words;
  };
  const row = (change, place) =>
    h(
      "li",
      { key: change.operation },
      h("strong", null, verbs[change.verb] ?? sentence(change.verb).slice(0, -1)),
      " ",
      h("time", { datetime: change.at, class: "hint" }, momentWords(change.at)),
      change.who && change.who !== "user" && h("span", { class: "hint" }, ` by ${change.who}`),
      change.changes.map((words) => h("p", { dir: "auto" }, named(words))),
      isThere(change) &&
        h(
          "div",
          { class: "actions" },
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              onclick: () => showEarlier(entity, item, change, canRestore(place) ? () => restore(change) : null, fieldName),
            },
            "As it was",
          ),
          canRestore(place) && h("button", { type: "button", class: "quiet", onclick: () => restore(change) }, "Restore this version"),
        ),
    );
  return h("ol", { class: "history", key: "history" }, changes.map(row));
}

/**
 * Shows the history of the item of the address in a page of `splitPage`.
 * @param {{ page: Hub.SplitPage, entity: Hub.Entity, topics?: string[], label?: (item: any) => string,
 *   fieldName?: (field: string) => string }} properties
 */
export function historyView({ page, entity, topics = [`domain.${plugin}/*`], label = nameOf, fieldName }) {
  const id = page.state.id ?? "";
  page.show({
    topics,
    read: async (signal) => {
      const item = await getJSON(itemURL(entity, id), { signal });
      return { item, changes: await getJSON(itemURL(entity, item.id, "/history"), { signal }) };
    },
    draw: ({ item, changes }) => [
      page.heading(`History of ${label(item)}`, { back: page.backLink({ id, words: `Back to ${label(item)}` }) }),
      changes.length
        ? historyList(entity, item, changes, page.refresh, fieldName)
        : empty("No history yet", { picture: "clock", words: "History does not go back to the last change." }),
    ],
  });
}
