// One note: its title and text, which are saved as one types and merged with what others write, and all that is known of it.
import { keys } from "/assets/components/keys.js";
import { avatar, showPicture } from "/assets/components/avatar.js";
import { editTags, trashed } from "/assets/components/entities.js";
import { chooseFiles, onFiles } from "/assets/components/files.js";
import { ago, counted, listed, sentence } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { itemLinks } from "/assets/components/links.js";
import { menuButton } from "/assets/components/menu.js";
import { create, h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { failed } from "/assets/components/states.js";
import { tellError, undoable } from "/assets/components/undoable.js";
import { sendJSON, getJSON } from "/assets/hub.js";
import { confirmLinks, linkCount, moveNote, pin } from "/notes/actions.js";
import { attachFiles, fileAddress, fileList, fileOf } from "/notes/attachments.js";
import { caretLayer } from "/notes/carets.js";
import { textArea } from "/notes/field.js";
import { liveNote } from "/notes/live.js";
import { markdownField } from "/notes/markdownfield.js";
import { drawMarkdown, placeOf } from "/notes/markdown.js";
import { inUse, noteEntity, refreshList, remove as removeNotes } from "/notes/notelist.js";
import { publicLink, saveAs } from "/notes/publishing.js";
import { askForAccess, shareNote } from "/notes/sharing.js";
import { address, backLink, elsewhere, go, note as noteAddress, page, redraw, show, state, takeFocus } from "/notes/page.js";

// The most avatars of others above a note.
const maximumAvatars = 4;

// How a note is shown stays from one note to the next.
let isPreview = false;
let open = null;

/**
 * The note that is shown, as hub described it last; null for none.
 * @returns {Notes.Note | null}
 */
export const openNote = () => open?.meta() ?? null;

/**
 * Whether a text area of the note has the focus.
 * @returns {boolean}
 */
export const isWriting = () => document.activeElement?.matches(".sheet :is(textarea, .note-text)") ?? false;

/** Gives the focus to the text. */
export const write = () => open?.write();

/** Ticks the task in the line with the caret. */
export const toggleOwnTask = () => open?.toggleTask();

/** Shows the note as it is written, or drawn. */
export const togglePreview = () => open?.togglePreview();

/** Prints the note as it is read. */
export const printNote = () => open?.print();

// The state of what is typed, in words.
function words(live) {
  if (live.failure?.code === "login-needed") return "Logged out. Your text is kept on this device and sent after you log in again.";
  if (live.state === "failed") return sentence(live.failure.message);
  if (live.state === "saved" && live.isCutOff) return "Saved. Other people in this note cannot be shown now.";
  if (live.state === "offline" && live.isSaved()) return "Offline. Your text is kept on this device and sent later.";
  return {
    reading: "",
    saving: "Saving…",
    saved: "Saved",
    offline: "Offline. Your text is kept on this device and sent later.",
    gone: "This note no longer exists. Your text becomes a new note.",
  }[live.state];
}

/** Shows the note of the address, or an empty one to be made. */
export function drawEditor() {
  const isNew = state.view === "new";
  const first = state.title;
  /** @type {Notes.Note | null} */
  let meta = null;
  /** @type {Hub.Child[] | null} */
  let drawing = null;
  let draft = "";
  // What is on paper, while it is printed.
  let printed = null;
  // The heading or block that a link leads to, until it is drawn.
  let goal = isNew ? "" : state.heading;
  if (goal) isPreview = true;

  const live = liveNote({
    id: isNew ? null : state.id,
    made: (id) => {
      noteAddress({ id, view: null, title: "" });
      shown.refresh();
    },
    changed: (field, change) => {
      areas[field].receive(change);
      if (isPreview) preview();
    },
    drawn: () => shown.redraw(),
    selection: () => {
      if (!isNew && (meta === null || isClosed(meta))) return null;
      const field = areas.title.isFocused ? "title" : "content";
      return { field, at: areas[field].selection };
    },
    idle: async () => {
      await Promise.all(Object.values(areas).map((area) => area.idle()));
    },
  });
  const typed = () => {
    live.typed();
    if (live.peers.size || live.state !== "saved") shown.redraw();
  };
  const areas = {
    title: textArea(live.clients.title, {
      typed,
      class: "note-title",
      "aria-label": "Title",
      placeholder: "Title",
      enterkeyhint: "next",
      spellcheck: "true",
    }),
    content: markdownField(live.clients.content, {
      typed,
      "aria-label": "Text",
      "aria-placeholder": "Write in Markdown. [[Title]] links to another note.",
      picture: pictureOf,
      pasted: (event) => {
        // A copied text may come with a picture of it.
        const files = [...(event.clipboardData?.files ?? [])];
        if (!files.length || event.clipboardData?.types.includes("text/plain")) return;
        event.preventDefault();
        attach(files);
      },
    }),
  };
  const title = /** @type {HTMLTextAreaElement} */ (areas.title.element);
  const intoText = (event) => {
    if (event.key !== "Enter" && !(event.key === "ArrowDown" && title.selectionEnd === title.value.length)) return;
    event.preventDefault();
    areas.content.focus(0);
  };
  title.addEventListener("keydown", keys(intoText));

  const ends = new AbortController();
  ends.signal.addEventListener("abort", onFiles(page.article, "Attach to this note", attach));
  document.addEventListener(
    "selectionchange",
    () => {
      if (areas.title.isFocused || areas.content.isFocused) live.selected();
    },
    { signal: ends.signal },
  );

  const started = Promise.resolve().then(live.start);
  const shown = show({
    topics: ["domain.notes/*"],
    read: async (signal) => {
      await started;
      if (live.id === null) return null;
      const read = await getJSON(`/api/notes/${encodeURIComponent(live.id)}?text=none`, { signal });
      if (isClosed(read)) draft = (await getJSON(`/api/notes/${encodeURIComponent(live.id)}`, { signal })).content;
      if (isClosed(read) && drawing === null)
        drawing = await drawMarkdown(draft, { id: read.id, links: read.links, attachments: read.attachments, signal });
      return read;
    },
    draw: (read) => {
      if (meta === null) live.selected();
      const isOther = JSON.stringify(meta?.attachments) !== JSON.stringify(read?.attachments);
      meta = read;
      if (isOther) areas.content.redraw();
      if (isOther && isPreview && !isClosed(read)) preview();
      const name = read?.name ?? "New note";
      for (const area of Object.values(areas)) area.setReadOnly(!isNew && !live.isRead());
      document.title = `${name} · Notes`;
      if (goal && drawing !== null) queueMicrotask(reveal);
      if (isClosed(read))
        return [
          bar(name),
          h(
            "div",
            { class: "sheet", key: "closed" },
            closedMark(read),
            h("p", { class: "note-title" }, name),
            h("div", { class: "markdown" }, drawing),
            fileList(read),
          ),
        ];
      const isDrawn = isPreview && drawing !== null;
      return [
        bar(name),
        h(
          "div",
          { class: "sheet", key: "sheet" },
          field("title"),
          staleLinks(read),
          chips(read),
          isDrawn ? h("div", { class: "markdown", key: "markdown" }, drawing) : field("content"),
          printed && h("div", { class: "markdown printed", key: "printed" }, printed),
          fileList(read, { removed: shown.refresh }),
          linked(read),
          named(read?.id ?? null, read?.revision),
        ),
      ];
    },
    onError: (error) => (error.status === 404 ? gone() : failed(error, drawEditor)),
    closed: async () => {
      ends.abort();
      areas.content.close();
      if (open === own) open = null;
      await live.close();
      const { title, content } = live.texts;
      // A note that was begun and left empty is deleted.
      if (isNew && live.id && state.id !== live.id && !title && !content && live.isSaved())
        await sendJSON("DELETE", `/api/notes/${encodeURIComponent(live.id)}`).catch(() => {});
    },
  });
  const own = (open = {
    meta: () => meta,
    write: () => write("content"),
    togglePreview: toggle,
    print,
    toggleTask: () => areas.content.toggleOwnTask(),
  });

  function write(field) {
    if (isPreview) toggle();
    areas[field].focus();
  }

  async function toggle() {
    isPreview = !isPreview;
    if (isPreview) await preview();
    else shown.redraw();
    if (!isPreview) areas.content.focus();
  }

  function reveal() {
    const found = goal && placeOf(document.querySelector("#details .markdown"), goal);
    if (!found) return;
    goal = "";
    noteAddress({ heading: "" });
    found.scrollIntoView({ block: "start" });
  }

  // What is drawn of an older text may come later, and is not shown then.
  let asked = 0;
  async function preview() {
    const turn = ++asked;
    let drawn;
    try {
      drawn = await drawMarkdown(areas.content.text, {
        id: meta?.id,
        links: meta?.links,
        attachments: meta?.attachments,
        toggle: toggleTask,
      });
    } catch (error) {
      drawn = [failed(error, preview)];
    }
    if (turn !== asked) return;
    drawing = drawn;
    shown.redraw();
  }

  async function print() {
    printed = await drawMarkdown(areas.content.text, { id: meta?.id, links: meta?.links, attachments: meta?.attachments }).catch(tellError);
    if (!printed) return;
    shown.redraw();
    await Promise.allSettled(
      [...document.querySelectorAll(".printed img")].map((image) => /** @type {HTMLImageElement} */ (image).decode()),
    );
    window.print();
    printed = null;
    shown.redraw();
  }

  async function attach(files) {
    if (!files.length || (!isNew && (meta === null || isClosed(meta)))) return;
    if (isPreview) await toggle();
    await attachFiles(files, areas.content, async () => {
      await live.sync();
      return live.id;
    });
    await shown.refresh();
  }

  // The box of a task in a line of the drawn text.
  function toggleTask(line) {
    areas.content.toggleTask(line - 1);
    preview();
  }

  // The image that a target in the text leads to, if it is a picture of this note.
  function pictureOf(target, words) {
    const file = fileOf(meta?.attachments, target);
    const id = meta?.id;
    if (!file?.picture || !id) return null;
    const element = () =>
      create(h("img", { class: "attached", alt: words || file.name, created: (image) => showPicture(image, fileAddress(id, file)) }));
    return { key: `${file.sha256} ${words}`, element };
  }

  function bar(name) {
    const note = isClosed(meta) ? null : meta;
    const isWrong = ["offline", "failed", "gone"].includes(live.state);
    const said = words(live);
    return h(
      "header",
      { class: "note-bar", key: "bar" },
      backLink(),
      h("h2", { class: "visually-hidden", tabindex: "-1", created: arrive }, name),
      h(
        "p",
        { class: `note-state ${isWrong ? "wrong" : ""} ${said?.length > 10 ? "sentence" : ""}` },
        !isWrong && (live.id === null || isClosed(meta) ? "" : said),
        h("span", { role: "status" }, isWrong && said),
      ),
      note && people(),
      !isClosed(meta) &&
        h(
          "button",
          { type: "button", class: "quiet", onclick: toggle, ...keyed("Mod+Enter") },
          icon(isPreview ? "edit" : "eye"),
          h("span", null, isPreview ? "Edit" : "Preview"),
        ),
      note && iconButton("pin", note.pinned ? "Unpin" : "Pin", () => pin([note.id], !note.pinned), { "aria-pressed": String(note.pinned) }),
      note && menuButton({ label: "More actions", items: menu }),
    );
  }

  // The field of a part, with the carets of others.
  function field(part) {
    const people = [...live.peers].flatMap(([key, { who, moves }]) => {
      const ends = live.clients[part].selections.get(key)?.map(areas[part].shownPlace);
      return ends ? [{ key, who, name: who === live.user ? "You" : who, moves, start: ends[0], end: ends[1] }] : [];
    });
    if (part === "content") areas.content.showPeople(people);
    return h(
      "div",
      { class: `note-field ${part}`, key: part },
      areas[part].element,
      part === "title" && people.length > 0 && caretLayer(areas.title.text, people),
    );
  }

  // Those who have the note open too.

  const nameOf = (who) => (who === live.user ? "You, in another window" : who);

  function people() {
    const names = [...new Set([...live.peers.values()].map(({ who }) => who))].sort();
    const [shown, others] =
      names.length > maximumAvatars ? [names.slice(0, maximumAvatars - 1), names.slice(maximumAvatars - 1)] : [names, []];
    const item = (key, words, picture) => h("li", { key, title: words }, picture, h("span", { class: "visually-hidden" }, words));
    return (
      names.length > 0 &&
      h(
        "ul",
        { class: "people", key: "people", "aria-label": "Also in this note" },
        shown.map((who) => item(who, nameOf(who), avatar(who, { size: "small" }))),
        others.length > 0 && item("", listed(others.map(nameOf)), avatar("", { size: "small", sign: `+${others.length}` })),
      )
    );
  }

  function arrive(element) {
    if (isNew) takeFocus(areas.title.element);
    else takeFocus(element);
    takeFocus(areas.content.field, "text");
  }

  /**
   * Does something with the note as it is known then.
   * @type {(act: (note: Notes.Note) => unknown) => () => unknown}
   */
  const withNote = (act) => () => meta && act(meta);

  function menu() {
    return [
      { words: "Attach files…", picture: "upload", act: async () => attach(await chooseFiles({ isMultiple: true })) },
      { words: "Tags…", picture: "tag", act: withNote((note) => editTags(noteEntity, note, inUse().tags ?? [])) },
      { words: "Move to folder…", picture: "list", act: withNote(moveNote) },
      meta?.owned ? { words: "Share…", picture: "people", act: withNote(shareNote) } : null,
      { words: "History", picture: "clock", act: withNote(({ id }) => go({ id, view: "history" })) },
      {
        words: "Copy link to this note",
        picture: "link",
        act: withNote(({ title, name }) => navigator.clipboard.writeText(`[[${title || name}]]`)),
      },
      meta?.owned
        ? {
            words: meta.public_url ? "Public link" : "Public link…",
            picture: "globe",
            act: withNote((note) => publicLink(note).then(shown.refresh)),
          }
        : null,
      { words: "Print…", picture: "note", act: print },
      { words: "Save as…", picture: "download", act: withNote((note) => saveAs(note, live.texts)) },
      null,
      { words: "Delete", picture: "trash", isDanger: true, act: () => remove() },
    ];
  }

  async function remove() {
    await live.sync();
    if (meta) await removeNotes([meta.id], meta.name);
  }

  // The title that a link named, as if it was typed.
  if (isNew && first) areas.title.insert(first, 0, 0);
  if (isPreview) started.then(preview);
}

// Whether a note can be read only.
const isClosed = (note) => Boolean(note?.deleted_at || note?.locked || note?.read_only);

const gone = () =>
  h(
    "div",
    { class: "state", key: "state" },
    icon("note", { size: "large" }),
    h("p", { class: "state-title" }, "This note no longer exists."),
    h(
      "div",
      { class: "actions" },
      h("a", { class: "button", href: elsewhere() }, "All notes"),
      h("a", { class: "button", href: address({ id: null, view: "trash" }) }, "Trash"),
    ),
  );

function closedMark(note) {
  const { deleted_at: since, owner, asked_at: asked } = note;
  if (!since && !note.locked) {
    return h("div", { class: "callout" }, h("p", null, `Read-only. It belongs to ${owner}, who lets you read it, but not edit it.`));
  }
  if (!since) {
    return h(
      "div",
      { class: "callout" },
      h("p", null, `Locked. It belongs to ${owner}, who has not shared it with you.`, asked && ` You asked for access ${ago(asked)}.`),
      h(
        "button",
        { type: "button", class: asked ? "" : "main", onclick: () => askForAccess(note) },
        icon("people"),
        asked ? "Ask again…" : "Ask for access…",
      ),
    );
  }
  return trashed(noteEntity, note, { restored: refreshList });
}

function chips(note) {
  const found = [
    ...(note?.folder
      ? [
          h(
            "a",
            { class: "chip", href: address({ view: null, id: null, folder: note.folder, tag: "", show: "", q: "" }) },
            icon("list", { size: "small" }),
            note.folder,
          ),
        ]
      : []),
    ...(note?.tags ?? []).map((tag) =>
      h("a", { class: "chip", href: address({ view: null, id: null, tag, folder: "", show: "", q: "" }) }, `#${tag}`),
    ),
  ];
  const people = (note?.access ?? []).filter((name) => name !== note.owner);
  return (
    (found.length > 0 || people.length > 0) &&
    h(
      "div",
      { class: "chips", key: "chips" },
      found,
      people.length > 0 &&
        h(
          "button",
          { type: "button", class: "chip", onclick: () => note.owned && shareNote(note) },
          icon("people", { size: "small" }),
          `Shared with ${listed(people.map((name) => (note.readers.includes(name) ? `${name} (read-only)` : name)))}`,
        ),
    )
  );
}

// Links in other notes that still have a former name of this note are changed only when asked for.
function staleLinks(note) {
  const count = note?.stale_links ?? 0;
  return (
    count > 0 &&
    h(
      "div",
      { class: "callout", key: "stale" },
      h("p", null, `${counted(count, "link")} in other notes still ${count === 1 ? "has" : "have"} the former name.`),
      h("button", { type: "button", onclick: () => updateLinks(note) }, icon("link"), "Update links…"),
    )
  );
}

async function updateLinks(note) {
  const path = `/api/notes/${encodeURIComponent(note.id)}/relink`;
  const updates = await getJSON(path).catch(tellError);
  if (!updates) return;
  if (!(await confirmLinks("Update links", updates, "Update"))) return;
  const count = linkCount(updates);
  await undoable("POST", path, {}, `${counted(count, "link")} updated.`);
}

/** The people and others that the note names. */
const named = itemLinks("notes", () => redraw());

function linked(note) {
  const seen = new Set();
  const [to, from] = [
    (note?.links ?? []).filter(({ direction, title, id }) => direction !== "from" && !seen.has(id ?? title) && seen.add(id ?? title)),
    (note?.links ?? []).filter(({ direction }) => direction === "from"),
  ];
  const chip = ({ id, title }, place) =>
    h(
      "a",
      {
        key: place,
        class: id ? "chip" : "chip broken",
        href: id ? address({ id, view: null }) : address({ id: null, view: "new", title }),
        title: id ? null : "This note does not exist yet. Open it to write it.",
      },
      title,
    );
  return (
    (to.length > 0 || from.length > 0) &&
    h(
      "footer",
      { class: "linked", key: "linked" },
      from.length > 0 && h("div", { key: "from" }, h("span", null, "Linked from"), from.map(chip)),
      to.length > 0 && h("div", { key: "to" }, h("span", null, "Links to"), to.map(chip)),
    )
  );
}
