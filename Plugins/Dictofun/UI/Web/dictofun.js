// The page of voice records: its views, its keys, and the way between them.
import { onFiles } from "/assets/components/files.js";
import { icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed, shortcuts } from "/assets/components/shortcuts.js";
import { isBeside } from "/assets/components/split.js";
import { clearToast } from "/assets/toast.js";
import { drawEngines } from "/dictofun/engines.js";
import { chooseImport, importFiles } from "/dictofun/importing.js";
import { changeSpeed, drawBar, playedRecord, skip, toggle } from "/dictofun/player.js";
import { changeTags, drawRecord, isEditing, openRecord, remove } from "/dictofun/record.js";
import { drawRecorders } from "/dictofun/recorders.js";
import { find, followAddress, inUse, list, openFirst, refreshList, removeSelected, startList } from "/dictofun/records.js";
import { drawTrash } from "/dictofun/trash.js";
import { arrange, article, expectFocus, go, onAddress, readAddress, redraw, refresh, state } from "/dictofun/page.js";

const views = { recorders: drawRecorders, engines: drawEngines, trash: drawTrash };
const query = document.getElementById("query");
const isWide = () => Object.hasOwn(views, state.view ?? "");

// Views

function draw() {
  arrange({ isOpen: isWide() || state.id !== null, isWide: isWide(), name: isWide() ? state.view : null });
  followAddress();
  drawBar();
  return (isWide() ? views[state.view] : drawRecord)();
}

patch(
  document.getElementById("import"),
  h("button", { type: "button", class: "main", onclick: chooseImport, ...keyed("i") }, icon("upload"), h("span", null, "Import")),
);
patch(
  document.getElementById("more"),
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

async function goBack() {
  if (list.selection.length) return list.clearSelection();
  const { id, view } = state;
  if (view !== null || id !== null) {
    if ((await go(view === "edit" ? { id } : { id: null }, { focus: view === "edit" ? "heading" : null })) && view !== "edit")
      list.focusID(id);
  } else if (state.q) {
    query.value = "";
    find("");
    query.focus();
  } else if (document.activeElement === query) list.focusIndex(0);
}

const isOutside = () => !isEditing();
const inQuery = () => document.activeElement === query;
const inList = () => list.element.contains(document.activeElement);
const chosen = () => list.focused?.id ?? (isWide() ? null : state.id);
const hasChosen = () => isOutside() && chosen() !== null;
const hasOpen = () => isOutside() && openRecord() !== null;
const played = () => openRecord() ?? playedRecord();
const canPlay = () => isOutside() && played() !== null;
const isOnControl = () => document.activeElement.matches("a, button, summary, select, [role=option]");
const canArrow = () => inQuery() || (isOutside() && !isWide() && !article.contains(document.activeElement));

function removeChosen() {
  if (list.selection.length > 1) removeSelected(list.selection);
  else remove(chosen());
}

shortcuts("Dictofun", [
  { key: "f", words: "Search records", act: () => query.select(), when: isOutside },
  { key: " ", words: "Play or pause", act: () => toggle(played()), when: () => canPlay() && !isOnControl() },
  { key: "p", words: "Play or pause", act: () => toggle(played()), when: canPlay },
  { key: "ArrowLeft", words: "Back 5 seconds", act: () => skip(played(), -5000), when: canPlay },
  { key: "ArrowRight", words: "Forward 5 seconds", act: () => skip(played(), 5000), when: canPlay },
  { key: "-", words: "Slower", act: () => changeSpeed(-1), when: canPlay },
  { key: "+", words: "Faster", act: () => changeSpeed(1), when: canPlay },
  { key: "e", words: "Edit the text", act: () => go({ id: chosen(), view: "edit" }), when: hasChosen },
  { key: "t", words: "Change tags", act: () => changeTags(openRecord()), when: hasOpen },
  { key: "#", words: "Delete", act: removeChosen, when: hasChosen },
  { key: "Delete", words: "Delete", act: removeChosen, when: hasChosen },
  { key: "i", words: "Import voice memos", act: chooseImport, when: isOutside },
  { key: "r", words: "Recorders", act: () => go({ id: null, view: "recorders" }), when: isOutside },
  { key: "j", words: "Next record", act: () => list.step(1), when: isOutside },
  { key: "ArrowDown", words: "Next record", act: () => list.step(1), inFields: true, when: canArrow },
  { key: "k", words: "Previous record", act: () => list.step(-1), when: isOutside },
  { key: "ArrowUp", words: "Previous record", act: () => list.step(-1), inFields: true, when: () => canArrow() && !inQuery() },
  { key: "Enter", words: "Open the newest match (in search)", act: openFirst, inFields: true, when: inQuery },
  { key: "x", words: "Select", act: () => list.element.dispatchEvent(new KeyboardEvent("keydown", { key: " " })), when: inList },
  { key: "Escape", words: "Back", act: goBack, inFields: true, when: isOutside },
]);

// Addresses

onAddress(draw, (link, left) => {
  if (link.matches(".back") && !isBeside()) list.focusID(left.id);
});
document.addEventListener(
  "click",
  (event) => {
    if (event.target.closest(".views a")) clearToast();
  },
  { capture: true },
);
document.addEventListener("hub-undone", () => {
  refreshList();
  if (!isEditing()) refresh();
});

readAddress();
if (state.view !== null || state.id !== null) expectFocus();
startList().then(redraw);
draw();
