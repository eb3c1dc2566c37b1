// The list with search as you type.
import { make } from "/assets/dom.js";
import { getJSON, getPage } from "/assets/hub.js";
import { address, go, note, state } from "/contacts/page.js";

const pageSize = 50;
const largestPage = 1000;
const [query, list, count, empty, more] =
  ["query", "list", "count", "empty", "more"].map((id) => document.getElementById(id));
let rows = [];
let next = null;
let latest = 0;
let isRead = Promise.resolve();

export const links = () => [...list.querySelectorAll("a")];
const linkTo = (id) => links().find((link) => link.dataset.id === id);

/** The id of the contact in the list that has the focus, or null. */
export const focusedID = () => (list.contains(document.activeElement) ? document.activeElement.dataset.id : null);

/** The name of a contact that is listed. */
export const nameOf = (id) => rows.find((row) => row.id === id)?.name;

/** The contact behind `id`, or before it when it is the last; null when it is alone. */
export function neighbour(id) {
  const place = rows.findIndex((row) => row.id === id);
  return place < 0 ? null : (rows[place + 1] ?? rows[place - 1])?.id ?? null;
}

/** Puts the focus on a contact of the list, or else on the search. */
export function focusOn(id) { (linkTo(id) ?? query).focus(); }

function item(contact) {
  const link = make("a", { href: address({ id: contact.id, view: null, days: null }), "data-id": contact.id },
    make("span", { class: "name", text: contact.name }), make("span", { class: "phone", text: contact.phone }),
    contact.email ? make("span", { class: "email", text: contact.email }) : null);
  return make("li", {}, link);
}

/** Marks the contact that is open. */
export function markOpen() {
  for (const link of links()) {
    if (link.dataset.id === state.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// Whoever walks through the list with the keyboard stays where they are when it is drawn anew.
function draw(total) {
  const focused = focusedID();
  const place = links().findIndex((link) => link.dataset.id === focused);
  list.replaceChildren(...rows.map(item));
  markOpen();
  if (focused) (linkTo(focused) ?? links()[Math.min(place, rows.length - 1)] ?? query).focus();
  const [shown, all] = [rows.length.toLocaleString(), total.toLocaleString()];
  const isCut = state.q && rows.length >= pageSize;
  count.textContent = state.q ? `${isCut ? "best " : ""}${shown} of ${all}` : all;
  more.hidden = next === null;
  empty.hidden = rows.length > 0;
  empty.textContent = state.q
    ? `No contact matches “${state.q}”.` : "No contacts. Press n to make one, or import some: hub contacts import FILE";
}

// An answer that was overtaken by a newer question is dropped.
async function read(url, rowsBefore = []) {
  const ticket = ++latest;
  try {
    const [page, sum] = await Promise.all([getPage(url), getJSON("/api/contacts/count")]);
    if (ticket !== latest) return;
    rows = rowsBefore.concat(page.rows);
    next = page.next;
    draw(sum.contacts);
  } catch (error) {
    if (ticket !== latest) return;
    empty.hidden = false;
    empty.textContent = error.message;
  }
}

/** Reads the list again, as many contacts as are shown already, where a page can hold them. */
export function readList() {
  const shown = state.q ? pageSize : Math.max(pageSize, rows.length);
  const fields = new URLSearchParams({ limit: Math.min(shown, largestPage) });
  if (state.q) fields.set("q", state.q);
  isRead = read("/api/contacts?" + fields);
  return isRead;
}

/** Searches for `words`. */
export function find(words) {
  note({ q: words });
  readList();
}

/** Shows the words of the address in the search. */
export function showWords() { if (query.value.trim() !== state.q) query.value = state.q; }

/** Moves the focus by some contacts; before the first one is the search. */
export function step(by) {
  const all = links();
  const from = focusedID() ?? (document.activeElement === query ? null : state.id);
  const place = all.findIndex((link) => link.dataset.id === from);
  if (place + by < 0) query.select();
  else all[Math.min(place + by, all.length - 1)]?.focus();
}

/** Opens the best match. Whoever types faster than the list is read gets it all the same: what is awaited may be
 * overtaken by a newer reading, and then that one counts. */
export async function openFirst() {
  let awaited;
  do {
    awaited = isRead;
    await awaited;
  } while (awaited !== isRead);
  return rows.length > 0 && go({ id: rows[0].id });
}

query.addEventListener("input", () => find(query.value.trim()));
more.addEventListener("click", () => read(next, rows));
