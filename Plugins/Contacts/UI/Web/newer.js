// What somebody else changed while a form was open.
import { make } from "/assets/dom.js";

const same = (one, other) => one.kind === other.kind && one.value === other.value;
const has = (values, value) => values.some((other) => same(other, value));
const without = (values, others) => values.filter((value) => !has(others, value));
const words = (values) => values.map(({ kind, value }) => [kind, value].filter(Boolean).join(" ")).join(", ") || "nothing";

/**
 * Takes what `contact` has that the form was not filled with into the form, where that loses nothing of what was typed, and
 * tells of it. The form is then one of the newer revision.
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

// One field: values of a list are added and taken away one by one; of a single value the person's own stays.
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
