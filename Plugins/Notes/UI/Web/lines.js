// The lines of a text as elements, styled as Markdown, in an element that can be edited: places of the text lead to those of the page, and
// back. The text of each element is that of its line, so nothing is hidden from screen readers, from search in the page or from a printer.
import { create, h } from "/assets/components/patch.js";
import { fenceAfter, pictureTargets, styledLine } from "/notes/markdownstyle.js";

const widths = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

const segmenters = {
  Content: new Intl.Segmenter(undefined, { granularity: "grapheme" }),
  Word: new Intl.Segmenter(undefined, { granularity: "word" }),
};

/**
 * The length of what a key deletes of a line that goes on behind the caret, or ends before it when `isBackward`.
 * @param {string} text
 * @param {string} unit
 * @param {boolean} isBackward
 * @returns {number}
 */
function deletedLength(text, unit, isBackward) {
  if (unit !== "Content" && unit !== "Word") return text.length;
  const segments = [...segmenters[unit].segment(text)].map(({ segment }) => segment);
  if (isBackward) segments.reverse();
  const isBlank = (segment) => unit === "Word" && !segment.trim();
  const count = Math.max(
    0,
    segments.findIndex((segment) => !isBlank(segment)),
  );
  return segments.slice(0, count + 1).join("").length;
}

/**
 * A place of a text that is not between the halves of a character.
 * @param {string} text
 * @param {number} at
 * @returns {number}
 */
const wholePlace = (text, at) =>
  Math.min(text.length, /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1)) ? at + 1 : at);

/**
 * The lines of the text in `root`. `picture(target, words)` gives the image that a target leads to, or null.
 * @param {HTMLElement} root
 * @param {(target: string, words: string) => Notes.Picture | null} picture
 * @returns {Notes.Lines}
 */
