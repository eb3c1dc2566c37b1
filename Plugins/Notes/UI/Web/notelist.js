// The list of notes: search as one types, filters, and several at once.
import { entities } from "/assets/components/entities.js";
import { entityList } from "/assets/components/entitylist.js";
import { counted, momentWords, number, shortAge } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { condition, savedSearchItems } from "/assets/components/savedsearches.js";
import { isBeside } from "/assets/components/split.js";
import { pin } from "/notes/actions.js";
import { address, go, page, refresh, state } from "/notes/page.js";

const shows = {
  pinned: "Pinned",
  shared: "Shared",
  unlocked: "Unlocked",
  locked: "Locked",
  published: "Public links",
  broken: "Broken links",
};
// The filters of the list besides words.
const names = ["tag", "folder", "show"];

/** What hub says of notes. */
export const [noteEntity] = entities;

function row(item) {
  const mark = item.pinned ? icon("pin", { label: "Pinned" }) : item.shared ? icon("people", { label: "Shared" }) : icon("note");
  return [
    h("span", { class: "pick row-mark" }, mark),
    h(
      "span",
      { class: "words" },
      h(
        "span",
        { class: "first" },
        h("span", { class: "title" }, item.name),
        h("time", { class: "aside", datetime: item.changed_at, title: momentWords(item.changed_at) }, shortAge(item.changed_at)),
      ),
      h("span", { class: "subtitle" }, plain(item.excerpt) || "No text"),
    ),
  ];
}

// Marks of Markdown say nothing in one line.
const plain = (text) =>
  text
    .replaceAll(/(^|\s)(?:#{1,6}|[-*+>]|\[ \])(?=\s)/g, "$1")
    .replaceAll(/!?\[([^\][]+)\]\([^()\s]*\)/g, "$1")
    .replaceAll(/\[x\](?=\s)/gi, "✓")
    .replaceAll(/\[\[|\]\]|\*\*|__|`/g, "")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]*[^\s*])\*(?![\w*])/g, "$1")
    .trim();

function filterItems(item) {
  const { folders = [], shows: others = [], searches = [] } = inUse();
  const isSomeLocked = others.some(({ show, count }) => show === "locked" && count > 0);
  const parts = [
    others
      .filter(({ show, count }) => count > 0 && (show !== "unlocked" || isSomeLocked))
      .map(({ show, count }) => item(shows[show], count, { show })),
    folders.map(({ folder, count }) => item(folder, count, { folder })),
  ];
  return [
    ...parts.flatMap((part) => (part.length ? [null, ...part] : [])),
    ...savedSearchItems({ path: "/api/notes/searches", searches, page, query: query(), names, changed: refreshList }),
  ];
}

// What is shown now, as one query.
const query = () =>
  [state.q, condition("tag", state.tag), condition("folder", state.folder), condition("is", state.show)].filter(Boolean).join(" ");

function tools() {
  const { requests = 0, trashed } = inUse();
  const counts = (words, count) => (count ? `${words} (${number(count)})` : words);
  return [
    requests > 0 && h("a", { class: "chip", href: address({ id: null, view: "requests" }) }, counted(requests, "request")),
    menuButton({
      label: "Requests, trash",
      items: () => [
        { words: counts("Requests", requests), picture: "people", act: () => go({ view: "requests" }) },
        { words: counts("Trash", trashed), picture: "trash", act: () => go({ view: "trash" }) },
      ],
    }),
  ];
}

function buttons(ids) {
  const areAllPinned = ids.every((id) => list.itemOf(id)?.pinned);
  return iconButton("pin", areAllPinned ? "Unpin" : "Pin", () => pin(ids, !areAllPinned));
}

/** The list with the search field. */
const notes = entityList({
  entity: noteEntity,
  page,
  row,
  names,
  topics: ["domain.notes/*", "app.notes/*"],
  open: (item) => {
    const isByKey = document.activeElement?.matches(":focus-visible");
    return go({ id: item.id }, { focus: isByKey ? "text" : isBeside() ? null : "heading" });
  },
  filterItems,
  filterWords: () => (state.folder ? `Folder: ${state.folder}` : (shows[state.show ?? ""] ?? null)),
  tools,
  buttons,
  emptied: () => {
    if (state.view === null && state.id === null) refresh();
  },
});
export const { filter, find, followAddress, inUse, isEmpty, refreshList, remove, startList } = notes;

/**
 * The list itself.
 * @type {Hub.List<Notes.Item>}
 */
export const list = notes.list;

/** Opens the best match of the search. */
export async function openFirst() {
  await notes.whenRead();
  if (!list.total) return;
  list.focusIndex(0);
  if (list.focused) go({ id: list.focused.id }, { focus: "text" });
}
