// A text area that shows a text of a note: what is typed becomes changes, and changes from elsewhere leave caret, selection and
// scroll position where they are. Undo takes back what was typed here, and nothing that others wrote.
import { compose, difference, inverse, isEmpty, moved, over } from "/notes/change.js";
import { keys } from "/assets/components/keys.js";
import { create, h } from "/assets/components/patch.js";

// Typing within this time, in milliseconds, is taken back at once.
const burst = 1000;
const maximumUndo = 500;

// A text area has no carriage returns: `places[i]` is where the unit i that is shown is in the text.
function shownForm(text) {
  if (!text.includes("\r")) return { shown: text, place: (at) => at, shownPlace: (at) => at };
  const places = [];
  let shown = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\r" && text[at + 1] === "\n") continue;
    places.push(text[at] === "\n" && text[at - 1] === "\r" ? at - 1 : at);
    shown += text[at] === "\r" ? "\n" : text[at];
  }
  places.push(text.length);
  return {
    shown,
    place: (at) => places[at],
    shownPlace: (at) =>
      Math.max(
        0,
        places.findIndex((place) => place >= at),
      ),
  };
}

/**
 * The text area for `client`, an `editClient`. `typed()` is called after each change by the user. Other properties are those of the
 * element.
 * @param {Notes.EditClient} client
 * @param {{ typed: () => void, isLine?: boolean, [attribute: string]: unknown }} properties
 * @returns {Notes.TextArea}
 */
export function textArea(client, { typed, isLine = false, ...properties }) {
  const element = create(
    h("textarea", { rows: 1, dir: "auto", ...properties, oninput: onInput, onbeforeinput: onBeforeInput, onkeydown: keys(onKey) }),
  );
  let form = shownForm(client.text);
  let [undone, done] = [[], []];
  let last = { at: 0, kind: "" };
  element.value = form.shown;

  // The steps over the text as it is shown, as steps over the text itself.
  function inText(change) {
    let at = 0;
    return change.map((step) => {
      if (typeof step === "string") return step;
      const from = form.place(at);
      at += Math.abs(step);
      return Math.sign(step) * (form.place(at) - from);
    });
  }

  function onInput(event) {
    if (isLine && element.value.includes("\n")) setLine(element.value.replaceAll(/\s*\n\s*/g, " "));
    const change = inText(difference(form.shown, element.value.toWellFormed(), element.selectionEnd));
    if (isEmpty(change)) return;
    const text = client.text;
    const now = event.timeStamp;
    const back = inverse(change, text);
    const isMore =
      event.inputType === last.kind &&
      /^(insertText|delete)/.test(last.kind) &&
      now - last.at < burst &&
      !/\s/.test(event.data ?? "") &&
      done.length > 0;
    if (isMore) done.push(compose(back, done.pop()));
    else done.push(back);
    last = { at: now, kind: event.inputType };
    undone = [];
    if (done.length > maximumUndo) done.shift();
    client.type(change);
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

  /** Shows a change that came from elsewhere. */
  function receive(change) {
    show(change);
    [done, undone] = [carried(done, change), carried(undone, change)];
  }

  // Undo steps, the last one first, over a change of the text that they follow.
  function carried(steps, change) {
    const result = [];
    for (const step of steps.toReversed()) {
      result.unshift(over(step, change, false));
      change = over(change, step, true);
    }
    return result.filter((step) => !isEmpty(step));
  }

  function show(change, { caretAfter = false } = {}) {
    const next = shownForm(client.text);
    if (next.shown === element.value) return void (form = next);
    const { selectionStart, selectionEnd, selectionDirection } = element;
    const place = (at) => next.shownPlace(moved(change, form.place(at), caretAfter));
    const [start, end] = [place(selectionStart), place(selectionEnd)];
    const before = hasFocus() ? heightOf(element.value.slice(0, selectionStart)) : 0;
    form = next;
    element.value = next.shown;
    element.setSelectionRange(start, end, selectionDirection);
    if (hasFocus()) scroll(heightOf(next.shown.slice(0, start)) - before);
  }

  const hasFocus = () => document.activeElement === element;

  // The line with the caret stays where it is on the screen.
  function scroll(by) {
    if (!by) return;
    for (let node = element.parentElement; node; node = node.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(node).overflowY)) return void (node.scrollTop += by);
    }
  }

  function heightOf(text) {
    const probe = create(
      h("textarea", {
        rows: 1,
        class: element.className,
        tabindex: "-1",
        "aria-hidden": "true",
        style: { position: "absolute", visibility: "hidden", width: `${element.clientWidth}px`, "min-height": "0" },
      }),
    );
    probe.value = text;
    element.after(probe);
    const { height } = probe.getBoundingClientRect();
    probe.remove();
    return height;
  }

  // Undo

  function step(from, to) {
    const change = from.pop();
    if (!change) return;
    const text = client.text;
    to.push(inverse(change, text));
    client.type(change);
    last = { at: 0, kind: "" };
    const end = endOf(change);
    show(change);
    element.setSelectionRange(form.shownPlace(end), form.shownPlace(end));
    typed();
  }

  // The end of what a change inserts or deletes first, where the caret belongs after an undo.
  function endOf(change) {
    let at = 0;
    for (const part of change) {
      if (typeof part === "string") return at + part.length;
      if (part < 0) return at;
      at += part;
    }
    return at;
  }

  const undo = () => step(done, undone);
  const redo = () => step(undone, done);

  function onBeforeInput(event) {
    const act = { historyUndo: undo, historyRedo: redo }[event.inputType];
    if (isLine && (event.inputType === "insertLineBreak" || event.inputType === "insertParagraph")) event.preventDefault();
    if (!act) return;
    event.preventDefault();
    act();
  }

  function onKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const act = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" ? redo : null;
    if (!act) return;
    event.preventDefault();
    act();
  }

  return {
    element,
    receive,
    /** Waits until no word is being composed. */
    idle: () => composing.promise,
    /** Where a place of the text is in the text as it is shown. */
    shownPlace: (at) => form.shownPlace(at),
    /** The text as it is shown in the element. */
    get text() {
      return form.shown;
    },
    /** Puts words in place of the selection or of `from` to `to`, as if they were typed. */
    insert(words, from = element.selectionStart, to = element.selectionEnd) {
      element.setRangeText(words, from, to, "end");
      onInput({ inputType: "insert", data: words });
    },
    /** The selection in the text, as places of UTF-16 units. */
    get selection() {
      return /** @type {[number, number]} */ ([form.place(element.selectionStart), form.place(element.selectionEnd)]);
    },
  };
}