export function textLines(root, picture) {
  /** @type {Notes.Line[]} */
  let lines = [];

  const lengthOf = (line) => line.text.length + 1;

  /** The line of a place, with the place in it. */
  function lineAt(at) {
    let rest = Math.max(0, at);
    for (const [index, line] of lines.entries()) {
      if (rest <= line.text.length) return { index, line, offset: rest };
      rest -= lengthOf(line);
    }
    const index = lines.length - 1;
    return { index, line: lines[index], offset: lines[index].text.length };
  }

  const startOf = (index) => lines.slice(0, index).reduce((sum, line) => sum + lengthOf(line), 0);

  // Drawing

  function makeLine(text) {
    const element = document.createElement("div");
    element.dir = "auto";
    return { text, element, fence: null, drawn: null, pictures: null, pictureKey: "" };
  }

  function draw(line, fence) {
    if (line.drawn === line.text && line.fence === fence) return;
    [line.drawn, line.fence] = [line.text, fence];
    const { element } = line;
    const { style, parts, indent } = styledLine(line.text, fence);
    element.className = `text-line ${style}`.trim();
    const nodes = parts.map(({ words, style }) => {
      if (!style) return words;
      const span = document.createElement("span");
      span.className = style;
      span.textContent = words;
      return span;
    });
    element.replaceChildren(...(nodes.length ? nodes : [document.createElement("br")]));
    hang(element, indent);
  }

  // The wrapped rest of an item begins below its first word.
  /** @type {Map<string, string>} */
  const measured = new Map();
  function widthOf(indent) {
    if (!measured.size) widths.font = getComputedStyle(root).font;
    if (!measured.has(indent)) {
      const width = widths.measureText(indent.replaceAll("\t", "    ")).width;
      measured.set(indent, `${Math.min(160, Math.ceil(width))}px`);
    }
    return measured.get(indent);
  }

  function hang(element, indent) {
    if (indent) {
      const width = widthOf(indent);
      Object.assign(element.style, { paddingInlineStart: width, textIndent: `-${width}` });
    } else if (element.style.textIndent) Object.assign(element.style, { paddingInlineStart: "", textIndent: "" });
  }

  function drawPictures(line, isCode) {
    const found = isCode ? [] : pictureTargets(line.text).flatMap(({ target, words }) => picture(target, words) ?? []);
    const key = found.map((it) => it.key).join("\n");
    if (key === line.pictureKey) return;
    line.pictureKey = key;
    line.pictures?.remove();
    line.pictures = null;
    if (!found.length) return;
    line.pictures = create(h("div", { class: "pictures", contenteditable: "false" }));
    line.pictures.append(...found.map((it) => it.element()));
    line.element.after(line.pictures);
  }

  /** Draws from a line on, as far as something is another. */
  function drawFrom(first, last) {
    let fence = first > 0 ? fenceAfter(lines[first - 1].text, lines[first - 1].fence ?? "") : "";
    for (let index = first; index < lines.length; index++) {
      const line = lines[index];
      if (index > last && line.fence === fence) break;
      draw(line, fence);
      drawPictures(line, Boolean(fence || fenceAfter(line.text, fence)));
      fence = fenceAfter(line.text, fence);
    }
    root.toggleAttribute("data-empty", lines.length === 1 && !lines[0].text);
  }

  // Changing

  function replace(at, count, words) {
    const [from, to] = [lineAt(at), lineAt(at + count)];
    const texts = (from.line.text.slice(0, from.offset) + words + to.line.text.slice(to.offset)).split("\n");
    // The first and the last line keep their elements, so what is around the change does not move.
    const kept = from.index === to.index ? [] : [to.line];
    const added = texts
      .slice(1)
      .map((text, index) => (index === texts.length - 2 && kept.length ? Object.assign(kept[0], { text }) : makeLine(text)));
    from.line.text = texts[0];
    for (const line of lines.slice(from.index + 1, to.index + 1)) if (!added.includes(line)) remove(line);
    lines.splice(from.index + 1, to.index - from.index, ...added);
    let before = from.line.pictures ?? from.line.element;
    for (const line of added) {
      if (!line.element.isConnected || line.element.parentNode !== root) before.after(line.element);
      before = line.pictures ?? line.element;
    }
    drawFrom(from.index, from.index + added.length);
  }

  function remove(line) {
    line.pictures?.remove();
    line.element.remove();
  }

  /** Shows a text in place of all. */
  function reset(text) {
    lines = text.split("\n").map(makeLine);
    root.replaceChildren(...lines.map(({ element }) => element));
    drawFrom(0, lines.length - 1);
  }

  /**
   * What a key deletes where nothing is selected, by the name that the browser gives it, such as `deleteWordBackward`.
   * @returns {[number, number]}
   */
  function deletion(name, at) {
    const { index, line, offset } = lineAt(at);
    const [, unit, direction] = /^delete(Content|Word|SoftLine|HardLine)(Backward|Forward)$/.exec(name) ?? [];
    if (!unit) return [at, at];
    const isBackward = direction === "Backward";
    const rest = isBackward ? line.text.slice(0, offset) : line.text.slice(offset);
    const isEdge = isBackward ? index === 0 : index === lines.length - 1;
    const length = rest ? deletedLength(rest, unit, isBackward) : isEdge ? 0 : 1;
    return isBackward ? [at - length, at] : [at, at + length];
  }

  // Places

  const isText = (node) => node.nodeType === Node.TEXT_NODE;

  /** The place of the text for a node of the page and the offset in it; null outside. */
  function placeOf(node, offset) {
    if (node === root) {
      // Between lines: the beginning of the next one.
      /** @type {Node | null} */
      let child = root.childNodes[offset] ?? null;
      for (; child; child = child.nextSibling) {
        const index = lines.findIndex(({ element }) => element === child);
        if (index >= 0) return startOf(index);
      }
      return startOf(lines.length) - 1;
    }
    let child = node;
    while (child && child.parentNode !== root) child = child.parentNode;
    if (!child) return null;
    const index = lines.findIndex(({ element, pictures }) => element === child || pictures === child);
    if (index < 0) return null;
    if (lines[index].pictures === child) return startOf(index) + lines[index].text.length;
    const range = document.createRange();
    range.setStart(child, 0);
    range.setEnd(node, offset);
    return startOf(index) + wholePlace(lines[index].text, range.toString().length);
  }

  /** The node of the page for a place of the text, and the offset in it. */
  function nodeAt(at) {
    const { line, offset } = lineAt(at);
    const walker = document.createTreeWalker(line.element, NodeFilter.SHOW_TEXT);
    let rest = offset;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { length } = /** @type {Text} */ (node);
      if (rest <= length) return { node, offset: rest };
      rest -= length;
    }
    return { node: /** @type {Node} */ (line.element), offset: isText(line.element) ? rest : 0 };
  }

  const isPictures = (node) => node instanceof HTMLElement && node.classList.contains("pictures");

  /** The text that the browser has put into the page. */
  function read() {
    const nodes = [...root.childNodes].filter((node) => !isPictures(node));
    for (const node of nodes) {
      // A line break is one, but for that of an empty line.
      const breaks = node instanceof HTMLElement ? [...node.querySelectorAll("br")] : [];
      for (const it of breaks) if (it.previousSibling && it.nextSibling) it.replaceWith("\n");
    }
    return nodes.map((node) => node.textContent ?? "").join("\n");
  }

  /** The place in the text that {@link read} returns. */
  function readPlace(node, offset) {
    let place = 0;
    for (const child of root.childNodes) {
      if (isPictures(child)) continue;
      if (!child.contains(node)) {
        place += (child.textContent ?? "").length + 1;
        continue;
      }
      const range = document.createRange();
      range.setStart(child, 0);
      range.setEnd(node, offset);
      return place + range.toString().length;
    }
    return Math.max(0, place - 1);
  }

  return {
    reset,
    replace,
    deletion,
    placeOf,
    nodeAt,
    read,
    readPlace,
    lineAt,
    get text() {
      return lines.map(({ text }) => text).join("\n");
    },
    line: (index) => lines[index]?.text ?? "",
    startOf,
    /** Draws the pictures again, when the files of the note are others. */
    drawPictures() {
      for (const line of lines) drawPictures(line, Boolean(line.fence || fenceAfter(line.text, line.fence ?? "")));
    },
    /** Measures again, when the font is another. */
    refresh() {
      measured.clear();
    },
  };
}
