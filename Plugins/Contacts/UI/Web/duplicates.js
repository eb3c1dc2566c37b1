// Possible duplicates with the matching fields.
import { button, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell, tellError } from "/assets/toast.js";
import { article, begin, heading } from "/contacts/page.js";

let isAll = false;

/** Shows the groups; `place` is the index of the one to focus. */
export async function drawDuplicates({ place = null } = {}) {
  const isHere = begin();
  if (!article.querySelector(".duplicates")) article.replaceChildren(...heading("Duplicates"), notice("Looking…"));
  try {
    const groups = await getJSON("/api/contacts/duplicates" + (isAll ? "?all=1" : ""));
    if (isHere()) draw(groups, place);
  } catch (error) {
    if (isHere()) article.replaceChildren(...heading("Duplicates"), notice(error.message));
  }
}

function draw(groups, place) {
  const box = make("input", { type: "checkbox", id: "all-duplicates", change: () => {
    isAll = box.checked;
    drawDuplicates().then(() => document.getElementById("all-duplicates")?.focus());
  } });
  box.checked = isAll;
  const items = groups.map(card);
  article.replaceChildren(...heading("Duplicates", { takesFocus: place === null }),
    make("p", { class: "hint", text: "Contacts that may be the same person. Merging loses nothing: all values are added to the contact that you keep." }),
    make("p", { class: "choice" }, box, make("label", { for: box.id, text: "Also contacts that only have similar names" })),
    make("ul", { class: "cards duplicates" }, ...items),
    ...(groups.length ? [] : [notice("No duplicates.")]));
  if (place !== null) (items[Math.min(place, items.length - 1)] ?? article.querySelector("h2")).focus();
}

function card(group, place) {
  const name = `stays-${place}`;
  const members = group.contacts.map((contact, index) => {
    const radio = make("input", { type: "radio", name, value: contact.id, id: `${name}-${index}` });
    radio.checked = index === 0;
    return make("li", {}, radio, make("label", { for: radio.id },
      make("strong", { text: contact.name }), make("span", { text: [contact.phone, contact.email].filter(Boolean).join(" · ") })));
  });
  const plan = make("details", { toggle: () => plan.open && showPlan(plan, asked(item)) },
    make("summary", { text: "Preview" }), make("p", { "aria-live": "polite" }));
  const item = make("li", { class: "card", "data-item": "", tabindex: "-1", change: () => { plan.open = false; } },
    make("p", {}, make("strong", { text: group.tier }), ": " + group.evidence.join(", ")),
    make("fieldset", { class: "plain" }, make("legend", { text: "Which one to keep?" }), make("ul", { class: "members" }, ...members)),
    plan,
    make("p", { class: "actions" },
      button("Merge", "m", () => merge(asked(item), place), { "data-key": "m", class: "main" }),
      button("Not duplicates", "x", () => keepApart(group, place), { "data-key": "x" })));
  return item;
}

// The choice of the user: the contact to keep, and those to merge into it.
function asked(item) {
  const radios = [...item.querySelectorAll("input[type=radio]")];
  return { keep: radios.find((radio) => radio.checked).value, drop: radios.filter((radio) => !radio.checked).map((radio) => radio.value) };
}

const chosen = (merged) => merged.conflicts.map(({ field, kept, dropped }) => `${field} keeps “${kept}”, not “${dropped}”`);

async function showPlan(plan, choice) {
  try {
    const { body } = await sendJSON("POST", "/api/contacts/merge", { ...choice, dry_run: true });
    const lines = [...body.changes.map((change) => `adds ${change}`), ...chosen(body)];
    plan.querySelector("p").textContent = `${body.name}: ${lines.join("; ") || "nothing new"}.`;
  } catch (error) {
    plan.querySelector("p").textContent = error.message;
  }
}

async function merge(choice, place) {
  try {
    const { body, operation } = await sendJSON("POST", "/api/contacts/merge", choice);
    const news = [...body.changes, ...chosen(body)].join(", ") || "nothing new";
    tell(`Merged ${body.dropped.map(({ name }) => name).join(", ")} into ${body.name}: ${news}.`, { operation });
    await drawDuplicates({ place });
  } catch (error) {
    tellError(error);
  }
}

async function keepApart(group, place) {
  try {
    const { operation } = await sendJSON("POST", "/api/contacts/duplicates/apart", { ids: group.contacts.map(({ id }) => id) });
    tell(`Marked as different people: ${group.contacts.map(({ name }) => name).join(", ")}.`, { operation });
    await drawDuplicates({ place });
  } catch (error) {
    tellError(error);
  }
}
