// Sync conflicts with both versions side by side.
import { age, button, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell, tellError } from "/assets/toast.js";
import { address, article, begin, heading } from "/contacts/page.js";

const link = document.getElementById("conflicts");
let conflicts = [];

/** Whether the contact has an open conflict. */
export const hasConflict = (id) => conflicts.some((conflict) => conflict.id === id);

/** Reads the number of conflicts for the link. */
export async function readConflicts() {
  try {
    conflicts = await getJSON("/api/contacts/conflicts");
  } catch {
    return; // The list shows the error.
  }
  link.textContent = conflicts.length ? `Conflicts (${conflicts.length})` : "Conflicts";
}

/** Shows all conflicts; `place` is the index of the one to focus. */
export async function drawConflicts({ place = null } = {}) {
  const isHere = begin();
  await readConflicts();
  if (!isHere()) return;
  const focused = document.activeElement.closest("[data-item]");
  if (place === null && focused) place = [...article.querySelectorAll("[data-item]")].indexOf(focused);
  const items = conflicts.map(card);
  article.replaceChildren(...heading("Conflicts", { takesFocus: place === null }),
    make("p", { class: "hint", text: "Changed here and on the other side in different ways. Both versions are safe until you choose." }),
    make("ul", { class: "cards" }, ...items), ...(items.length ? [] : [notice("No conflicts.")]));
  if (place !== null) (items[Math.min(place, items.length - 1)] ?? article.querySelector("h2")).focus();
}

const cell = (value) => make("td", value === null ? { class: "gone", text: "(removed)" } : { text: value });

function card(conflict, place) {
  const rows = conflict.values.map((value) => make("tr", {},
    make("th", { scope: "row", text: [value.field, value.kind].filter(Boolean).join(" ") }), cell(value.here), cell(value.there)));
  const table = make("table", {},
    make("thead", {}, make("tr", {}, make("td"), make("th", { scope: "col", text: `Here, ${age(conflict.changed_here)}` }),
      make("th", { scope: "col", text: `On ${conflict.account}, ${age(conflict.changed_there ?? conflict.since)}` }))),
    make("tbody", {}, ...rows));
  const canKeepBoth = conflict.values.some((value) => value.can_keep_both);
  const decide = (take) => () => resolve(conflict, take, place);
  return make("li", { class: "card", "data-item": "", tabindex: "-1" },
    make("h3", {}, make("a", { href: address({ id: conflict.id, view: null }), text: conflict.name })),
    make("div", { class: "scroll" }, table),
    conflict.merged.length ? make("p", { class: "hint", text: `Merged by itself: ${conflict.merged.join(", ")}` }) : null,
    make("p", { class: "actions" },
      button("Keep what is here", "1", decide("here"), { "data-key": "1" }),
      button(`Take what is on ${conflict.account}`, "2", decide("there"), { "data-key": "2" }),
      canKeepBoth ? button("Keep both", "3", decide("both"), { "data-key": "3" }) : null));
}

async function resolve(conflict, take, place) {
  try {
    const { operation } = await sendJSON("POST", `/api/contacts/conflicts/${encodeURIComponent(conflict.id)}?take=${take}`);
    const kept = { here: "kept what is here", there: `took what is on ${conflict.account}`, both: "kept both" }[take];
    tell(`${conflict.name}: ${kept}.`, { operation });
    await drawConflicts({ place });
  } catch (error) {
    tellError(error);
  }
}
