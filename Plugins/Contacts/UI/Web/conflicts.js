// Sync conflicts with both versions side by side; one above the other on a phone.
import { ago, counted, listed } from "/assets/components/format.js";
import { patch, h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";
import { capital, lineWords } from "/contacts/labels.js";
import { address, heading, refresh, show } from "/contacts/page.js";

const badge = /** @type {HTMLElement} */ (document.getElementById("conflict-count"));
let conflicts = [];

/**
 * Whether the contact has an open conflict.
 * @param {string} id
 * @returns {boolean}
 */
export const hasConflict = (id) => conflicts.some((conflict) => conflict.id === id);

function keep(read) {
  conflicts = read;
  patch(badge, read.length ? h("span", { class: "badge", "aria-label": `${read.length} open` }, String(read.length)) : null);
  return read;
}

/** Reads the number of conflicts for the tab. */
export async function readConflicts() {
  keep(await getJSON("/api/contacts/conflicts").catch(() => conflicts));
}

/** Shows all conflicts. */
export function drawConflicts() {
  show({
    topics: ["domain.contacts/*"],
    read: async (signal) => keep(await getJSON("/api/contacts/conflicts", { signal })),
    draw: (found) => [
      heading("Conflicts"),
      found.length > 0 &&
        h(
          "p",
          { class: "hint", key: "about" },
          `${counted(found.length, "contact")} changed here and on the other side in different ways. ` +
            "Both versions are safe until you choose.",
        ),
      h("ul", { class: "cards", key: "cards" }, found.map(card)),
      !found.length &&
        empty("No conflicts", {
          picture: "check",
          words: "When a contact is changed here and on a server at once, you choose here which version counts.",
        }),
    ],
  });
}

function value(words, label) {
  return h("td", { role: "cell", class: words === null ? "gone" : null, "data-label": label }, words ?? "Removed");
}

function card(conflict) {
  const [here, there] = [`Here, ${ago(conflict.changed_here)}`, `On ${conflict.account}, ${ago(conflict.changed_there ?? conflict.since)}`];
  const canKeepBoth = conflict.values.some((line) => line.can_keep_both);
  const act = (words, key, take) =>
    h("button", { type: "button", ...keyed(key), "data-act": take, onclick: () => resolve(conflict, take) }, words);
  return h(
    "li",
    { class: "card conflict", key: conflict.id, "data-item": "", tabindex: "-1", "aria-label": conflict.name },
    h("h3", null, h("a", { href: address({ id: conflict.id, view: null }) }, conflict.name)),
    h(
      "table",
      { class: "versions", role: "table" },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          h("td", { role: "cell" }),
          h("th", { scope: "col", role: "columnheader" }, here),
          h("th", { scope: "col", role: "columnheader" }, there),
        ),
      ),
      h(
        "tbody",
        { role: "rowgroup" },
        conflict.values.map((line) =>
          h(
            "tr",
            { role: "row" },
            h("th", { scope: "row", role: "rowheader" }, lineWords(line.field, line.kind)),
            value(line.here, here),
            value(line.there, there),
          ),
        ),
      ),
    ),
    conflict.merged.length > 0 &&
      h("p", { class: "hint" }, `Already merged: ${listed(conflict.merged.map((words) => words.replace(/^./, capital)))}.`),
    h(
      "div",
      { class: "actions" },
      act("Keep the version here", "1", "here"),
      act(`Use the version on ${conflict.account}`, "2", "there"),
      canKeepBoth && act("Keep both", "3", "both"),
    ),
  );
}

async function resolve(conflict, take) {
  const kept = { here: "kept the version here", there: `used the version on ${conflict.account}`, both: "kept both" }[take];
  await undoable("POST", `/api/contacts/conflicts/${encodeURIComponent(conflict.id)}?take=${take}`, {}, `${conflict.name}: ${kept}.`);
  refresh();
}
