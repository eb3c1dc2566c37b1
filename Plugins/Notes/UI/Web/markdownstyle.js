// How a line of Markdown looks while it is written: parts with the names of their styles. All marks stay in the text.

// The most units of a line that are styled, and of what stands between two marks; so a line costs what it is long.
const mostStyled = 10_000;

// Without blanks, and with brackets in pairs.
const address = String.raw`[^\s()<>]{0,400}(?:\([^\s()]{0,400}\)[^\s()]{0,400})?`;

const inline = new RegExp(
  [
    String.raw`(?<escaped>\\[!-\/:-@[-\x60{-~])`,
    String.raw`(?<ticks>\x60+)(?!\x60)(?<code>.{1,1000}?)(?<!\x60)\k<ticks>(?!\x60)`,
    String.raw`(?<wiki>!?\[\[[^[\]]{1,300}\]\])`,
    String.raw`(?<open>!?\[)(?<words>[^[\]]{0,1000})\]\((?<target>(?:<[^<>]{0,400}>|${address})(?:\s[^()]{0,400})?)\)`,
    String.raw`(?<address>https?:\/\/[^\s<>()[\]"]{1,2000})`,
    String.raw`(?<strong>\*\*|(?<!\w)__)(?=\S)(?<bold>.{1,1000}?)(?<=\S)\k<strong>(?!\*)`,
    String.raw`(?<strike>~~)(?=\S)(?<gone>.{1,1000}?)(?<=\S)~~`,
    String.raw`(?<em>\*|(?<!\w)_)(?=[^\s*_])(?<slanted>.{0,1000}?)(?<=[^\s*_])\k<em>(?![\w*])`,
  ].join("|"),
  "g",
);

/**
 * What is written in a line, with its styles.
 * @param {string} text
 * @param {string} style
 * @returns {Notes.StyledPart[]}
 */
function inlineParts(text, style) {
  /** @type {Notes.StyledPart[]} */
  const parts = [];
  /** @type {(words: string, ...styles: string[]) => void} */
  const add = (words, ...styles) => {
    if (words) parts.push({ words, style: [style, ...styles].filter(Boolean).join(" ") });
  };
  /** @type {(words: string, name: string) => unknown} */
  const nested = (words, name) => parts.push(...inlineParts(words, `${style} ${name}`.trim()));
  let end = 0;
  for (const found of text.matchAll(inline)) {
    add(text.slice(end, found.index));
    end = (found.index ?? 0) + found[0].length;
    const { escaped, ticks, code, wiki, open, words, target, address, strong, bold, strike, gone, em, slanted } = found.groups ?? {};
    if (escaped) {
      add("\\", "mark");
      add(escaped.slice(1));
    } else if (ticks)
      for (const [part, name] of [
        [ticks, "mark"],
        [code, "code"],
        [ticks, "mark"],
      ])
        add(part, name);
    else if (wiki) {
      const [start, stop] = [wiki.indexOf("[[") + 2, wiki.length - 2];
      add(wiki.slice(0, start), "mark");
      add(wiki.slice(start, stop), "link");
      add(wiki.slice(stop), "mark");
    } else if (open) {
      add(open, "mark");
      add(words, "link");
      add(`](${target})`, "mark");
    } else if (address) add(address, "link");
    else {
      const [mark, inside, name] = strong ? [strong, bold, "strong"] : strike ? [strike, gone, "gone"] : [em, slanted, "em"];
      add(mark, "mark");
      nested(inside, name);
      add(mark, "mark");
    }
  }
  add(text.slice(end));
  return parts;
}

const fenceMark = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const heading = /^( {0,3}(#{1,6}))(?=\s|$)/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const block = /^(\s*(?:>\s?)*)(?:([-*+]|\d{1,9}[.)])(\s+)(?:(\[[ xX]\])(?=\s))?)?/;

/**
 * The mark of the code that is open after a line; `fence` is the one that is open before it, "" for none.
 * @param {string} text
 * @param {string} fence
 * @returns {string}
 */
export function fenceAfter(text, fence) {
  const [, mark, rest] = fenceMark.exec(text) ?? [];
  if (!mark) return fence;
  if (fence) return mark[0] === fence[0] && mark.length >= fence.length && !rest.trim() ? "" : fence;
  return mark[0] === "`" && rest.includes("`") ? "" : mark;
}

/**
 * A line in parts. `fence` is the mark of the code that it is in, "" for none. `style` is that of the whole line, `indent` the words below
 * which its wrapped rest does not begin, and `task` the place of the box of a task, or -1.
 * @param {string} text
 * @param {string} fence
 * @returns {Notes.StyledLine}
 */
export function styledLine(text, fence) {
  const plain = { style: "", indent: "", task: -1 };
  if (fence || fenceAfter(text, fence)) {
    const isMark = !fence || !fenceAfter(text, fence);
    return { ...plain, style: "code-line", parts: text ? [{ words: text, style: isMark ? "mark" : "" }] : [] };
  }
  const [rest, end] = [text.slice(0, mostStyled), text.slice(mostStyled)];
  const tail = end ? [{ words: end, style: "" }] : [];
  const head = heading.exec(rest);
  if (head) {
    const parts = [{ words: head[1], style: "mark" }, ...inlineParts(rest.slice(head[1].length), ""), ...tail];
    return { ...plain, style: `heading heading-${head[2].length}`, parts };
  }
  if (rule.test(rest)) return { ...plain, style: "rule", parts: [{ words: text, style: "mark" }] };
  const [all = "", quote = "", bullet, space = "", box] = block.exec(rest) ?? [];
  /** @type {Notes.StyledPart[]} */
  const parts = [];
  /** @type {(words: string | undefined, style: string) => unknown} */
  const add = (words, style) => words && parts.push({ words, style });
  add(quote, quote.trim() ? "mark" : "");
  add(bullet, "bullet");
  add(bullet ? space : "", "");
  add(box, `task ${box === "[ ]" ? "" : "ticked"}`.trim());
  const isDone = box && box !== "[ ]";
  parts.push(...inlineParts(rest.slice(all.length), isDone ? "done" : ""), ...tail);
  const indent = bullet || quote.trim() ? (box ? `${all} ` : all) : "";
  return { style: quote.trim() ? "quote" : "", indent, task: box ? all.length - 3 : -1, parts };
}

const picture = new RegExp(
  [
    String.raw`!\[\[(?<file>[^[\]|]{1,300})(?:\|[^[\]]*)?\]\]`,
    String.raw`!\[(?<words>[^[\]]{0,1000})\]\(\s*(?:<(?<angled>[^<>]{1,400})>|(?<plain>(?!<)${address}))`,
  ].join("|"),
  "g",
);

/**
 * The targets of the pictures in a line, with the words for those who do not see them.
 * @param {string} text
 * @returns {{ target: string, words: string }[]}
 */
export function pictureTargets(text) {
  if (!text.includes("![")) return [];
  return [...text.matchAll(picture)].map(({ groups = {} }) => ({
    target: groups.file ?? groups.angled ?? groups.plain,
    words: groups.words ?? "",
  }));
}
