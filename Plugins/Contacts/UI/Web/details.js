// The details of a contact.
import { age, button, key, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { tell, tellError } from "/assets/toast.js";
import { hasConflict } from "/contacts/conflicts.js";
import { focusOn, focusedID, nameOf, neighbour, readList } from "/contacts/list.js";
import { address, article, begin, go, heading, state } from "/contacts/page.js";

let shown = null;

// Phone numbers and e-mail addresses are links; postal addresses have several lines; other values are text.
function valueElement({ label, value }) {
  const field = label.split(" ")[0];
  if (field === "address") value = value.split(";").map((part) => part.trim()).filter(Boolean).join("\n");
  const scheme = { phone: "tel:", email: "mailto:" }[field];
  if (!scheme) return make("dd", { text: value });
  const target = scheme === "tel:" ? value.replace(/[^\d+]/g, "") : encodeURIComponent(value).replace("%40", "@");
  return make("dd", {}, make("a", { href: scheme + target, text: value }));
}

function actions(contact) {
  if (contact.deleted_at) {
    return make("p", { class: "mark", text: `In the trash since ${age(contact.deleted_at)}: hub contacts restore ${contact.id}` });
  }
  return make("p", { class: "actions" },
    make("a", { class: "button", href: address({ id: contact.id, view: "edit" }), "aria-keyshortcuts": "e" }, "Edit ", key("e")),
    button("Delete", "#", () => remove(contact.id), { class: "danger" }));
}

function conflictMark(contact) {
  if (!hasConflict(contact.id)) return null;
  return make("p", { class: "mark" }, "⚠ Changed in two places in different ways. ",
    make("a", { href: address({ id: null, view: "conflicts" }), text: "Choose between both versions" }));
}

/** Shows the contact in the URL, or a hint if there is none. */
export async function drawDetails() {
  const isHere = begin();
  shown = null;
  if (state.id === null) {
    article.replaceChildren(notice("Choose a contact to see all that is known of it, or press n to make one."));
    document.title = "Contacts";
    return;
  }
  try {
    const contact = await getJSON("/api/contacts/" + encodeURIComponent(state.id));
    if (!isHere()) return;
    shown = contact;
    const hadFocus = article.contains(document.activeElement);
    const lines = make("dl", {}, ...contact.lines.flatMap((line) => [make("dt", { text: line.label }), valueElement(line)]));
    article.replaceChildren(
      ...[...heading(contact.name, { takesFocus: false }), conflictMark(contact), lines, actions(contact)].filter(Boolean));
    if (hadFocus) article.focus();
  } catch (error) {
    if (isHere()) article.replaceChildren(notice(error.message));
  }
}

/** Moves a contact to the trash without asking, and offers undo. */
export async function remove(id) {
  const seen = shown?.id === id ? shown : null;
  const [name, after, wasInList] = [seen?.name ?? nameOf(id), neighbour(id), focusedID() !== null];
  try {
    const { operation } = await sendJSON(
      "DELETE", "/api/contacts/" + encodeURIComponent(id), {}, { revision: seen?.revision ?? null });
    tell(`${name} is in the trash.`, { operation });
    if (wasInList || seen) focusOn(after);
    if (state.id === id) await go({ id: null });
    await readList();
    if (wasInList || seen) focusOn(after);
  } catch (error) {
    tellError(error);
    if (error.code === "edit-conflict") drawDetails();
  }
}
