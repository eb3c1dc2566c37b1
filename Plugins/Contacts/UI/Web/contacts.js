// The page of contacts: its views, its keys, and the way between them.
import { avatar } from "/assets/components/avatar.js";
import { nameOf } from "/assets/components/entities.js";
import { historyView } from "/assets/components/entityhistory.js";
import { trashView } from "/assets/components/entitytrash.js";
import { onFiles } from "/assets/components/files.js";
import { ago } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { listPage } from "/assets/components/listpage.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { drawBirthdays } from "/contacts/birthdays.js";
import { drawCard, openContact, remove } from "/contacts/card.js";
import { drawConflicts, readConflicts } from "/contacts/conflicts.js";
import { drawDuplicates, forgetDecisions, isDeciding } from "/contacts/duplicates.js";
import { drawForm, isOpen } from "/contacts/form.js";
import { chooseImport, importFiles } from "/contacts/importing.js";
import { namedField } from "/contacts/labels.js";
import {
  contactEntity,
  find,
  followAddress,
  inUse,
  list,
  openFirst,
  refreshList,
  remove as removeAll,
  startList,
} from "/contacts/people.js";
import { setPicture } from "/contacts/photo.js";
import { saveFile } from "/contacts/selection.js";
import { address, arrange, article, go, page, redraw, state } from "/contacts/page.js";

const drawTrash = () =>
  trashView({
    page,
    row: (contact) => [
      avatar(nameOf(contact)),
      h(
        "span",
        { class: "words" },
        h("strong", null, nameOf(contact)),
        h("span", { class: "hint" }, `${contact.merged_into ? "Merged" : "Deleted"} ${ago(contact.deleted_at)}`),
      ),
    ],
  });

const views = {
  new: drawForm,
  edit: drawForm,
  duplicates: drawDuplicates,
  conflicts: drawConflicts,
  birthdays: drawBirthdays,
  trash: drawTrash,
  history: () => historyView({ page, entity: contactEntity, fieldName: namedField }),
};
const wide = new Set(["duplicates", "conflicts", "birthdays", "trash"]);

// Views

function draw() {
  const view = state.view ?? "";
  const isKnown = Object.hasOwn(views, view);
  const isWide = wide.has(view);
  arrange({ isOpen: isKnown || state.id !== null, isWide, name: isWide ? view : null });
  followAddress();
  return (isKnown ? views[view] : drawCard)();
}

patch(
  /** @type {HTMLElement} */ (document.getElementById("new")),
  h("a", { class: "button main", href: address({ id: null, view: "new" }), ...keyed("n") }, icon("add"), h("span", null, "New contact")),
);
patch(
  /** @type {HTMLElement} */ (document.getElementById("more")),
  menuButton({
    label: "Import, export, trash",
    items: () => [
      { words: "Import files…", picture: "upload", act: chooseImport },
      { words: "Export all as vCard", picture: "download", act: () => exportAll("vcard", "vcf") },
      { words: "Export all as CSV", picture: "download", act: () => exportAll("csv", "csv") },
      null,
      { words: inUse().trashed ? `Trash (${inUse().trashed})` : "Trash", picture: "trash", act: () => go({ id: null, view: "trash" }) },
    ],
  }),
);

async function exportAll(format, ending) {
  const { ids } = await (await import("/assets/hub.js")).getJSON("/api/contacts/ids");
  if (ids.length) saveFile(ids, format, ending);
}

// A picture that is dropped on a contact is its picture; other files are imported.
onFiles(document.body, "Drop files with contacts to import them", (files) => {
  const contact = openContact();
  if (contact && files.length === 1 && files[0].type.startsWith("image/")) setPicture(contact, files[0]);
  else importFiles(files);
});

// Keys

const items = () => [...article.querySelectorAll("[data-item]")];
const inArticle = () => wide.has(state.view ?? "") && !list.element.contains(document.activeElement);

// In a view of its own the keys move in its rows, else in the list.
function move(by) {
  if (!inArticle()) return list.step(by);
  const all = items();
  const row = document.activeElement?.closest("[data-item]");
  const place = all.findIndex((item) => item === row);
  all[place < 0 ? 0 : Math.max(0, Math.min(place + by, all.length - 1))]?.focus();
}

const buttonOf = (name) => document.activeElement?.closest("[data-item]")?.querySelector(`[data-act="${name}"]`);
const press = (name) => () => buttonOf(name)?.click();
const isOn = (name) => () => Boolean(buttonOf(name));
// The focus is on the next card at once: a key that is pressed twice does not decide about that too.
const decide = (name) => () => {
  if (!isDeciding()) press(name)();
};
const toView = (view) => () => go({ id: null, view });

const { start } = listPage({
  name: "Contacts",
  noun: "contact",
  page,
  list,
  search: { find, openFirst, refreshList, startList },
  draw,
  isBusy: isOpen,
  remove: (ids) => (ids.length > 1 ? removeAll(ids) : remove(ids[0])),
  move,
  canArrow: () => !article.contains(document.activeElement) || (inArticle() && !document.activeElement?.matches("input")),
  undone: forgetDecisions,
  keys: ({ chosen, hasChosen, isOutside }) => [
    { key: "n", words: "New contact", act: toView("new"), when: isOutside },
    { key: "e", words: "Edit", act: () => go({ id: chosen(), view: "edit" }), when: hasChosen },
    { key: "h", words: "History", act: () => go({ id: chosen(), view: "history" }), when: hasChosen },
    { key: "b", words: "Dates", act: toView("birthdays"), when: isOutside },
    { key: "d", words: "Duplicates", act: toView("duplicates"), when: isOutside },
    { key: "g c", words: "Conflicts", act: toView("conflicts"), when: isOutside },
    { key: "m", words: "Merge, in the duplicates", act: decide("merge"), when: isOn("merge") },
    { key: "x", words: "Not the same (in duplicates)", act: decide("apart"), when: isOn("apart") },
    { key: "1", words: "Keep the version here (in conflicts)", act: press("here"), when: isOn("here") },
    { key: "2", words: "Use the other version (in conflicts)", act: press("there"), when: isOn("there") },
    { key: "3", words: "Keep both (in conflicts)", act: press("both"), when: isOn("both") },
  ],
});

start().then(redraw);
readConflicts().then(redraw);
