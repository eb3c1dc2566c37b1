// The list of records: search as one types, tags, months, and several at once.
import { entities } from "/assets/components/entities.js";
import { entityList } from "/assets/components/entitylist.js";
import { counted, dayWords } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { undoable } from "/assets/components/undoable.js";
import { drop } from "/dictofun/player.js";
import { page, redraw } from "/dictofun/page.js";
import { lengthClock, lengthWords, shortWords, titleOf } from "/dictofun/words.js";

/** What hub says of records. */
export const [recordEntity] = entities;

function row(record) {
  const below = [shortWords(record), record.is_waiting ? "being transcribed" : record.tags.join(", ")].filter(Boolean).join(" · ");
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
      h("span", { "aria-hidden": "true" }, lengthClock(record.length_ms)),
      h("span", { class: "visually-hidden" }, lengthWords(record.length_ms)),
    ),
  ];
}

async function transcribeSelected(ids) {
  const words = ({ count }) => (count ? `${counted(count, "record")} will be transcribed.` : "All of them already have text.");
  if ((await undoable("POST", "/api/dictofun/transcribe", { ids }, words)) !== null) list.clearSelection();
  refreshList();
}

/** The list with the search field. */
const records = entityList({
  entity: recordEntity,
  page,
  row,
  topics: ["domain.dictofun/*", "app.dictofun/*"],
  groups: (months) => months.map(({ label, start }) => ({ label: dayWords(label), start })),
  buttons: (ids) => iconButton("message", "Transcribe", () => transcribeSelected(ids)),
  removed: (ids) => ids.forEach(drop),
  restarted: redraw,
});
export const { find, followAddress, inUse, isEmpty, openFirst, refreshList, remove, startList } = records;

/**
 * The list itself.
 * @type {Hub.List<Dictofun.Item>}
 */
export const list = records.list;
