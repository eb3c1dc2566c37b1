// A record: its player, its text, and all that is known of it.
import { chipsField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { fileSize, listed, momentWords, sentence } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { create, h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty, failed } from "/assets/components/states.js";
import { once, tell, tellError, undoable } from "/assets/components/undoable.js";
import { ask, choose, makeDialog } from "/assets/dialog.js";
import { getBlob, getJSON, sendJSON } from "/assets/hub.js";
import {
  address,
  article,
  backLink,
  elsewhere,
  expectFocus,
  go,
  guardLeaving,
  redraw,
  refresh,
  show,
  state,
  takeFocus,
} from "/dictofun/page.js";
import { firstUse } from "/dictofun/importing.js";
import { drop, onPlayer, placeIn, playedRecord, playerOf } from "/dictofun/player.js";
import { inUse, list, removing } from "/dictofun/records.js";
import { follow, progressOf, transcribe, transcript } from "/dictofun/transcript.js";
import { clock, recordedWords } from "/dictofun/words.js";

// While an engine works, hub reports only its end.
const lookAgain = 1500;
let shown = null;
let form = null;

/**
 * The record that is shown, or null.
 * @returns {Dictofun.Recording | null}
 */
export const openRecord = () => shown;

/**
 * Whether the text of the record is being edited and not saved yet.
 * @returns {boolean}
 */
export const isEditing = () => form?.isOpen() ?? false;

const path = (id, part = "") => `/api/dictofun/records/${encodeURIComponent(id)}${part}`;

onPlayer({
  changed: () => {
    if (shown) redraw();
  },
  moved: (played, place, isPlaying) => {
    if (shown?.id === played.id) follow(place, isPlaying);
  },
});

/** Shows the record of the address, or what to do when there is none. */
export function drawRecord() {
  const { id } = state;
  shown = form = null;
  if (id === null) return show({ draw: nothingChosen });
  let timer = null;
  return show({
    topics: ["domain.dictofun/*", "app.dictofun/*"],
    read: (signal) => getJSON(path(id), { signal }),
    draw: (record) => {
      shown = record;
      clearTimeout(timer);
      if (record.transcription && record.transcription.state !== "failed") timer = setTimeout(refresh, lookAgain);
      if (state.view === "edit") form ??= startEditing(record);
      const title = recordedWords(record.recorded);
      document.title = `${title} · Dictofun`;
      queueMicrotask(() => {
        if (playedRecord()?.id === id) follow(placeIn(record));
        // After an edit the heading was there before.
        const there = article.querySelector("h2");
        if (there) takeFocus(there);
      });
      return h(
        "div",
        { class: "record", key: id },
        head(record, title),
        playerOf(record),
        record.deleted_at && trashed(record),
        progressOf(record),
        form ? form.element : transcript(record),
        foot(record),
      );
    },
    onError: (error) => {
      shown = null;
      if (error.status === 404) drop(id);
      return error.status === 404 ? gone() : failed(error, refresh);
    },
    closed: () => {
      clearTimeout(timer);
      shown = form = null;
    },
  });
}

const gone = () =>
  empty("This record no longer exists.", {
    picture: "microphone",
    actions: [
      h("a", { class: "button", href: elsewhere() }, "All records"),
      h("a", { class: "button", href: address({ id: null, view: "trash" }) }, "Trash"),
    ],
  });

function nothingChosen() {
  document.title = "Dictofun";
  return list.isKnown && list.total === 0 && !state.q && !state.tag
    ? firstUse()
    : empty("No record selected", { picture: "microphone", words: "Select one from the list, or press ? for all keys." });
}

function head(record, title) {
  const facts = [
    !record.is_time_unknown ? null : record.device ? "the time of the transfer" : "time unknown",
    record.name,
    record.device && `recorded with ${record.device}`,
  ].filter(Boolean);
  return h(
    "header",
    { class: "record-head" },
    backLink(),
    h(
      "div",
      { class: "who" },
      h("h2", { tabindex: "-1", created: (element) => takeFocus(element) }, title),
      facts.length > 0 && h("p", { class: "hint" }, facts.join(" · ")),
      h(
        "ul",
        { class: "chips", "aria-label": "Tags" },
        record.tags.map((tag) =>
          h("li", { key: tag }, h("a", { class: "chip", href: address({ id: null, view: null, tag, q: "" }) }, tag)),
        ),
        !record.deleted_at &&
          h(
            "li",
            { key: "" },
            h(
              "button",
              { type: "button", class: "chip", onclick: () => changeTags(record), ...keyed("t") },
              icon("tag", { size: "small" }),
              record.tags.length ? "Change" : "Add tags",
            ),
          ),
      ),
    ),
    !record.deleted_at &&
      h(
        "div",
        { class: "head-actions" },
        !form &&
          record.segments.length > 0 &&
          h("a", { class: "button", href: address({ view: "edit" }), ...keyed("e") }, icon("edit"), h("span", null, "Edit")),
        menuButton({ label: "Export", picture: "download", items: () => exports(record) }),
        menuButton({ label: "More actions", items: () => menu(record) }),
      ),
  );
}

function exports(record) {
  const stem = (record.name || record.recorded.replaceAll(":", ".")).replaceAll(/[/\\:]/g, " ").trim();
  const item = (words, as, ending) => ({ words, act: () => save(record.id, as, `${stem}.${ending}`) });
  const kind = record.format === "recorder" ? "dictofun" : record.format === "sound file" ? "sound" : record.format;
  const sounds = [
    item("Sound as WAV", "wav", "wav"),
    item("Sound as FLAC", "flac", "flac"),
    item("Sound as Opus", "opus", "opus"),
    item("Original sound", "original", kind),
  ];
  if (!record.segments.length) return sounds;
  return [item("Text", "text", "txt"), item("Text as Markdown", "markdown", "md"), item("Subtitles (SRT)", "srt", "srt"), null, ...sounds];
}

async function save(id, as, name) {
  try {
    const url = URL.createObjectURL(await getBlob(path(id, `/export?as=${as}`)));
    create(h("a", { href: url, download: name })).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    tellError(error);
  }
}

function menu(record) {
  /** @type {(Hub.MenuItem | null | false)[]} */
  const items = [
    { words: record.segments.length ? "Edit text" : "Write text", picture: "edit", act: () => go({ id: record.id, view: "edit" }) },
    { words: "Correct title and time…", picture: "clock", act: () => correct(record) },
    record.is_edited && { words: "Restore the engine's text", picture: "undo", act: () => revert(record) },
    { words: record.engine ? "Transcribe again…" : "Transcribe…", picture: "message", act: () => chooseEngine(record) },
    { words: "History", picture: "clock", act: () => showHistory(record) },
    null,
    { words: "Delete", picture: "trash", isDanger: true, act: () => remove(record.id) },
  ];
  return /** @type {Hub.MenuItems} */ (items.filter((item) => item !== false));
}

async function chooseEngine(record) {
  try {
    const engines = (await getJSON("/api/dictofun/engines")).filter(({ is_ready: isReady }) => isReady);
    if (!engines.length) return go({ id: null, view: "engines" });
    const answer = await choose({
      title: "Transcribe with which engine?",
      id: "engine",
      text: record.is_edited ? "Your own version of the text is kept." : null,
      choices: [
        { value: "", words: "Cancel" },
        ...engines.map(({ name, label, is_default: isDefault }) => ({ value: name, words: label, class: isDefault ? "main" : "" })),
      ],
    });
    if (answer) await transcribe(record, answer);
  } catch (error) {
    tellError(error);
  }
}

const revert = (record) =>
  undoable("PUT", path(record.id, "/text"), { text: null }, "The engine's text is restored.", { revision: record.revision });

/**
 * Asks for the tags of a record.
 * @param {Dictofun.Recording} record
 * @returns {Promise<void>}
 */
export async function changeTags(record) {
  const field = chipsField({
    name: "tags",
    label: "Tags",
    hint: "Enter or a comma adds one.",
    value: record.tags,
    offers: async () => inUse().tags.map(({ name }) => name),
  });
  const content = create(
    h(
      "form",
      { method: "dialog", class: "form" },
      field.element,
      h("div", { class: "actions" }, h("button", { value: "" }, "Cancel"), h("button", { value: "save", class: "main" }, "Save")),
    ),
  );
  field.input().autofocus = true;
  if ((await ask(makeDialog("tagging", "Tags of this record", content))) !== "save") return;
  const wanted = field.read();
  await undoable(
    "POST",
    "/api/dictofun/tags",
    { ids: [record.id], add: wanted, remove: record.tags.filter((tag) => !wanted.includes(tag)) },
    ({ records }) => (records ? "Tags changed." : "Tags unchanged."),
  );
}

/** Asks for the title and the time of a record. */
async function correct(record) {
  const fields = [
    textField({ name: "title", label: "Title", value: record.name, autocomplete: "off" }),
    textField({
      name: "recorded",
      label: "Recorded",
      type: "datetime-local",
      step: "1",
      value: record.recorded.replace(" ", "T"),
      isRequired: true,
    }),
  ];
  const content = create(
    h(
      "form",
      { method: "dialog", class: "form" },
      fields.map(({ element }) => element),
      h(
        "div",
        { class: "actions" },
        h("button", { value: "", formnovalidate: true }, "Cancel"),
        h("button", { value: "save", class: "main" }, "Save"),
      ),
    ),
  );
  fields[0].input().autofocus = true;
  if ((await ask(makeDialog("correct", "Title and time of this record", content))) !== "save") return;
  const [title, recorded] = fields.map((field) => field.read());
  const isTimed = recorded !== record.recorded.replace(" ", "T");
  await undoable("PUT", path(record.id), { title, ...(isTimed ? { recorded } : {}) }, "The record is corrected.", {
    revision: record.revision,
  });
}

// Editing

function startEditing(record) {
  const lines = ({ segments }) => segments.map(({ text }) => text).join("\n");
  const made = makeForm({
    fields: [
      textField({
        name: "text",
        label: "Text",
        isLong: true,
        rows: 8,
        hint: "Each line keeps its position in the sound. The engine's text is kept beside it.",
      }),
    ],
    values: { text: lines(record) },
    revision: record.revision,
    noun: "this text",
    label: "Text of the record",
    save: ({ text }, revision) => sendJSON("PUT", path(record.id, "/text"), { text: text.trim() }, { revision }),
    reload: async () => {
      const now = await getJSON(path(record.id));
      return { values: { text: lines(now) }, revision: now.revision };
    },
    saved: async ({ body, operation }) => {
      tell(body.revision === record.revision ? "The text is unchanged." : "The text is saved.", {
        operation: body.revision === record.revision ? null : operation,
      });
      await go({ id: record.id }, { isSure: true });
    },
    cancel: () => go({ id: record.id }),
  });
  guardLeaving(made.isDirty);
  expectFocus(null);
  queueMicrotask(() => made.focus());
  return made;
}

// The rest

function trashed(record) {
  return h(
    "div",
    { class: "callout", key: "trash" },
    h("p", null, `In the trash since ${momentWords(record.deleted_at)}.`),
    h("button", { type: "button", class: "main", onclick: () => restore([record.id]) }, icon("restore"), "Restore"),
  );
}

function foot(record) {
  const text =
    record.engine &&
    `${record.is_edited ? "Edited text, transcribed" : "Text"} by ${record.engine}${record.is_rough ? ", which misses many words" : ""}`;
  return h(
    "footer",
    { class: "hint", key: "foot" },
    sentence([text, `sound ${clock(record.length_ms)}, ${fileSize(record.size)}`].filter(Boolean).join("; ")),
  );
}

const verbs = { made: "Recorded", changed: "Changed", removed: "Moved to the trash", restored: "Restored", destroyed: "Deleted" };

async function showHistory(record) {
  try {
    const rows = await getJSON(path(record.id, "/history"));
    const items = rows.map(({ at, who, verb, changes }) =>
      h(
        "li",
        null,
        h("strong", null, verbs[verb] ?? sentence(verb)),
        " ",
        h("time", { datetime: at, class: "hint" }, momentWords(at)),
        who && who !== "user" && h("span", { class: "hint" }, ` by ${who}`),
        changes.length > 0 && h("p", null, listed(changes, "unit")),
      ),
    );
    await ask(
      makeDialog(
        "history",
        "History of this record",
        create(h("ol", { class: "history" }, items)),
        create(h("form", { method: "dialog", class: "actions" }, h("button", { autofocus: true }, "Close"))),
      ),
    );
  } catch (error) {
    tellError(error);
  }
}

/**
 * Restores records from the trash.
 * @param {string[]} ids
 */
export const restore = (ids) =>
  undoable("POST", "/api/dictofun/restore", { ids }, ({ records }) =>
    records === 1 ? "The record is restored." : `${records} records are restored.`,
  );

/**
 * Moves a record to the trash at once; the next of the list takes its place.
 * @param {string} id
 * @returns {Promise<void>}
 */
export const remove = (id) =>
  once(`delete ${id}`, async () => {
    const showNext = removing(id);
    if ((await undoable("POST", "/api/dictofun/trash", { ids: [id] }, "The record is in the trash.")) === null) return;
    drop(id);
    await showNext();
  });
