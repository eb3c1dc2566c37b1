// The page of voice records: its views, its keys, and the way between them.
import { onFiles } from "/assets/components/files.js";
import { historyView } from "/assets/components/entityhistory.js";
import { trashView } from "/assets/components/entitytrash.js";
import { ago } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { listPage } from "/assets/components/listpage.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { drawEngines } from "/dictofun/engines.js";
import { chooseImport, importFiles } from "/dictofun/importing.js";
import { changeSpeed, drawBar, playedRecord, skip, toggle } from "/dictofun/player.js";
import { isRecording, pauseOrResume, record, recordButton, saveLeft, stop } from "/dictofun/recording.js";
import { changeTags, drawRecord, isEditing, openRecord } from "/dictofun/record.js";
import { drawRecorders } from "/dictofun/recorders.js";
import { find, followAddress, inUse, list, openFirst, recordEntity, refreshList, remove, startList } from "/dictofun/records.js";
import { arrange, article, go, page, redraw, state } from "/dictofun/page.js";
import { lengthClock, titleOf } from "/dictofun/words.js";

const drawTrash = () =>
  trashView({
    page,
    label: titleOf,
    row: (record) => [
      h("strong", null, titleOf(record)),
      h("span", { class: "hint" }, `${lengthClock(record.length_ms)} · deleted ${ago(record.deleted_at)}`),
    ],
    words: "They are not fetched from a recorder again.",
  });
const drawHistory = () => historyView({ page, entity: recordEntity, label: titleOf });

const views = { recorders: drawRecorders, engines: drawEngines, trash: drawTrash };
const isWide = () => Object.hasOwn(views, state.view ?? "");

// Views

function draw() {
  arrange({ isOpen: isWide() || state.id !== null, isWide: isWide(), name: isWide() ? state.view : null });
  followAddress();
  drawBar();
  return (isWide() ? views[state.view ?? ""] : state.view === "history" && recordEntity.has_history ? drawHistory : drawRecord)();
}

const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

patch(part("record"), recordButton(keyed("n")));
patch(part("import"), h("button", { type: "button", onclick: chooseImport, ...keyed("i") }, icon("upload"), h("span", null, "Import")));
patch(
  part("more"),
  menuButton({
    label: "More",
    items: () => [
      { words: "Import voice memos…", picture: "upload", act: chooseImport },
      { words: "Transcription engines", picture: "message", act: () => go({ id: null, view: "engines" }) },
      { words: inUse().trashed ? `Trash (${inUse().trashed})` : "Trash", picture: "trash", act: () => go({ id: null, view: "trash" }) },
    ],
  }),
);
onFiles(document.body, "Drop voice memos to import them", importFiles);

// Keys

const played = () => openRecord() ?? playedRecord();
/**
 * What a key does with the record that `find` gives, if there is one.
 * @template Found
 * @param {() => Found | null} find
 * @param {(found: Found) => unknown} act
 */
const withRecord = (find, act) => () => {
  const found = find();
  return found && act(found);
};
const isOnControl = () => document.activeElement?.matches("a, button, summary, select, [role=option]");

const { start } = listPage({
  name: "Voice memos",
  noun: "record",
  page,
  list,
  search: { find, openFirst, refreshList, startList },
  draw,
  isBusy: isEditing,
  itemViews: [null, "edit"],
  remove: (ids) => remove(ids, "The record"),
  canArrow: () => !isWide() && !article.contains(document.activeElement),
  keys: ({ chosen, hasChosen, isOutside }) => {
    const canPlay = () => isOutside() && played() !== null;
    return [
      { key: " ", words: "Play or pause", act: withRecord(played, toggle), when: () => canPlay() && !isOnControl() },
      { key: "p", words: "Play or pause", act: withRecord(played, toggle), when: canPlay },
      { key: "ArrowLeft", words: "Back 5 seconds", act: withRecord(played, (one) => skip(one, -5000)), when: canPlay },
      { key: "ArrowRight", words: "Forward 5 seconds", act: withRecord(played, (one) => skip(one, 5000)), when: canPlay },
      { key: "-", words: "Slower", act: () => changeSpeed(-1), when: canPlay },
      { key: "+", words: "Faster", act: () => changeSpeed(1), when: canPlay },
      { key: "e", words: "Edit the text", act: () => go({ id: chosen(), view: "edit" }), when: hasChosen },
      ...(recordEntity.has_history
        ? [{ key: "h", words: "History", act: () => go({ id: chosen(), view: "history" }), when: hasChosen }]
        : []),
      { key: "t", words: "Change tags", act: withRecord(openRecord, changeTags), when: () => isOutside() && openRecord() !== null },
      { key: "i", words: "Import voice memos", act: chooseImport, when: isOutside },
      { key: "n", words: "Record, or save the recording", act: () => (isRecording() ? stop() : record()), when: isOutside },
      { key: "b", words: "Pause the recording, or continue it", act: pauseOrResume, when: () => isOutside() && isRecording() },
      { key: "r", words: "Recorders", act: () => go({ id: null, view: "recorders" }), when: isOutside },
    ];
  },
});

start().then(redraw).then(saveLeft);
