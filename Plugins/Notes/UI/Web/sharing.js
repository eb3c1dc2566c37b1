// Who may open a note, and who asks for it.
import { chipsField, textField } from "/assets/components/fields.js";
import { ago, listed } from "/assets/components/format.js";
import { create, h } from "/assets/components/patch.js";
import { answered, cancel } from "/assets/components/questions.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";
import { getJSON } from "/assets/hub.js";
import { address, heading, refresh, show } from "/notes/page.js";

/**
 * Asks who may open a note.
 * @param {Notes.Note} note
 * @returns {Promise<void>}
 */
export async function shareNote(note) {
  const others = note.access.filter((name) => name !== note.owner);
  const readersBefore = others.filter((name) => note.readers.includes(name));
  const before = others.filter((name) => !readersBefore.includes(name));
  const people = chipsField({
    name: "people",
    label: "Can edit",
    hint: "Names of accounts on the notes server, each followed by Enter or a comma.",
    value: before,
  });
  const readers = chipsField({ name: "readers", label: "Can only read", value: readersBefore });
  const form = create(
    h(
      "form",
      { method: "dialog", class: "form" },
      people.element,
      readers.element,
      h("p", { class: "hint" }, "All of them can see the note and its history."),
      h("div", { class: "actions" }, cancel(), h("button", { value: "save", class: "main" }, "Share")),
    ),
  );
  people.input().autofocus = true;
  if ((await ask(makeDialog("sharing", `Share ${note.name}`, form))) !== "save") return;
  const now = people.read();
  const readersNow = readers.read().filter((name) => !now.includes(name));
  const url = `/api/notes/${encodeURIComponent(note.id)}/`;
  const added = now.filter((name) => !before.includes(name));
  const addedReaders = readersNow.filter((name) => !readersBefore.includes(name));
  const removed = others.filter((name) => !now.includes(name) && !readersNow.includes(name));
  if (added.length) await undoable("POST", url + "share", { names: added }, `Shared with ${listed(added)}.`);
  if (addedReaders.length) {
    const body = { names: addedReaders, read_only: true };
    await undoable("POST", url + "share", body, `Shared with ${listed(addedReaders)}, read-only.`);
  }
  if (removed.length) await undoable("POST", url + "unshare", { names: removed }, `No longer shared with ${listed(removed)}.`);
}

/**
 * Asks the owner of a locked note for access, with a reason.
 * @param {{ id: string, name: string, owner: string }} note
 * @returns {Promise<void>}
 */
export async function askForAccess({ id, name, owner }) {
  const reason = textField({
    name: "reason",
    label: "Reason",
    hint: `${owner} sees it next to your name. Optional.`,
    isLong: true,
    maxlength: 300,
  });
  if (!(await answered("asking", `Ask for access to ${name}`, [reason], "Ask"))) return;
  await undoable("POST", `/api/notes/${encodeURIComponent(id)}/unlock`, { reason: reason.read() }, `Asked ${owner} for access to ${name}.`);
  refresh();
}

/** Shows the requests for access that wait for an answer. */
export function drawRequests() {
  show({
    topics: ["domain.notes/*", "app.notes/*"],
    read: (signal) => getJSON("/api/notes/requests", { signal }),
    draw: (requests) => [
      heading("Requests"),
      requests.length
        ? h("ul", { class: "cards", key: "rows" }, requests.map(card))
        : empty("No requests", { picture: "people", words: "Requests for access to your locked notes appear here." }),
    ],
  });
}

function card({ note, name, requester, reason, at }) {
  const answer = async (allow) => {
    await undoable(
      "POST",
      "/api/notes/requests",
      { note, requester, allow },
      allow ? `${name}: shared with ${requester}.` : `${name}: denied to ${requester}.`,
    );
    refresh();
  };
  return h(
    "li",
    { class: "card", key: `${note} ${requester}`, "data-item": "" },
    h(
      "p",
      null,
      h("strong", null, requester),
      " asks for access to ",
      h("a", { href: address({ id: note, view: null }) }, name),
      h("span", { class: "hint" }, ` ${ago(at)}`),
    ),
    reason && h("blockquote", null, reason),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "main", "aria-label": `Allow ${requester}`, onclick: () => answer(true) }, "Allow"),
      h("button", { type: "button", "aria-label": `Deny ${requester}`, onclick: () => answer(false) }, "Deny"),
    ),
  );
}
