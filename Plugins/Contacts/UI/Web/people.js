// The list of contacts: search as one types, filters, letters, and several at once.
import { avatar } from "/assets/components/avatar.js";
import { counted, number } from "/assets/components/format.js";
import { iconButton } from "/assets/components/icons.js";
import { letterRail, windowedList } from "/assets/components/list.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { searchList } from "/assets/components/searchlist.js";
import { isBeside } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { mergeSelected, moveSelected, removeSelected, saveFile, tagSelected } from "/contacts/selection.js";
import { go, note, redraw, setEmpty, state } from "/contacts/page.js";

const pane = document.getElementById("people");
const tools = document.getElementById("list-tools");
const rail = document.getElementById("letters");
const none = document.getElementById("list-state");
let filters = { tags: [], books: [], trashed: 0 };
let letters = [];

/**
 * The address of a contact's picture; null for none.
 * @param {{ id: string, photo?: string | null }} contact
 * @returns {string | null}
 */
export const photoOf = ({ id, photo }) => (photo ? `/api/contacts/${encodeURIComponent(id)}/photo?v=${photo}` : null);

const condition = () => Object.fromEntries(["q", "tag", "book"].filter((name) => state[name]).map((name) => [name, state[name]]));

async function load(offset, limit, signal) {
  const answer = await getJSON("/api/contacts/rows?" + new URLSearchParams({ ...condition(), offset, limit }), { signal });
  letters = answer.letters;
  return { rows: answer.contacts, total: answer.total, groups: answer.letters };
}

function row(contact) {
  const below = [contact.organization, contact.email].filter(Boolean).join(" · ") || contact.phone;
  return [
    h("span", { class: "pick" }, avatar(contact.name, { photo: photoOf(contact) })),
    h("span", { class: "words" }, h("span", { class: "title" }, contact.name), below && h("span", { class: "subtitle" }, below)),
  ];
}

/**
 * The list itself.
 * @type {Hub.List<Contacts.Item>}
 */
export const list = windowedList({
  label: "Contacts",
  load,
  row,
  id: (contact) => contact.id,
  selected: drawTools,
  drawn: drawState,
  allIDs: async () => (await getJSON("/api/contacts/ids?" + new URLSearchParams(condition()))).ids,
  open: (contact) => {
    const isByPointer = isBeside() && !document.activeElement.matches(":focus-visible");
    return go({ id: contact.id }, { focus: isByPointer ? null : "heading" });
  },
});
list.element.id = "contacts";

/**
 * Whether there is no contact at all.
 * @returns {boolean}
 */
export const isEmpty = () => list.isKnown && list.total === 0 && !state.q && !state.tag && !state.book;

/**
 * The tags and books in use.
 * @returns {Contacts.Filters}
 */
export const inUse = () => filters;

function drawState({ total: count, isKnown }) {
  if (!isKnown) return drawTools();
  patch(rail, letters.length > 1 && count > 30 ? letterRail(letters, list.jump) : null);
  pane.classList.toggle("lettered", letters.length > 1 && count > 30);
  none.hidden = count > 0;
  if (setEmpty(isEmpty())) redraw();
  if (count === 0)
    patch(none, isEmpty() ? null : empty(state.q ? `No contact matches “${state.q}”` : "No contacts here", { picture: "search" }));
  drawTools();
}

function filterWords() {
  if (state.tag) return `Tag: ${state.tag}`;
  if (state.book === "here") return "In no book";
  return filters.books.find(({ id }) => id === state.book)?.name ?? "All contacts";
}

function filterItems() {
  const item = (words, count, changes, picture) => ({
    words: `${words} (${number(count)})`,
    picture,
    act: () => filter(changes),
    isChecked: (changes.tag ?? "") === state.tag && (changes.book ?? "") === state.book,
  });
  const tags = filters.tags.map(({ name, count }) => item(name, count, { tag: name }));
  const books = filters.books.map(({ id, name, count }) => item(name, count, { book: id }));
  const all = { words: "All contacts", act: () => filter({}), isChecked: !state.tag && !state.book };
  const here = books.length ? [{ words: "In no book", act: () => filter({ book: "here" }), isChecked: state.book === "here" }] : [];
  return [all, ...(tags.length ? [null, ...tags] : []), ...(books.length ? [null, ...books, ...here] : [])];
}

function drawTools() {
  const { selection } = list;
  if (!selection.length) {
    const count = !list.isKnown ? "" : state.q ? counted(list.total, "match", "matches") : counted(list.total, "contact");
    return patch(
      tools,
      h(
        "div",
        { class: "toolbar", key: "filters" },
        menuButton({
          label: "Filter",
          words: filterWords(),
          items: filterItems,
          properties: { class: state.tag || state.book ? "quiet menu-button filtered" : "quiet menu-button" },
        }),
        (state.tag || state.book) && iconButton("close", "Show all contacts", () => filter({})),
        h("output", { class: "grow count", for: "query" }, count),
      ),
    );
  }
  const done = () => list.clearSelection();
  patch(
    tools,
    h(
      "div",
      { class: "selection-bar", key: "selection", role: "toolbar", "aria-label": "Selected contacts" },
      iconButton("close", "Clear the selection", done),
      h("strong", { role: "status" }, `${number(selection.length)} selected`),
      selection.length < list.total && iconButton("select", "Select all", () => list.selectAll()),
      iconButton("tag", "Change tags", () => tagSelected(selection, filters.tags)),
      filters.books.length > 0 &&
        iconButton("book", "Move to a book", () =>
          moveSelected(selection, filters.books).then((isDone) => {
            if (isDone) done();
          }),
        ),
      selection.length > 1 &&
        iconButton("merge", "Merge", () =>
          mergeSelected(selection, list.itemOf).then((isDone) => {
            if (isDone) done();
          }),
        ),
      menuButton({
        label: "Export",
        picture: "download",
        items: () =>
          [
            ["vCard", "vcard", "vcf"],
            ["CSV for Google", "csv", "csv"],
            ["Birthdays as a calendar", "ics", "ics"],
          ].map(([words, format, ending]) => ({ words, act: () => saveFile(selection, format, ending) })),
      }),
      iconButton("trash", "Delete", () =>
        removeSelected(selection).then((isDone) => {
          if (isDone) done();
        }),
      ),
    ),
  );
}

/**
 * Shows only contacts of a tag or a book.
 * @param {{ tag?: string, book?: string }} wanted
 * @returns {Promise<void>}
 */
export function filter({ tag = "", book = "" }) {
  note({ tag, book });
  return restart();
}

async function readFilters() {
  filters = await getJSON("/api/contacts/filters").catch(() => filters);
  drawTools();
}

/** The list with the search field. */
const search = searchList({
  list,
  topics: ["domain.contacts/*"],
  state,
  note,
  go,
  readFilters,
});
export const { find, followAddress, openFirst, refreshList, removing, startList } = search;
const { restart } = search;
