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

/** The contact after `id`, or before it if it is the last; null if it is the only one. */
export function neighbour(id) {
  const place = rows.findIndex((row) => row.id === id);
  return place < 0 ? null : (rows[place + 1] ?? rows[place - 1])?.id ?? null;
}

/** Focuses a contact of the list, or else the search field. */
export function focusOn(id) { (linkTo(id) ?? query).focus(); }

function item(contact) {
  const link = make("a", { href: address({ id: contact.id, view: null, days: null }), "data-id": contact.id },
    make("span", { class: "name", text: contact.name }), make("span", { class: "phone", text: contact.phone }),
    contact.email ? make("span", { class: "email", text: contact.email }) : null);
  return make("li", {}, link);
}

/** Highlights the open contact. */
export function markOpen() {
  for (const link of links()) {
    if (link.dataset.id === state.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// Keeps the keyboard focus when the list is redrawn.
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

// A response to an outdated request is ignored.
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

/** Reloads as many contacts as are shown, up to the page limit. */
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

/** Shows the query of the URL in the search field. */
export function showWords() { if (query.value.trim() !== state.q) query.value = state.q; }

/** Moves the focus by some contacts; the search field precedes the first one. */
export function step(by) {
  const all = links();
  const from = focusedID() ?? (document.activeElement === query ? null : state.id);
  const place = all.findIndex((link) => link.dataset.id === from);
  if (place + by < 0) query.select();
  else all[Math.min(place + by, all.length - 1)]?.focus();
}

/** Opens the best match, also if the user types faster than the list loads: the awaited request may be
 * replaced by a newer one, which is used then. */
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
