// The page of notes: its views, its keys, and the way between them.
import { trashView } from "/assets/components/entitytrash.js";
import { icon } from "/assets/components/icons.js";
import { listPage } from "/assets/components/listpage.js";
import { onChange } from "/assets/components/live.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { isBeside } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";
import { toast } from "/assets/toast.js";
import { pin } from "/notes/actions.js";
import { drawEditor, isWriting, openNote, printNote, toggleOwnTask, togglePreview, write } from "/notes/editor.js";
import { sendLeftDrafts } from "/notes/live.js";
import { find, followAddress, isEmpty, list, openFirst, refreshList, remove, startList } from "/notes/notelist.js";
import { address, arrange, go, page, refresh, show, state } from "/notes/page.js";
import { drawRequests } from "/notes/sharing.js";
import { drawVersions } from "/notes/versions.js";

const views = {
  new: drawEditor,
  history: () => (state.id === null ? drawNothing() : drawVersions(state.id)),
  requests: drawRequests,
  trash: () => trashView({ page }),
};

function drawNothing() {
  document.title = "Notes";
  show({
    draw: () =>
      isEmpty()
        ? empty("Your notes", {
            picture: "note",
            words: "Each note is saved as you write, with all its versions.",
            actions: [h("a", { class: "button main", href: address({ id: null, view: "new" }) }, icon("add"), "New note")],
          })
        : empty("No note selected", { picture: "note", words: "Select one from the list, or press ? for all keys." }),
  });
}

function draw() {
  const view = state.view ?? "";
  const isKnown = Object.hasOwn(views, view);
  arrange({ isOpen: isKnown || state.id !== null });
  followAddress();
  return (isKnown ? views[view] : state.id === null ? drawNothing : drawEditor)();
}

patch(
  /** @type {HTMLElement} */ (document.getElementById("new")),
  h("a", { class: "button main", href: address({ id: null, view: "new" }), ...keyed("n") }, icon("add"), h("span", null, "New note")),
);
// Keys

const { start } = listPage({
  name: "Notes",
  noun: "note",
  page,
  list,
  search: { find, openFirst, refreshList, startList },
  draw,
  innerViews: ["history"],
  stay: () => isWriting() && isBeside() && state.id !== null,
  remove: (ids) => remove(ids, list.itemOf(ids[0])?.name ?? openNote()?.name),
  keys: ({ chosen, hasChosen, inQuery }) => [
    { key: "n", words: "New note", act: () => go({ view: "new" }) },
    { key: "e", words: "Write", act: () => write(), when: () => openNote() !== null },
    {
      key: "Mod+Enter",
      words: "Preview, and back",
      act: () => togglePreview(),
      inFields: true,
      when: () => openNote() !== null && !inQuery(),
    },
    { key: "Mod+p", words: "Print the note", act: () => printNote(), inFields: true, when: () => openNote() !== null },
    {
      key: "Mod+Shift+Enter",
      words: "Tick the task of the line",
      act: () => toggleOwnTask(),
      inFields: true,
      when: () => isWriting(),
    },
    {
      key: "p",
      words: "Pin",
      act: () => {
        const id = chosen();
        return id && pin([id], !(list.itemOf(id)?.pinned ?? openNote()?.pinned));
      },
      when: hasChosen,
    },
    { key: "h", words: "History", act: () => go({ id: chosen(), view: "history" }), when: hasChosen },
  ],
});

// Text that could not be sent

let isSending = false;
async function sendLeft() {
  if (isSending) return;
  isSending = true;
  const isDone = await sendLeftDrafts((name) => toast(`Your text in “${name}” is saved.`)).catch(() => false);
  isSending = false;
  if (!isDone) setTimeout(sendLeft, 15_000);
}

start().then(() => {
  if (state.view === null && state.id === null) refresh();
});
onChange(["domain.notes/*"], (topics) => {
  if (topics === null) sendLeft();
});
sendLeft();
