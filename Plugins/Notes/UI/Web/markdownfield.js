// The text of a note, whose Markdown is styled as one writes. What is typed becomes changes, and changes from elsewhere leave caret,
// selection and scroll position where they are. Decision 34 says why this is neither a text area nor a library.
import { difference, isEmpty, moved, replacing } from "/notes/change.js";
import { keys } from "/assets/components/keys.js";
import { create, h } from "/assets/components/patch.js";
import { textLines } from "/notes/lines.js";
import { peerLayer } from "/notes/peerlayer.js";
import { inText, shownForm } from "/notes/shownform.js";
import { endOf, typingHistory, undoKey } from "/notes/typinghistory.js";

const itemStart = /^(\s*)(?:([-*+])|(\d{1,9})([.)])) (\[[ xX]\] )?/;
const taskBox = /^\s*(?:>\s?)*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]/;

/**
 * The field for `client`, an `editClient`. `typed()` is called after each change by the user; `picture(target, words)` gives the image
 * that a target in the text leads to, or null; `pasted(event)` may keep a paste for itself. Other properties are those of the element.
 * @param {Notes.EditClient} client
 * @param {Notes.MarkdownFieldProperties} properties
 * @returns {Notes.MarkdownField}
 */
export function markdownField(client, { typed, picture, pasted, ...properties }) {
  const history = typingHistory(client);
  const field = create(
    h("div", { ...properties, class: "note-text", role: "textbox", "aria-multiline": "true", tabindex: "0", spellcheck: "true" }),
  );
  const element = create(h("div", { class: "note-editor" }));
  element.append(field);
  const lines = textLines(field, picture);
  const people = peerLayer(element, lines.nodeAt);
  let form = shownForm(client.text);
  lines.reset(form.shown);
  setEditable(true);

  // Text alone is taken; a browser that does not know this has the same from `onBeforeInput`.
  function setEditable(isEditable) {
    try {
      field.contentEditable = isEditable ? "plaintext-only" : "false";
    } catch {
      field.contentEditable = "true";
    }
  }

  // The selection

  const isFocused = () => document.activeElement === field;

  /**
   * The selection of the page in the text as it is shown: anchor and caret. It stays when the focus goes.
   * @returns {[number, number]}
   */
  function selection() {
    const found = document.getSelection();
    const isInside = found?.anchorNode && found.focusNode && field.contains(found.anchorNode) && field.contains(found.focusNode);
    if (!isInside) return last;
    const anchor = lines.placeOf(/** @type {Node} */ (found.anchorNode), found.anchorOffset);
    const caret = lines.placeOf(/** @type {Node} */ (found.focusNode), found.focusOffset);
    if (anchor !== null && caret !== null) last = [anchor, caret];
    return last;
  }
  /** @type {[number, number]} */
  let last = [0, 0];

  /** @returns {[number, number]} */
  const ends = () => {
    const [anchor, caret] = selection();
    return [Math.min(anchor, caret), Math.max(anchor, caret)];
  };

  function select(anchor, caret = anchor) {
    last = [anchor, caret];
    if (!isFocused()) return;
    const [from, to] = [lines.nodeAt(anchor), lines.nodeAt(caret)];
    document.getSelection()?.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
  }

  // Typing

  /** Puts words in place of `from` to `to`, as they were typed; changes of one `kind` that follow each other are one step of undo. */
  function type(from, to, words, { kind = "", at = 0 } = {}) {
    const clean = words.replaceAll(/\r\n?/g, "\n").toWellFormed();
    const change = inText(form, replacing(from, to - from, clean));
    if (isEmpty(change)) return;
    lines.replace(from, to - from, clean);
    history.type(change, { kind, words: clean, at });
    form = shownForm(client.text);
    typed();
    people.arrange();
  }

  function typeHere(from, to, words, how) {
    type(from, to, words, how);
    const end = from + words.replaceAll(/\r\n?/g, "\n").length;
    select(end);
    reveal();
  }

  /** Where an input changes the text, as the browser says; the selection without that. */
  function target(event) {
    const [range] = event.getTargetRanges();
    const from = range && lines.placeOf(range.startContainer, range.startOffset);
    const to = range && lines.placeOf(range.endContainer, range.endOffset);
    return from === undefined || to === undefined || from === null || to === null ? ends() : [Math.min(from, to), Math.max(from, to)];
  }

  function onBeforeInput(event) {
    const { inputType } = event;
    if (inputType === "historyUndo" || inputType === "historyRedo") {
      event.preventDefault();
      return step(inputType === "historyRedo");
    }
    // What an input method composes is read when it is done: it must not be replaced under it.
    if (event.isComposing || inputType === "insertCompositionText" || !event.cancelable) return;
    event.preventDefault();
    if (inputType.startsWith("format")) return;
    let [from, to] = target(event);
    if (from === to && inputType.startsWith("delete")) [from, to] = lines.deletion(inputType, from);
    if (inputType === "insertParagraph" || inputType === "insertLineBreak") return newLine(from, to);
    const words = inputType.startsWith("delete") ? "" : (event.data ?? event.dataTransfer?.getData("text/plain") ?? "");
    const kind = /^(insertText|delete)/.test(inputType) ? inputType : "";
    typeHere(from, to, words, { kind, at: event.timeStamp });
  }

  // Takes in what the browser has put into the page itself.
  function readPage(event) {
    const shown = lines.read();
    if (shown === form.shown) return;
    const found = document.getSelection();
    const now = shown.toWellFormed();
    const change = difference(form.shown, now, caretIn(found) ?? now.length);
    history.type(inText(form, change), { kind: "compose", words: "", at: event?.timeStamp ?? 0 });
    form = shownForm(client.text);
    isUnread = true;
    typed();
  }

  /** The place of the caret in what the page has, which the lines may not know yet; null outside. */
  function caretIn(found) {
    return found?.focusNode && field.contains(found.focusNode) ? lines.readPlace(found.focusNode, found.focusOffset) : null;
  }

  // Whether the page has a text that the lines do not know.
  let isUnread = false;
  function settle() {
    readPage(null);
    if (!isUnread) return;
    isUnread = false;
    const caret = caretIn(document.getSelection());
    lines.reset(form.shown);
    if (caret !== null) select(caret);
    people.arrange();
  }

  let composing = { promise: Promise.resolve(), resolve: () => {} };
  field.addEventListener("compositionstart", () => {
    composing = Promise.withResolvers();
    // A browser joins lines in its own way, with styles that the page does not allow.
    const [from, to] = ends();
    if (lines.lineAt(from).index !== lines.lineAt(to).index) typeHere(from, to, "");
  });
  for (const name of ["compositionend", "blur"])
    field.addEventListener(name, () =>
      queueMicrotask(() => {
        settle();
        composing.resolve();
      }),
    );
  field.addEventListener("beforeinput", onBeforeInput);
  field.addEventListener("input", (event) => {
    readPage(event);
    if (!(/** @type {InputEvent} */ (event).isComposing)) settle();
  });

  // Enter in a list begins its next item, and ends the list after an empty one.
  function newLine(from, to) {
    const { index, line, offset } = lines.lineAt(from);
    const found = from === to && itemStart.exec(line.text.slice(0, offset));
    if (!found) return typeHere(from, to, "\n");
    const [mark, space, bullet, number, stop, box] = found;
    if (mark.length === offset) return typeHere(lines.startOf(index), from, "");
    typeHere(from, to, `\n${space}${bullet ?? `${Number(number) + 1}${stop}`} ${box ? "[ ] " : ""}`);
  }

  // Changes from elsewhere

  function show(change) {
    settle();
    const next = shownForm(client.text);
    const [anchor, caret] = selection().map((at) => next.shownPlace(moved(change, form.place(at))));
    const before = isFocused() ? caretTop() : null;
    // Where the text has carriage returns, its places are not those of what is shown.
    const isSame = next.shown === client.text && form.place(form.shown.length) === form.shown.length;
    const steps = isSame ? change : difference(form.shown, next.shown);
    form = next;
    let at = 0;
    for (const part of steps) {
      if (typeof part === "string") {
        lines.replace(at, 0, part);
        at += part.length;
      } else if (part > 0) at += part;
      else lines.replace(at, -part, "");
    }
    if (lines.text !== next.shown) lines.reset(next.shown);
    select(anchor, caret);
    // The line with the caret stays where it is on the screen.
    const after = caretTop();
    if (before !== null && after !== null) scroller()?.scrollBy({ top: after - before, behavior: "instant" });
    people.arrange();
  }

  function step(isRedo) {
    settle();
    const change = history.step(isRedo);
    if (!change) return;
    show(change);
    select(form.shownPlace(endOf(change)));
    reveal();
    typed();
  }

  // Scrolling

  function scroller() {
    for (let node = element.parentElement; node; node = node.parentElement)
      if (/auto|scroll/.test(getComputedStyle(node).overflowY)) return node;
    return null;
  }

  function caretBox() {
    const { node, offset } = lines.nodeAt(selection()[1]);
    const range = document.createRange();
    range.setStart(node, offset);
    const box = range.getClientRects()[0];
    return box ?? (node instanceof Element ? node : node.parentElement)?.getBoundingClientRect() ?? null;
  }
  const caretTop = () => caretBox()?.top ?? null;

  // Keeps the caret in sight; the bar and the foot of the page cover a part of it.
  function reveal() {
    const [around, caret] = [scroller(), caretBox()];
    if (!around || !caret || !isFocused()) return;
    const [box, style] = [around.getBoundingClientRect(), getComputedStyle(around)];
    const top = box.top + (parseFloat(style.scrollPaddingTop) || 0);
    const bottom = box.bottom - (parseFloat(style.scrollPaddingBottom) || 0);
    if (caret.top < top) around.scrollBy({ top: caret.top - top, behavior: "instant" });
    else if (caret.bottom > bottom) around.scrollBy({ top: caret.bottom - bottom, behavior: "instant" });
  }

  // Keys, clipboard and pointer

  field.addEventListener(
    "keydown",
    keys((event) => {
      const act = undoKey(event);
      if (!act) return;
      event.preventDefault();
      step(act === "redo");
    }),
  );
  field.addEventListener("paste", pasted);
  for (const name of ["copy", "cut"])
    field.addEventListener(name, (event) => {
      const [from, to] = ends();
      if (from === to) return;
      event.preventDefault();
      /** @type {ClipboardEvent} */ (event).clipboardData?.setData("text/plain", form.shown.slice(from, to));
      if (name === "cut") typeHere(from, to, "");
    });
  // Words are moved with the clipboard: a drag would leave the page with what the lines do not know.
  field.addEventListener("dragstart", (event) => event.preventDefault());
  // The box of a task is ticked by a click; the caret stays where it is.
  const boxOf = (event) => event.target instanceof Element && event.target.closest(".task");
  field.addEventListener("mousedown", (event) => {
    if (boxOf(event) && event.button === 0) event.preventDefault();
  });
  field.addEventListener("click", (event) => {
    const box = boxOf(event);
    const place = box ? lines.placeOf(box, 0) : null;
    if (place !== null) toggleTask(lines.lineAt(place).index);
  });
  document.addEventListener("selectionchange", onSelection);
  function onSelection() {
    if (isFocused()) selection();
  }
  field.addEventListener("focus", () => {
    const found = document.getSelection();
    if (!found?.anchorNode || !field.contains(found.anchorNode)) select(...last);
  });
  const sizes = new ResizeObserver(() => {
    lines.refresh();
    people.arrange();
  });
  sizes.observe(element);
  field.addEventListener("load", people.arrange, { capture: true });

  // The box of a task in a line, counted from 0.
  function toggleTask(index) {
    const found = taskBox.exec(lines.line(index));
    if (!found || !field.isContentEditable) return;
    const at = lines.startOf(index) + found[0].length - 2;
    const [anchor, caret] = selection();
    type(at, at + 1, found[1] === " " ? "x" : " ");
    select(anchor, caret);
  }

  return {
    element,
    field,
    receive(change) {
      show(change);
      history.receive(change);
    },
    idle: () => composing.promise,
    shownPlace: (at) => form.shownPlace(at),
    get text() {
      return form.shown;
    },
    get isFocused() {
      return isFocused();
    },
    focus(at) {
      field.focus({ preventScroll: true });
      select(...(at === undefined ? last : [at, at]));
      reveal();
    },
    setReadOnly(isReadOnly) {
      if (field.ariaReadOnly === String(isReadOnly)) return;
      field.ariaReadOnly = String(isReadOnly);
      setEditable(!isReadOnly);
    },
    insert(words, from, to) {
      const [start, end] = ends();
      const [anchor, caret] = selection();
      if (from === undefined) return typeHere(start, to ?? end, words);
      const change = replacing(from, (to ?? from) - from, words);
      type(from, to ?? from, words);
      select(moved(change, anchor, true), moved(change, caret, true));
    },
    toggleTask,
    toggleOwnTask: () => toggleTask(lines.lineAt(selection()[1]).index),
    showPeople: people.show,
    redraw: lines.drawPictures,
    close() {
      sizes.disconnect();
      document.removeEventListener("selectionchange", onSelection);
    },
    get selection() {
      const [start, end] = ends();
      return /** @type {[number, number]} */ ([form.place(start), form.place(end)]);
    },
  };
}
