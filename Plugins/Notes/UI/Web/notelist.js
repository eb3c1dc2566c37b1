// The list of notes: search as one types, filters, and several at once.
import { chipsField } from "/assets/components/fields.js";
import { counted, momentWords, number, shortAge } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { windowedList } from "/assets/components/list.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { searchList } from "/assets/components/searchlist.js";
import { isBeside } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { pin, removeNotes, tagNotes } from "/notes/actions.js";
import { address, go, note, refresh, setEmpty, state } from "/notes/page.js";

const tools = document.getElementById("list-tools");
const none = document.getElementById("list-state");
const topics = ["domain.notes/*", "app.notes/*"];
const shows = { pinned: "Pinned", shared: "Shared", unlocked: "Unlocked", locked: "Locked", broken: "Broken links" };
let filters = { tags: [], folders: [], shows: [], trashed: 0, requests: 0 };

const condition = () => Object.fromEntries(["q", "tag", "folder", "show"].filter((name) => state[name]).map((name) => [name, state[name]]));
const isFiltered = () => Boolean(state.tag || state.folder || state.show);

async function load(offset, limit, signal) {
  const { notes, total, pinned } = await getJSON("/api/notes/rows?" + new URLSearchParams({ ...condition(), offset, limit }), { signal });
  const groups =
    pinned > 0 && pinned < total
      ? [
          { label: "Pinned", start: 0 },
          { label: "Notes", start: pinned },
        ]
      : [];
  return { rows: notes, total, groups };
}

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
    .replaceAll(/\[x\](?=\s)/gi, "✓")
    .replaceAll(/\[\[|\]\]|\*\*|__|`/g, "")
    .trim();

/**
 * The list itself.
 * @type {Hub.List<Notes.Item>}
 */
export const list = windowedList({
  label: "Notes",
  load,
  row,
  id: (item) => item.id,
  selected: drawTools,
  drawn: drawState,
  open: (item) => {
    const isByKey = document.activeElement.matches(":focus-visible");
    return go({ id: item.id }, { focus: isByKey ? "text" : isBeside() ? null : "heading" });
  },
});
list.element.id = "notes";

/**
 * The number of notes in the list; null while it is not known.
 * @returns {number | null}
 */
export const total = () => (list.isKnown ? list.total : null);

/**
 * The tags and folders in use, and other numbers.
 * @returns {Notes.Filters}
 */
export const inUse = () => filters;

function drawState({ total: count, isKnown }) {
  if (!isKnown) return drawTools();
  none.hidden = count > 0;
  const isEmpty = count === 0 && !state.q && !isFiltered();
  if (setEmpty(isEmpty) && state.view === null && state.id === null) refresh();
  if (count === 0) patch(none, isEmpty ? null : empty(state.q ? `No note matches “${state.q}”` : "No notes here", { picture: "search" }));
  drawTools();
}

const filterWords = () => (state.tag ? `Tag: ${state.tag}` : state.folder ? `Folder: ${state.folder}` : (shows[state.show] ?? "All notes"));

function filterItems() {
  const item = (words, count, changes) => ({
    words: count === null ? words : `${words} (${number(count)})`,
    act: () => filter(changes),
    isChecked: ["tag", "folder", "show"].every((name) => (changes[name] ?? "") === state[name]),
  });
  const tags = filters.tags.map(({ name, count: own }) => item(name, own, { tag: name }));
  const folders = filters.folders.map(({ name, count: own }) => item(name, own, { folder: name }));
  const others = filters.shows.filter(
    (it) => it.count > 0 && (it.name !== "unlocked" || filters.shows.some(({ name, count }) => name === "locked" && count > 0)),
  );
  return [
    item("All notes", null, {}),
    ...others.map((it) => item(shows[it.name], it.count, { show: it.name })),
    ...(tags.length ? [null, ...tags] : []),
    ...(folders.length ? [null, ...folders] : []),
  ];
}

function drawTools() {
  const { selection } = list;
  if (!selection.length) {
    return patch(
      tools,
      h(
        "div",
        { class: "toolbar", key: "filters" },
        menuButton({
          label: "Filter",
          words: filterWords(),
          items: filterItems,
          properties: { class: isFiltered() ? "quiet menu-button filtered" : "quiet menu-button" },
        }),
        isFiltered() && iconButton("close", "Show all notes", () => filter({})),
        filters.requests > 0 &&
          h("a", { class: "chip", href: address({ id: null, view: "requests" }) }, counted(filters.requests, "request")),
        h(
          "output",
          { class: "grow count", for: "query" },
          !list.isKnown ? "" : state.q ? counted(list.total, "match", "matches") : counted(list.total, "note"),
        ),
        menuButton({
          label: "Requests, trash",
          items: () => [
            {
              words: filters.requests ? `Requests (${number(filters.requests)})` : "Requests",
              picture: "people",
              act: () => go({ view: "requests" }),
            },
            { words: filters.trashed ? `Trash (${number(filters.trashed)})` : "Trash", picture: "trash", act: () => go({ view: "trash" }) },
          ],
        }),
      ),
    );
  }
  const done = () => list.clearSelection();
  const areAllPinned = selection.every((id) => list.itemOf(id)?.pinned);
  patch(
    tools,
    h(
      "div",
      { class: "selection-bar", key: "selection", role: "toolbar", "aria-label": "Selected notes" },
      iconButton("close", "Clear the selection", done),
      h("strong", { role: "status" }, `${number(selection.length)} selected`),
      iconButton("pin", areAllPinned ? "Unpin" : "Pin", () => pin(selection, !areAllPinned)),
      iconButton("tag", "Change tags", () => tagNotes(selection, { field: chipsField, known: filters.tags })),
      iconButton("trash", "Delete", () =>
        removeNotes(selection).then((isDone) => {
          if (isDone) done();
        }),
      ),
    ),
  );
}

/**
 * Shows only notes of a tag, a folder or another filter.
 * @param {{ tag?: string, folder?: string, show?: string }} wanted
 * @returns {Promise<void>}
 */
export function filter({ tag = "", folder = "", show = "" }) {
  note({ tag, folder, show });
  return restart();
}

async function readFilters() {
  filters = await getJSON("/api/notes/filters").catch(() => filters);
  drawTools();
}

/** The list with the search field. */
const search = searchList({
  list,
  topics,
  state,
  note,
  go,
  readFilters,
});
export const { find, followAddress, refreshList, removing, startList } = search;
const { restart, whenRead } = search;

/** Opens the best match of the search. */
export async function openFirst() {
  await whenRead();
  if (!list.total) return;
  list.focusIndex(0);
  go({ id: list.focused.id }, { focus: "text" });
}
