// The list of records: search as one types, tags, months, and several at once.
import { chipsField } from "/assets/components/fields.js";
import { counted, dayWords, number } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { windowedList } from "/assets/components/list.js";
import { menuButton } from "/assets/components/menu.js";
import { create, h, patch } from "/assets/components/patch.js";
import { searchList } from "/assets/components/searchlist.js";
import { isBeside } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";
import { getJSON } from "/assets/hub.js";
import { drop } from "/dictofun/player.js";
import { go, note, redraw, setEmpty, state } from "/dictofun/page.js";
import { clock, lengthWords, shortWords, titleOf } from "/dictofun/words.js";

const tools = document.getElementById("list-tools");
const none = document.getElementById("list-state");
let filters = { tags: [], trashed: 0 };

const condition = () => Object.fromEntries(["q", "tag"].filter((name) => state[name]).map((name) => [name, state[name]]));

async function load(offset, limit, signal) {
  const answer = await getJSON("/api/dictofun/rows?" + new URLSearchParams({ ...condition(), offset, limit }), { signal });
  return {
    rows: answer.records,
    total: answer.total,
    groups: answer.months.map(({ label, start }) => ({ label: dayWords(label), start })),
  };
}

function row(record) {
  const below = [shortWords(record.recorded), record.is_waiting ? "being transcribed" : record.tags.join(", ")].filter(Boolean).join(" · ");
  return [
    h(
      "span",
      { class: "pick" },
      h("span", { class: `avatar color-${record.device ? 6 : 0}`, "aria-hidden": "true" }, icon(record.device ? "microphone" : "message")),
    ),
    h("span", { class: "words" }, h("span", { class: "title" }, titleOf(record)), h("span", { class: "subtitle" }, below)),
    h(
      "span",
      { class: "aside" },
      h("span", { "aria-hidden": "true" }, clock(record.length_ms)),
      h("span", { class: "visually-hidden" }, lengthWords(record.length_ms)),
    ),
  ];
}

/**
 * The list itself.
 * @type {Hub.List<Dictofun.Item>}
 */
export const list = windowedList({
  label: "Records",
  load,
  row,
  id: (record) => record.id,
  selected: drawTools,
  drawn: drawState,
  open: (record) => go({ id: record.id }, { focus: isBeside() && !document.activeElement.matches(":focus-visible") ? null : "heading" }),
});
list.element.id = "records";

/**
 * The tags in use, and the number of records in the trash.
 * @returns {Dictofun.Filters}
 */
export const inUse = () => filters;

function drawState({ total, isKnown }) {
  if (!isKnown) return drawTools();
  none.hidden = total > 0;
  const isEmpty = total === 0 && !state.q && !state.tag;
  if (setEmpty(isEmpty)) redraw();
  if (total === 0)
    patch(none, isEmpty ? null : empty(state.q ? `No record matches “${state.q}”` : "No records here", { picture: "search" }));
  drawTools();
}

function drawTools() {
  const { selection } = list;
  if (selection.length) return patch(tools, selectionBar(selection));
  const items = () => [
    { words: "All records", act: () => filter(""), isChecked: !state.tag },
    ...(filters.tags.length
      ? [
          null,
          ...filters.tags.map(({ name, count }) => ({
            words: `${name} (${number(count)})`,
            act: () => filter(name),
            isChecked: name === state.tag,
          })),
        ]
      : []),
  ];
  patch(
    tools,
    h(
      "div",
      { class: "toolbar", key: "filters" },
      menuButton({
        label: "Filter",
        words: state.tag ? `Tag: ${state.tag}` : "All records",
        items,
        properties: { class: state.tag ? "quiet menu-button filtered" : "quiet menu-button" },
      }),
      state.tag && iconButton("close", "Show all records", () => filter("")),
      h(
        "output",
        { class: "grow count", for: "query" },
        !list.isKnown ? "" : state.q ? counted(list.total, "match", "matches") : counted(list.total, "record"),
      ),
    ),
  );
}

function selectionBar(selection) {
  return h(
    "div",
    { class: "selection-bar", key: "selection", role: "toolbar", "aria-label": "Selected records" },
    iconButton("close", "Clear the selection", () => list.clearSelection()),
    h("strong", { role: "status" }, `${number(selection.length)} selected`),
    iconButton("tag", "Change tags", () => tagSelected(selection)),
    iconButton("message", "Transcribe", () => transcribeSelected(selection)),
    iconButton("trash", "Delete", () => removeSelected(selection)),
  );
}

async function tagSelected(ids) {
  const offers = async () => filters.tags.map(({ name }) => name);
  const [add, remove] = [
    chipsField({ name: "add", label: "Add tags", offers }),
    chipsField({ name: "remove", label: "Remove tags", offers }),
  ];
  const form = create(
    h(
      "form",
      { method: "dialog", class: "form" },
      add.element,
      remove.element,
      h("div", { class: "actions" }, h("button", { value: "" }, "Cancel"), h("button", { value: "save", class: "main" }, "Save")),
    ),
  );
  add.input().autofocus = true;
  if ((await ask(makeDialog("tagging", `Tags of ${counted(ids.length, "record")}`, form))) !== "save") return;
  await undoable("POST", "/api/dictofun/tags", { ids, add: add.read(), remove: remove.read() }, ({ records }) =>
    records ? `Tags of ${counted(records, "record")} changed.` : "These records already had these tags.",
  );
}

async function transcribeSelected(ids) {
  if (
    (await undoable("POST", "/api/dictofun/transcribe", { ids }, ({ records }) =>
      records ? `${counted(records, "record")} will be transcribed.` : "All of them already have text.",
    )) !== null
  )
    list.clearSelection();
  refreshList();
}

/**
 * Moves records to the trash.
 * @param {string[]} ids
 * @returns {Promise<void>}
 */
export async function removeSelected(ids) {
  if (
    (await undoable("POST", "/api/dictofun/trash", { ids }, ({ records }) => `${counted(records, "record")} moved to the trash.`)) === null
  )
    return;
  ids.forEach(drop);
  list.clearSelection();
}

function filter(tag) {
  note({ tag });
  return restart();
}

async function readFilters() {
  filters = await getJSON("/api/dictofun/filters").catch(() => filters);
  drawTools();
}

/** The list with the search field. */
const search = searchList({
  list,
  topics: ["domain.dictofun/*", "app.dictofun/*"],
  state,
  note,
  go,
  readFilters,
  restarted: redraw,
});
export const { find, followAddress, openFirst, refreshList, removing, startList } = search;
const { restart } = search;
