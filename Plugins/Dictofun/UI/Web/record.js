// A record: its player, its text, and all that is known of it.
import { download } from "/assets/components/download.js";
import { editTags, trashed } from "/assets/components/entities.js";
import { checkField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { fileSize, sentence } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { itemLinks } from "/assets/components/links.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { answered } from "/assets/components/questions.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty, failed } from "/assets/components/states.js";
import { tell, tellError, undoable } from "/assets/components/undoable.js";
import { choose } from "/assets/dialog.js";
import { getJSON, sendJSON } from "/assets/hub.js";
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
import { inUse, isEmpty, recordEntity, remove } from "/dictofun/records.js";
import { follow, progressOf, transcribe, transcript } from "/dictofun/transcript.js";
import { lengthClock, recordedWords, titleOf } from "/dictofun/words.js";

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
      const title = recordedWords(record);
      document.title = `${title} · Voice memos`;
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
        record.deleted_at && trashed(recordEntity, named(record)),
        progressOf(record),
        form ? form.element : transcript(record),
        !record.deleted_at && elsewhereNamed(id, record.revision),
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

/** The people and others that the text names. */
const elsewhereNamed = itemLinks("dictofun", () => redraw());

const gone = () =>
  empty("This record no longer exists.", {
    picture: "microphone",
    actions: [
      h("a", { class: "button", href: elsewhere() }, "All records"),
      h("a", { class: "button", href: address({ id: null, view: "trash" }) }, "Trash"),
    ],
  });

function nothingChosen() {
  document.title = "Voice memos";
  return isEmpty()
    ? firstUse()
    : empty("No record selected", { picture: "microphone", words: "Select one from the list, or press ? for all keys." });
}

function head(record, title) {
  const facts = [
    record.is_time_unknown && !record.recorded_at.endsWith("T00:00:00") && `the time of the ${record.device ? "transfer" : "import"}`,
    record.name,
    record.device && `recorded with ${record.device_name}`,
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
  const stem = record.name || record.recorded_at.replaceAll(":", ".");
  const item = (words, as, ending) => ({ words, act: () => save(record.id, as, `${stem}.${ending}`) });
  const kind = record.format === "recorder" ? "dictofun" : record.format === "sound file" ? "sound" : record.format;
  const sounds = [
    item("Sound as WAV", "wav", "wav"),
    item("Sound as FLAC", "flac", "flac"),
    item("Sound as Opus", "opus", "opus"),
    item("Sound as MP3", "mp3", "mp3"),
    item("Original sound", "original", kind),
  ];
  if (!record.segments.length) return sounds;
  return [
    item("Text", "text", "txt"),
    item("Text as Markdown", "markdown", "md"),
    item("Subtitles (SRT)", "srt", "srt"),
    item("Subtitles (WebVTT)", "vtt", "vtt"),
    null,
    ...sounds,
  ];
}

const save = (id, as, name) => download(path(id, `/export?as=${as}`), name);

function menu(record) {
  /** @type {(Hub.MenuItem | null | false)[]} */
  const items = [
    { words: record.segments.length ? "Edit text" : "Write text", picture: "edit", act: () => go({ id: record.id, view: "edit" }) },
    { words: "Correct title and time…", picture: "clock", act: () => correct(record) },
    record.is_edited && { words: "Restore the engine's text", picture: "undo", act: () => revert(record) },
    { words: record.engine ? "Transcribe again…" : "Transcribe…", picture: "message", act: () => chooseEngine(record) },
    recordEntity.has_history && { words: "History", picture: "clock", act: () => go({ id: record.id, view: "history" }) },
    null,
    { words: "Delete", picture: "trash", isDanger: true, act: () => remove([record.id], "The record") },
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
export const changeTags = (record) => editTags(recordEntity, named(record), inUse().tags ?? []);

// Questions call a record by its title.
const named = (record) => ({ ...record, name: titleOf(record) });

/** Asks for the title and the time of a record. */
async function correct(record) {
  const dayOnly = checkField({ name: "is_time_unknown", label: "Only the day is known", value: record.is_time_unknown });
  const texts = [
    textField({ name: "title", label: "Title", value: record.name, autocomplete: "off" }),
    textField({
      name: "recorded_at",
      label: "Recorded",
      type: "datetime-local",
      step: "1",
      value: record.recorded_at,
      isRequired: true,
    }),
  ];
  // A time that is typed is known.
  texts[1].input().addEventListener("input", () => dayOnly.write(false));
  if (!(await answered("correct", "Title and time of this record", [...texts, dayOnly]))) return;
  const [title, recorded] = texts.map((field) => field.read());
  const isUnknown = dayOnly.read();
  const change = { title, ...(recorded !== record.recorded_at ? { recorded_at: recorded } : {}) };
  if (isUnknown !== record.is_time_unknown) Object.assign(change, { is_time_unknown: isUnknown });
  await undoable("PUT", path(record.id), change, "The record is corrected.", { revision: record.revision });
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

function foot(record) {
  const text =
    record.engine &&
    `${record.is_edited ? "Edited text, transcribed" : "Text"} by ${record.engine}${record.is_rough ? ", which misses many words" : ""}`;
  return h(
    "footer",
    { class: "hint", key: "foot" },
    sentence([text, `sound ${lengthClock(record.length_ms)}, ${fileSize(record.size)}`].filter(Boolean).join("; ")),
  );
}
