// The list of contacts: search as one types, filters, letters, and several at once.
import { avatar } from "/assets/components/avatar.js";
import { entities, nameOf } from "/assets/components/entities.js";
import { entityList } from "/assets/components/entitylist.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { letterRail } from "/assets/components/list.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { condition, savedSearchItems } from "/assets/components/savedsearches.js";
import { addToGroup, mergeSelected, moveSelected, saveFile } from "/contacts/selection.js";
import { page, redraw, state } from "/contacts/page.js";

const pane = /** @type {HTMLElement} */ (document.getElementById("people"));
const rail = /** @type {HTMLElement} */ (document.getElementById("letters"));

// The filters of the list besides words.
const names = ["tag", "book", "group"];

/** What hub says of contacts. */
export const [contactEntity] = entities;

/**
 * The address of a contact's picture; null for none.
 * @param {{ id: string, photo?: string | null }} contact
 * @returns {string | null}
 */
export const photoOf = ({ id, photo }) => (photo ? `/api/contacts/${encodeURIComponent(id)}/photo?v=${photo}` : null);

function row(contact) {
  const name = nameOf(contact);
  const below = [contact.group && "Group", contact.organization[0], contact.email].filter(Boolean).join(" · ") || contact.phone;
  return [
    h("span", { class: "pick" }, avatar(name, { photo: photoOf(contact), sign: contact.group ? icon("people") : null })),
    h("span", { class: "words" }, h("span", { class: "title" }, name), below && h("span", { class: "subtitle" }, below)),
  ];
}

function filterItems(item) {
  const { books = [], groups = [], searches = [] } = inUse();
  const here = { ...item("In no book", null, { book: "here" }) };
  return [
    ...(groups.length ? [null, ...groups.map(({ id, group, count }) => item(`Group: ${group}`, count, { group: id }))] : []),
    ...(books.length ? [null, ...books.map(({ id, book, count }) => item(book, count, { book: id })), here] : []),
    ...savedSearchItems({ path: "/api/contacts/searches", searches, page, query: query(), names, changed: refreshList }),
  ];
}

// What is shown now, as one query.
function query() {
  const { books = [], groups = [] } = inUse();
  const group = groups.find(({ id }) => id === state.group)?.group;
  const book = books.find(({ id }) => id === state.book)?.book;
  return [state.q, condition("tag", state.tag), condition("group", group), condition("book", book)].filter(Boolean).join(" ");
}

function filterWords() {
  if (state.book === "here") return "In no book";
  if (state.group) {
    const found = inUse().groups?.find(({ id }) => id === state.group);
    return found ? `Group: ${found.group}` : null;
  }
  return inUse().books?.find(({ id }) => id === state.book)?.book ?? null;
}

const buttons = (ids, done) => [
  iconButton("people", "Add to a group", () => addToGroup(ids, inUse().groups ?? []).then(done)),
  inUse().books?.length > 0 && iconButton("book", "Move to a book", () => moveSelected(ids, inUse().books).then(done)),
  ids.length > 1 && iconButton("merge", "Merge", () => mergeSelected(ids, list.itemOf).then(done)),
  menuButton({
    label: "Export",
    picture: "download",
    items: () =>
      [
        ["vCard", "vcard", "vcf"],
        ["CSV for Google", "csv", "csv"],
        ["Dates as a calendar", "ics", "ics"],
      ].map(([words, format, ending]) => ({ words, act: () => saveFile(ids, format, ending) })),
  }),
];

// The letters of the list beside it, once it is long.
function drawRail({ total, groups = [] }) {
  const isLong = groups.length > 1 && total > 30;
  patch(rail, isLong ? letterRail(groups, (index) => list.jump(index)) : null);
  pane.classList.toggle("lettered", isLong);
}

/** The list with the search field. */
const people = entityList({
  entity: contactEntity,
  page,
  row,
  names,
  filterItems,
  filterWords,
  buttons,
  read: drawRail,
  emptied: redraw,
});
export const { find, followAddress, inUse, isEmpty, openFirst, refreshList, remove, removing, startList } = people;

/**
 * The list itself.
 * @type {Hub.List<Contacts.Item>}
 */
export const list = people.list;
