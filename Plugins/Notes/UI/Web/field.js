// A text area that shows a text of a note: what is typed becomes changes, and changes from elsewhere leave caret, selection and
// scroll position where they are. Undo takes back what was typed here, and nothing that others wrote.
import { difference, isEmpty, moved } from "/notes/change.js";
import { keys } from "/assets/components/keys.js";
import { create, h } from "/assets/components/patch.js";
import { inText, shownForm } from "/notes/shownform.js";
import { endOf, typingHistory, undoKey } from "/notes/typinghistory.js";

/**
 * The text area of one line for `client`, an `editClient`. `typed()` is called after each change by the user. Other properties are
 * those of the element.
 * @param {Notes.EditClient} client
 * @param {{ typed: () => void, [attribute: string]: unknown }} properties
 * @returns {Notes.TextField}
 */
export function textArea(client, { typed, ...properties }) {
  const element = create(
    h("textarea", { rows: 1, dir: "auto", ...properties, oninput: onInput, onbeforeinput: onBeforeInput, onkeydown: keys(onKey) }),
  );
  const history = typingHistory(client);
  let form = shownForm(client.text);
  element.value = form.shown;

  function onInput(event) {
    if (element.value.includes("\n")) setLine(element.value.replaceAll(/\s*\n\s*/g, " "));
    const change = inText(form, difference(form.shown, element.value.toWellFormed(), element.selectionEnd));
    if (isEmpty(change)) return;
    const kind = /^(insertText|delete)/.test(event.inputType) ? event.inputType : "";
    history.type(change, { kind, words: event.data ?? "", at: event.timeStamp });
    form = shownForm(client.text);
    typed();
  }

  function setLine(text) {
    const end = element.value.slice(element.selectionEnd).length;
    element.value = text;
    element.setSelectionRange(text.length - end, text.length - end);
  }

  // A word that is being composed must not be replaced under the input method.
  let composing = { promise: Promise.resolve(), resolve: () => {} };
  element.addEventListener("compositionstart", () => {
    composing = Promise.withResolvers();
  });
  for (const type of ["compositionend", "blur"]) element.addEventListener(type, () => queueMicrotask(() => composing.resolve()));

  function show(change) {
    const next = shownForm(client.text);
    const { selectionStart, selectionEnd, selectionDirection } = element;
    const place = (at) => next.shownPlace(moved(change, form.place(at)));
    const [start, end] = [place(selectionStart), place(selectionEnd)];
    form = next;
    if (next.shown === element.value) return;
    element.value = next.shown;
    element.setSelectionRange(start, end, selectionDirection);
  }

  function step(isRedo) {
    const change = history.step(isRedo);
    if (!change) return;
    const end = endOf(change);
    show(change);
    element.setSelectionRange(form.shownPlace(end), form.shownPlace(end));
    typed();
  }

  function onBeforeInput(event) {
    if (event.inputType === "insertLineBreak" || event.inputType === "insertParagraph") event.preventDefault();
    if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
    event.preventDefault();
    step(event.inputType === "historyRedo");
  }

  function onKey(event) {
    const act = undoKey(event);
    if (!act) return;
    event.preventDefault();
    step(act === "redo");
  }

  return {
    element,
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
      return document.activeElement === element;
    },
    focus: () => element.focus(),
    setReadOnly(isReadOnly) {
      element.readOnly = isReadOnly;
    },
    insert(words, from = element.selectionStart, to = element.selectionEnd) {
      element.setRangeText(words, from, to, "end");
      onInput({ inputType: "insert", data: words, timeStamp: performance.now() });
    },
    get selection() {
      return /** @type {[number, number]} */ ([form.place(element.selectionStart), form.place(element.selectionEnd)]);
    },
  };
}
