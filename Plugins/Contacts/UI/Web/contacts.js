// The contact list with search as you type. The address holds the whole state: ?q=words&id=contact.
import { getJSON, getPage, onTopics } from "/assets/hub.js";

const pageSize = 50;
const largestPage = 1000;
const [query, list, count, empty, more, details] =
  ["query", "list", "count", "empty", "more", "details"].map((id) => document.getElementById(id));
const state = { words: "", id: null, rows: [], next: null, total: 0 };
let latest = 0;
let listIsRead = Promise.resolve();

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function address(changes) {
  const wanted = { q: state.words, id: state.id, ...changes };
  const fields = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  return "/contacts" + (fields.size ? "?" + fields : "");
}

// The list

const links = () => [...list.querySelectorAll("a")];
const linkTo = (id) => links().find((link) => link.dataset.id === id);

function listItem(contact) {
  const link = element("a");
  link.href = address({ id: contact.id });
  link.dataset.id = contact.id;
  link.append(element("span", "name", contact.name), element("span", "phone", contact.phone));
  if (contact.email) link.append(element("span", "email", contact.email));
  const item = element("li");
  item.append(link);
  return item;
}

function markOpenContact() {
  for (const link of links()) {
    if (link.dataset.id === state.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// Whoever walks through the list with the keyboard stays where they are when it is drawn anew.
function drawList() {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  list.replaceChildren(...state.rows.map(listItem));
  markOpenContact();
  if (focused) (linkTo(focused) ?? query).focus();
  const [shown, total] = [state.rows.length.toLocaleString(), state.total.toLocaleString()];
  const isCut = state.words && state.rows.length >= pageSize;
  count.textContent = state.words ? `${isCut ? "best " : ""}${shown} of ${total}` : total;
  more.hidden = state.next === null;
  empty.hidden = state.rows.length > 0;
  empty.textContent = state.words
    ? `No contact matches “${state.words}”.` : "No contacts. Import some: hub contacts import FILE";
}

// An answer that was overtaken by a newer question is dropped.
async function readList(url, rowsBefore = []) {
  const ticket = ++latest;
  try {
    const [page, sum] = await Promise.all([getPage(url), getJSON("/api/contacts/count")]);
    if (ticket !== latest) return;
    Object.assign(state, { rows: rowsBefore.concat(page.rows), next: page.next, total: sum.contacts });
    drawList();
  } catch (error) {
    if (ticket !== latest) return;
    empty.hidden = false;
    empty.textContent = error.message;
  }
}

const readMore = () => readList(state.next, state.rows);

// As many contacts as are shown already, where a page can hold them.
function readAgain() {
  const shown = state.words ? pageSize : Math.max(pageSize, state.rows.length);
  const fields = new URLSearchParams({ limit: Math.min(shown, largestPage) });
  if (state.words) fields.set("q", state.words);
  listIsRead = readList("/api/contacts?" + fields);
}

// One contact

// A number to call and an address to write to are links; all else is text.
function valueElement({ label, value }) {
  const scheme = { phone: "tel:", email: "mailto:" }[label.split(" ")[0]];
  if (!scheme) return element("dd", "", value);
  const link = element("a", "", value);
  link.href = scheme + (scheme === "tel:" ? value.replace(/[^\d+]/g, "") : encodeURIComponent(value).replace("%40", "@"));
  const item = element("dd");
  item.append(link);
  return item;
}

function drawDetails(contact) {
  const back = element("a", "back", "← All contacts");
  back.href = address({ id: null });
  const lines = element("dl");
  for (const line of contact.lines) lines.append(element("dt", "", line.label), valueElement(line));
  details.replaceChildren(back, element("h2", "", contact.name), lines);
  document.title = `${contact.name} · Contacts`;
}

async function readDetails() {
  document.body.classList.toggle("reading", state.id !== null);
  markOpenContact();
  if (state.id === null) {
    details.replaceChildren(element("p", "empty", "Choose a contact to see all that is known of it."));
    document.title = "Contacts";
    return;
  }
  const asked = state.id;
  try {
    const contact = await getJSON("/api/contacts/" + encodeURIComponent(asked));
    if (asked === state.id) drawDetails(contact);
  } catch (error) {
    if (asked === state.id) details.replaceChildren(element("p", "empty", error.message));
  }
}

function open(id) {
  history.pushState(null, "", address({ id }));
  state.id = id;
  const isRead = readDetails();
  if (list.checkVisibility() === false) details.focus();
  return isRead;
}

function close() {
  const left = state.id;
  open(null);
  (linkTo(left) ?? query).focus();
}

function readAddress() {
  const fields = new URLSearchParams(location.search);
  state.words = fields.get("q") ?? "";
  state.id = fields.get("id");
  query.value = state.words;
}

// What a person does

function findWords(words) {
  state.words = words;
  history.replaceState(null, "", address({}));
  readAgain();
}

function step(by) {
  const all = links();
  const isInList = list.contains(document.activeElement);
  const now = isInList ? all.indexOf(document.activeElement) : -1;
  if (now + by < 0) query.select();
  else all[Math.min(now + by, all.length - 1)]?.focus();
}

function goBack() {
  if (state.id !== null) return close();
  query.value = "";
  query.focus();
  if (state.words) findWords("");
}

// Whoever types faster than the list is read gets the best match all the same. What is awaited may be overtaken by a
// newer reading, after a change elsewhere: then that one counts.
async function openFirst() {
  let awaited;
  do {
    awaited = listIsRead;
    await awaited;
  } while (awaited !== listIsRead);
  if (state.rows.length) open(state.rows[0].id);
}

query.addEventListener("input", () => findWords(query.value.trim()));
list.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  open(link.dataset.id);
});
details.addEventListener("click", (event) => {
  if (!event.target.closest(".back")) return;
  event.preventDefault();
  close();
});
more.addEventListener("click", readMore);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const isReading = details.contains(document.activeElement);
  const act = {
    "/": document.activeElement !== query && (() => query.select()),
    ArrowDown: !isReading && (() => step(1)),
    ArrowUp: !isReading && (() => step(-1)),
    Enter: document.activeElement === query && openFirst,
    Escape: goBack,
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});
window.addEventListener("popstate", () => {
  readAddress();
  readAgain();
  readDetails();
});

readAddress();
readAgain();
readDetails();
onTopics(["domain.contacts/*"], () => {
  readAgain();
  readDetails();
});
