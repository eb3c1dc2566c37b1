// Changes made elsewhere while a form is open.
import { make } from "/assets/dom.js";

const same = (one, other) => one.kind === other.kind && one.value === other.value;
const has = (values, value) => values.some((other) => same(other, value));
const without = (values, others) => values.filter((value) => !has(others, value));
const words = (values) => values.map(({ kind, value }) => [kind, value].filter(Boolean).join(" ")).join(", ") || "nothing";

/**
 * Merges the values of `contact` that changed since the form was filled into the form, unless that overwrites typed text, and
 * shows the changes. The form then has the newer revision.
 */
export function takeIn(form, contact) {
  const lines = form.parts.map((part) => meet(part, form.base, contact.form)).filter(Boolean);
  Object.assign(form, { base: contact.form, revision: contact.revision });
  form.untouched = null;
  return make("section", { class: "newer", role: "alert", tabindex: "-1" },
    make("h3", { text: "Not saved yet: this contact was changed elsewhere meanwhile" }),
    make("ul", {}, ...lines),
    make("p", { text: "All you typed is still here. Look at it, then save again." }));
}

// Merges a field: values of a list are added and removed one by one; an edited single value is kept.
function meet(part, allBase, allTheirs) {
  const name = part.field.name;
  const [base, theirs] = [allBase, allTheirs].map((all) => all.filter((value) => value.field === name));
  const mine = part.read();
  const [added, removed] = [without(theirs, base), without(base, theirs)];
  if (!added.length && !removed.length) return null;
  const isMineOld = !without(mine, base).length && !without(base, mine).length;
  const change = `${part.field.label}: ${words(base)} → ${words(theirs)}`;
  if (part.field.kinds || isMineOld) {
    part.write(without(mine, removed).concat(without(added, mine)));
    return make("li", { text: `${change}. It is in the form now.` });
  }
  if (!without(theirs, mine).length && mine.length === theirs.length) return null;
  const take = make("button", { type: "button", text: "Take theirs", click: () => {
    part.write(theirs);
    part.first().focus();
    part.element.dispatchEvent(new Event("input", { bubbles: true }));
  } });
  return make("li", {}, `${change}. Yours stays: ${words(mine)}. `, take);
}
