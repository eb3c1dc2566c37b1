// The text of a record: it follows the sound, leads to each place of it, and shows what was searched.
import { number, sentence } from "/assets/components/format.js";
import { labelledButton } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { article, go, refresh, state } from "/dictofun/page.js";
import { seek } from "/dictofun/player.js";
import { clock } from "/dictofun/words.js";

const fold = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/**
 * The text of `record`, or what to do when there is none.
 * @param {Dictofun.Recording} record
 * @returns {Hub.Description | null}
 */
export function transcript(record) {
  if (!record.segments.length) return withoutText(record);
  const sought = fold(state.q)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const mark = (word) =>
    sought.some((part) =>
      fold(word)
        .replace(/^[^\p{L}\p{N}]+/u, "")
        .startsWith(part),
    )
      ? h("mark", null, word)
      : word;
  return h(
    "ol",
    { class: "transcript", key: "transcript", "aria-label": "Text", onclick: (event) => jump(event, record) },
    record.segments.map((segment, place) =>
      h(
        "li",
        { key: place, "data-start": segment.start_ms, "data-end": segment.end_ms },
        segment.start_ms !== null &&
          h("button", { type: "button", class: "quiet", "aria-label": `Play from ${clock(segment.start_ms)}` }, clock(segment.start_ms)),
        h(
          "p",
          null,
          segment.speaker !== null &&
            segment.speaker !== record.segments[place - 1]?.speaker &&
            h("strong", { class: "speaker" }, segment.speaker),
          segment.words.length
            ? segment.words.flatMap(([word, start], at) => [at ? " " : null, h("span", { "data-start": start }, mark(word))])
            : sought.length
              ? segment.text.split(/(\s+)/).map(mark)
              : segment.text,
        ),
      ),
    ),
  );
}

// A press on a time or a word plays from there, unless words are being selected.
function jump(event, record) {
  const target = event.target.closest("button, [data-start]");
  const start = (target?.matches("button") ? target.parentElement : target)?.dataset.start;
  if (start === undefined || start === "" || getSelection()?.isCollapsed === false) return;
  seek(record, Number(start), { plays: true });
}

/**
 * The transcription that is under way.
 * @param {Dictofun.Recording} record
 */
const working = ({ transcription }) => (transcription?.state === "failed" ? null : transcription);

/**
 * The state of a transcription that is under way, above the text that is there already.
 * @param {Dictofun.Recording} record
 * @returns {Hub.Child}
 */
export function progressOf(record) {
  const transcription = working(record);
  if (!transcription) return null;
  const { state: phase, progress_percent: percent } = transcription;
  return h(
    "div",
    { class: "panel job", key: "job" },
    h("span", { class: "spinner", "aria-hidden": "true" }),
    h("p", { role: "status" }, phase === "running" ? "Transcribing…" : "Waiting for the engine…"),
    percent !== null && h("progress", { max: "100", value: percent, "aria-label": "Transcription" }),
    percent !== null && h("span", { class: "hint" }, number(percent / 100, { style: "percent" })),
    h("button", { type: "button", onclick: () => cancel(record) }, "Cancel"),
  );
}

function withoutText(record) {
  if (working(record)) return null;
  const actions = [
    labelledButton("message", "Transcribe", () => transcribe(record), { class: "main" }),
    labelledButton("edit", "Write it yourself", () => go({ id: record.id, view: "edit" })),
  ];
  if (record.transcription)
    return empty("Not transcribed", { picture: "warning", words: sentence(record.transcription.error ?? "The engine failed"), actions });
  if (record.engine)
    return empty("No speech was heard", { picture: "microphone", words: `${record.engine} found no words in this record.`, actions });
  return empty("No text yet", { picture: "microphone", words: "Transcribe it to make it searchable.", actions });
}

/**
 * Asks an engine for the text of a record; of one that has a text, once more.
 * @param {Dictofun.Recording} record
 * @param {string} [engine]
 * @returns {Promise<void>}
 */
export async function transcribe(record, engine = "") {
  await undoable("POST", "/api/dictofun/transcribe", { ids: [record.id], engine, again: true }, "The record will be transcribed.");
  refresh();
}

async function cancel(record) {
  await undoable("POST", "/api/dictofun/transcribe/cancel", { ids: [record.id] }, "The transcription is cancelled.");
  refresh();
}

/**
 * Marks the words that are heard at `place`. While they are spoken they are kept in sight, unless a person looks elsewhere.
 * @param {number} place
 * @param {boolean} [isPlaying]
 */
export function follow(place, isPlaying = false) {
  const list = article.querySelector(".transcript");
  if (!list) return;
  const line = last(list.children, place);
  const before = list.querySelector("li.now");
  if (line !== before) {
    before?.classList.remove("now");
    line?.classList.add("now");
    if (line && isPlaying && (!before || isSeen(before))) line.scrollIntoView({ block: "nearest" });
  }
  const word = line && last(line.querySelectorAll("span[data-start]"), place);
  const old = list.querySelector("span.now");
  if (word === old) return;
  old?.classList.remove("now");
  word?.classList.add("now");
}

// The last of the elements that has begun at `place`, and has not ended.
function last(elements, place) {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(elements[middle].dataset.start) <= place) low = middle + 1;
    else high = middle;
  }
  const found = elements[low - 1];
  return found && found.dataset.start !== undefined && !(Number(found.dataset.end) < place - 1500) ? found : null;
}

function isSeen(element) {
  const [own, box] = [element.getBoundingClientRect(), article.getBoundingClientRect()];
  return own.bottom > box.top && own.top < box.bottom;
}
