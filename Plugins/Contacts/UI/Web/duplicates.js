// Contacts that may be one person, and why.
import { button, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell, tellError } from "/assets/toast.js";
import { article, begin, heading } from "/contacts/page.js";

let isAll = false;

/** Shows the groups; `place` is the one that gets the focus. */
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
    make("p", { class: "hint", text: "Contacts that may be one person. Merging loses nothing: the one that stays takes over every value." }),
    make("p", { class: "choice" }, box, make("label", { for: box.id, text: "Also those of whom only the names are alike" })),
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
    make("summary", { text: "What merging would do" }), make("p", { "aria-live": "polite" }));
  const item = make("li", { class: "card", "data-item": "", tabindex: "-1", change: () => { plan.open = false; } },
    make("p", {}, make("strong", { text: group.tier }), ": " + group.evidence.join(", ")),
    make("fieldset", { class: "plain" }, make("legend", { text: "Which one stays?" }), make("ul", { class: "members" }, ...members)),
    plan,
    make("p", { class: "actions" },
      button("Merge", "m", () => merge(asked(item), place), { "data-key": "m", class: "main" }),
      button("Not duplicates", "x", () => keepApart(group, place), { "data-key": "x" })));
  return item;
}

// What the person chose: who stays, and who is taken over.
function asked(item) {
  const radios = [...item.querySelectorAll("input[type=radio]")];
  return { keep: radios.find((radio) => radio.checked).value, drop: radios.filter((radio) => !radio.checked).map((radio) => radio.value) };
}

const chosen = (merged) => merged.conflicts.map(({ field, kept, dropped }) => `${field} stays “${kept}”, not “${dropped}”`);

async function showPlan(plan, choice) {
  try {
    const { body } = await sendJSON("POST", "/api/contacts/merge", { ...choice, dry_run: true });
    const lines = [...body.changes.map((change) => `takes over ${change}`), ...chosen(body)];
    plan.querySelector("p").textContent = `${body.name}: ${lines.join("; ") || "nothing new"}.`;
  } catch (error) {
    plan.querySelector("p").textContent = error.message;
  }
}

async function merge(choice, place) {
  try {
    const { body, operation } = await sendJSON("POST", "/api/contacts/merge", choice);
    const news = [...body.changes, ...chosen(body)].join(", ") || "nothing new";
    tell(`${body.name} took over ${body.dropped.map(({ name }) => name).join(", ")}: ${news}.`, { operation });
    await drawDuplicates({ place });
  } catch (error) {
    tellError(error);
  }
}

async function keepApart(group, place) {
  try {
    const { operation } = await sendJSON("POST", "/api/contacts/duplicates/apart", { ids: group.contacts.map(({ id }) => id) });
    tell(`Different people: ${group.contacts.map(({ name }) => name).join(", ")}.`, { operation });
    await drawDuplicates({ place });
  } catch (error) {
    tellError(error);
  }
}
