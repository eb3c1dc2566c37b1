// The keyboard shortcuts.
import { isTyping, onKeys, showHelp } from "/assets/keys.js";
import { remove } from "/contacts/details.js";
import { cancel, isOpen, submit } from "/contacts/form.js";
import { find, focusOn, focusedID, links, openFirst, step } from "/contacts/list.js";
import { article, go, state } from "/contacts/page.js";

const query = document.getElementById("query");
const items = () => [...article.querySelectorAll("[data-item]")];
const isList = () => state.view !== null && items().length > 0;

// In a view with its own list the keys move in that list, unless the focus is in the list of contacts.
function move(by) {
  if (!isList() || focusedID() !== null || document.activeElement === query) return step(by);
  const all = items();
  const place = all.indexOf(document.activeElement.closest("[data-item]"));
  all[Math.max(0, Math.min(place + by, all.length - 1))].focus();
}

async function goBack() {
  if (isOpen()) return cancel();
  const { id, view } = state;
  if (view !== null || id !== null) {
    if (await go({ id: null })) focusOn(id);
    return;
  }
  if (document.activeElement === query && !query.value) return links()[0]?.focus();
  query.value = "";
  query.focus();
  if (state.q) find("");
}

const chosen = () => focusedID() ?? (state.view === null ? state.id : null);
const withChosen = (act) => () => { const id = chosen(); if (id) act(id); };
const edit = withChosen((id) => go({ id, view: "edit" }));
const drop = withChosen(remove);

const act = {
  "/": () => query.select(), "?": showHelp, n: () => go({ id: null, view: "new" }), e: edit, "#": drop, Delete: drop,
  d: () => go({ id: null, view: "duplicates" }), c: () => go({ id: null, view: "conflicts" }),
  b: () => go({ id: null, view: "birthdays" }), j: () => move(1), k: () => move(-1),
  ArrowDown: () => move(1), ArrowUp: () => move(-1),
};
// Arrow keys scroll details and move between suggestions of a field; in the search field they move to the list.
const isArrowTaken = (name) => name.startsWith("Arrow")
  && (document.activeElement.matches("input[type=radio]") || (article.contains(document.activeElement) && !isList()));

async function openBest() { if (await openFirst()) article.focus(); }

function handler(event) {
  const active = document.activeElement;
  if (event.key === "Escape") return goBack;
  if (event.ctrlKey) return event.key === "Enter" && isOpen() ? submit : null;
  if (active === query) return { Enter: openBest, ArrowDown: act.ArrowDown, ArrowUp: act.ArrowUp }[event.key];
  if (isTyping(active) || isArrowTaken(event.key)) return null;
  const button = active.closest("[data-item]")?.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
  if (button) return () => button.click();
  if (isOpen() && article.contains(active) && !["/", "?"].includes(event.key)) return null;
  return Object.hasOwn(act, event.key) ? act[event.key] : null;
}

onKeys(handler);
