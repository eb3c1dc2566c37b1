// The page of notes: its views, its keys, and the way between them.
import { icon } from "/assets/components/icons.js";
import { onChange } from "/assets/components/live.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed, shortcuts } from "/assets/components/shortcuts.js";
import { isBeside } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";
import { toast } from "/assets/toast.js";
import { pin, removeNotes } from "/notes/actions.js";
import { drawEditor, isWriting, openNote, togglePreview, write } from "/notes/editor.js";
import { sendLeftDrafts } from "/notes/live.js";
import { find, followAddress, list, openFirst, refreshList, removing, startList, total } from "/notes/notelist.js";
import { address, arrange, expectFocus, go, onAddress, readAddress, refresh, show, state } from "/notes/page.js";
import { drawRequests } from "/notes/sharing.js";
import { drawTrash } from "/notes/trash.js";
import { drawVersions } from "/notes/versions.js";

const views = { new: drawEditor, history: drawVersions, requests: drawRequests, trash: drawTrash };
const query = document.getElementById("query");

function drawNothing() {
  document.title = "Notes";
  show({
    draw: () =>
      total() === 0 && !state.q
        ? empty("Your notes", {
            picture: "note",
            words: "Each note is saved as you write, with all its versions.",
            actions: [h("a", { class: "button main", href: address({ id: null, view: "new" }) }, icon("add"), "New note")],
          })
        : empty("No note selected", { picture: "note", words: "Select one from the list, or press ? for all keys." }),
  });
}

function draw() {
  const isKnown = Object.hasOwn(views, state.view ?? "");
  arrange({ isOpen: isKnown || state.id !== null });
  followAddress();
  return (isKnown ? views[state.view] : state.id === null ? drawNothing : drawEditor)();
}

patch(
  document.getElementById("new"),
  h("a", { class: "button main", href: address({ id: null, view: "new" }), ...keyed("n") }, icon("add"), h("span", null, "New note")),
);
// Keys

async function goBack() {
  if (list.selection.length) return list.clearSelection();
  const { id, view } = state;
  if (view === "history") return go({ id });
  // Beside the list the note stays open.
  if (isWriting() && isBeside() && id !== null) return list.focusID(id);
  if (view !== null || id !== null) {
    await go({}, { focus: null });
    return list.focusID(id);
  }
  if (state.q) {
    query.value = "";
    find("");
    query.focus();
  } else if (document.activeElement === query) list.focusIndex(0);
}

const chosen = () => list.focused?.id ?? (state.view === null ? state.id : null);
const hasChosen = () => chosen() !== null;
const inQuery = () => document.activeElement === query;
const inList = () => !document.getElementById("details").contains(document.activeElement);

async function removeChosen() {
  const ids = list.selection.length > 1 ? list.selection : [chosen()];
  const name = ids.length === 1 ? (list.itemOf(ids[0])?.name ?? openNote()?.name) : null;
  const showNext = removing(ids.includes(state.id) ? state.id : ids.at(-1));
  if (!(await removeNotes(ids, name))) return;
  list.clearSelection();
  await showNext();
}

function pinChosen() {
  const id = chosen();
  pin([id], !(list.itemOf(id)?.pinned ?? openNote()?.pinned));
}

shortcuts("Notes", [
  { key: "f", words: "Search notes", act: () => query.select() },
  { key: "n", words: "New note", act: () => go({ view: "new" }) },
  { key: "e", words: "Write", act: () => write(), when: () => openNote() !== null },
  {
    key: "Mod+Enter",
    words: "Preview, and back",
    act: () => togglePreview(),
    inFields: true,
    when: () => openNote() !== null && !inQuery(),
  },
  { key: "p", words: "Pin", act: pinChosen, when: hasChosen },
  { key: "h", words: "History", act: () => go({ id: chosen(), view: "history" }), when: hasChosen },
  { key: "#", words: "Delete", act: removeChosen, when: hasChosen },
  { key: "Delete", words: "Delete", act: removeChosen, when: hasChosen },
  { key: "j", words: "Next", act: () => list.step(1) },
  { key: "ArrowDown", words: "Next", act: () => list.step(1), inFields: true, when: () => inQuery() || (inList() && !list.focused) },
  { key: "k", words: "Previous", act: () => list.step(-1) },
  { key: "Enter", words: "Open the best match (in search)", act: openFirst, inFields: true, when: inQuery },
  { key: "Escape", words: "Back", act: goBack, inFields: true },
]);

// Text that could not be sent

let sending = null;
function sendLeft() {
  sending ??= sendLeftDrafts((name) => toast(`Your text in “${name}” is saved.`))
    .catch(() => false)
    .then((isDone) => {
      sending = null;
      if (!isDone) setTimeout(sendLeft, 15_000);
    });
}

onAddress(draw);
document.addEventListener("hub-undone", () => {
  refreshList();
  refresh();
});

readAddress();
if (state.view !== null || state.id !== null) expectFocus();
startList().then(() => {
  if (state.view === null && state.id === null) refresh();
});
onChange(["domain.notes/*"], (topics) => {
  if (topics === null) sendLeft();
});
sendLeft();
draw();
