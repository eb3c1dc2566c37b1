// Markdown as elements: hub makes HTML of it, and only known elements and safe addresses of that reach the page.
import { showPicture } from "/assets/components/avatar.js";
import { h } from "/assets/components/patch.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { fileAddress, fileOf, saveAttachment } from "/notes/attachments.js";
import { address } from "/notes/page.js";

const allowed = new Set([
  "A",
  "BLOCKQUOTE",
  "BR",
  "CODE",
  "DEL",
  "EM",
  "H1",
  "H2",
  "H3",
  "H4",
  "H5",
  "H6",
  "HR",
  "INPUT",
  "LI",
  "OL",
  "P",
  "PRE",
  "STRONG",
  "TABLE",
  "TBODY",
  "TD",
  "TH",
  "THEAD",
  "TR",
  "UL",
]);

/**
 * The description of a text; `links` and `attachments` are those of the note `id`, `toggle(line)` is called for the box of a task in a
 * line of the text.
 * @param {string} text
 * @param {{
 *   id?: string | null, links?: Notes.Link[], attachments?: Notes.Attachment[], toggle?: ((line: number) => unknown) | null,
 *   signal?: AbortSignal, above?: string[],
 * }} options
 * @returns {Promise<Hub.Child[]>}
 */
export async function drawMarkdown(text, { id = null, links = [], attachments = [], toggle = null, signal, above = [] } = {}) {
  const { body } = await sendJSON("POST", "/api/notes/preview", { text });
  signal?.throwIfAborted();
  const root = new DOMParser().parseFromString(body.html, "text/html").body;
  const targets = new Map(links.filter(({ direction }) => direction !== "from").map(({ title, id }) => [linkKey(title), id]));
  const options = { id, attachments, targets, toggle, isCode: false, embeds: new Map() };
  for (const target of embedded(root, options)) {
    options.embeds.set(target, await drawEmbed(target, options, [...above, id], signal));
  }
  return [...root.childNodes].map((node) => describe(node, options));
}

// Notes are shown in each other so deep, and so many in one.
const [deepest, mostEmbeds] = [3, 20];

// The target of a paragraph that consists of `![[target]]`.
const embedOf = (node) =>
  node.tagName === "P" && node.childElementCount === 0 ? /^!\[\[([^[\]\n]{1,300})\]\]$/.exec(node.textContent.trim())?.[1] : undefined;

// The targets of the notes that are shown in a text.
function embedded(root, { attachments, targets }) {
  const found = [...root.querySelectorAll("p")].map(embedOf).filter((target) => target && !fileOf(attachments, target.split("|")[0]));
  return [...new Set(found)].filter((target) => targets.get(linkKey(splitTarget(target).title))).slice(0, mostEmbeds);
}

// The title and the heading of a link, and the words to show for it.
function splitTarget(target) {
  const [place, words] = target.split("|");
  const [title, ...headings] = place.split("#");
  return { title: title.replace(/\\$/, "").trim(), heading: headings.join("#").trim(), words: words ?? place };
}

// Another note, or a part of it, in place; null where it cannot be shown.
async function drawEmbed(target, { targets }, above, signal) {
  const { title, heading, words } = splitTarget(target);
  const id = targets.get(linkKey(title));
  if (above.length > deepest || above.includes(id)) return null;
  try {
    const note = await getJSON(`/api/notes/${encodeURIComponent(id)}`, { signal });
    const part = heading ? partOf(note.content, heading) : note.content;
    if (part === null) return null;
    const { links, attachments } = note;
    const drawn = await drawMarkdown(part, { id, links, attachments, signal, above });
    return h(
      "section",
      { class: "embedded", "aria-label": words },
      h("p", { class: "hint" }, h("a", { href: address({ id, view: null, heading }) }, words)),
      drawn,
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error.status === 404) return null;
    throw error;
  }
}

// Words as links to headings compare them.
const plainWords = (words) =>
  words
    .replaceAll(/[#^[\]|\\:%*_`]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .normalize()
    .toLowerCase();

const isBlock = (heading) => heading.split("#").pop().startsWith("^");
const blockID = (heading) => heading.split("#").pop().toLowerCase();

// The part of a text that a heading begins, or the line of a block; null if there is none.
function partOf(text, heading) {
  const lines = text.split("\n");
  if (isBlock(heading)) {
    const id = blockID(heading);
    const line = lines.map((line) => line.trimEnd()).find((line) => ` ${line}`.toLowerCase().endsWith(` ${id}`));
    return line === undefined ? null : line.slice(0, -id.length).trimEnd();
  }
  const wanted = heading.split("#").map(plainWords);
  let [next, start, level, fence] = [0, -1, 0, ""];
  for (const [place, line] of lines.entries()) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark && (!fence || fence === mark)) fence = fence ? "" : mark;
    const found = !fence && !mark && /^ {0,3}(#{1,6})(?:\s+(.*))?$/.exec(line);
    if (!found) continue;
    if (start >= 0 && found[1].length <= level) return lines.slice(start, place).join("\n");
    if (start < 0 && plainWords(found[2] ?? "") === wanted[next] && ++next === wanted.length) [start, level] = [place, found[1].length];
  }
  return start < 0 ? null : lines.slice(start).join("\n");
}

/**
 * The element of a drawn text that a link leads to: a heading, or a block; null if there is none.
 * @param {Element | null} root
 * @param {string} heading
 * @returns {Element | null}
 */
export function placeOf(root, heading) {
  const own = (selector) => [...(root?.querySelectorAll(selector) ?? [])].filter((element) => !element.closest(".embedded"));
  if (isBlock(heading)) {
    const id = blockID(heading);
    return own("p, li, h3, h4, h5, h6, td").findLast((element) => element.textContent.trim().toLowerCase().endsWith(id)) ?? null;
  }
  const wanted = heading.split("#").map(plainWords);
  let next = 0;
  return own("h3, h4, h5, h6").find((element) => plainWords(element.textContent) === wanted[next] && ++next === wanted.length) ?? null;
}

// A title or path as links compare it on the page; hub has found the notes.
const linkKey = (title) => title.trim().replace(/\.md$/i, "").normalize().toLowerCase();

// The note that the target of a link in Markdown leads to, and the heading in it.
function noteOf(target, targets) {
  try {
    const [path, ...headings] = decodeURIComponent(target).split("#");
    return { id: targets.get(linkKey(path)), heading: headings.join("#") };
  } catch {
    return { id: undefined, heading: "" };
  }
}

function describe(node, options) {
  if (node.nodeType === Node.TEXT_NODE) return options.isCode ? node.data : wikiLinks(node.data, options);
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  const { tagName: name } = node;
  if (name === "IMG") return picture(node, options);
  if (name === "INPUT") return box(node, options);
  const embed = options.embeds.get(embedOf(node));
  if (embed) return embed;
  const children = [...node.childNodes].map((child) =>
    describe(child, { ...options, isCode: options.isCode || name === "CODE" || name === "A" }),
  );
  if (!allowed.has(name)) return children;
  const attached = name === "A" && fileOf(options.attachments, node.getAttribute("href") ?? "");
  if (attached) return fileLink(options.id, attached, children);
  if (name === "A") {
    const { id, heading } = noteOf(node.getAttribute("href") ?? "", options.targets);
    if (id) return h("a", { href: address({ id, view: null, heading }) }, children);
  }
  if (name === "A")
    return /^(https?:|mailto:|#)/.test(node.getAttribute("href") ?? "")
      ? h("a", { href: node.getAttribute("href"), target: "_blank", rel: "noreferrer" }, children)
      : children;
  if (name === "TABLE")
    return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, h("table", null, children));
  const isTask = name === "LI" && node.querySelector(":scope > input, :scope > p > input");
  // The title of the note is the heading of the view.
  const level = /^H([1-5])$/.exec(name);
  return h(
    level ? `h${Math.max(3, Number(level[1]) + 1)}` : name.toLowerCase(),
    {
      class: isTask ? "task" : name === "PRE" ? "scroll" : level ? `level-${level[1]}` : null,
      dir: name === "PRE" || name === "CODE" ? null : "auto",
      start: name === "OL" ? node.getAttribute("start") : null,
      tabindex: name === "PRE" ? "0" : null,
    },
    children,
  );
}

// Pictures of other servers are not fetched; their address is there to be opened.
function picture(node, { id, attachments }) {
  const [words, source] = [node.getAttribute("alt") || "Picture", node.getAttribute("src") ?? ""];
  const file = fileOf(attachments, source);
  if (file) return embeddedFile(id, file, words);
  return /^https?:/.test(source)
    ? h("a", { href: source, target: "_blank", rel: "noreferrer" }, words)
    : h("span", { class: "hint" }, `[${words}]`);
}

// A picture of the note; a file of another kind is a link to save it.
const embeddedFile = (id, file, words) =>
  file.picture
    ? h("img", { class: "attached", key: file.sha256, alt: words, created: (image) => showPicture(image, fileAddress(id, file)) })
    : fileLink(id, file, words);

const fileLink = (id, file, words) =>
  h("button", { type: "button", class: "file-link", onclick: () => saveAttachment(id, file), title: `Save ${file.name}` }, words);

function box(node, { toggle }) {
  const item = node.closest("li");
  const line = Number(item?.dataset.sourcepos?.split(":")[0]);
  const words = item?.firstChild?.parentElement?.textContent.trim().split("\n")[0];
  return h("input", {
    type: "checkbox",
    checked: node.hasAttribute("checked"),
    disabled: !toggle || !line,
    "aria-label": words || "Task",
    onchange: () => toggle(line),
  });
}

// [[Title]], [[Title#Heading]] and [[Title|words]], and files of the note: [[file.pdf]] and ![[picture.png]].
function wikiLinks(text, { id: note, attachments, targets }) {
  return text.split(/(!?\[\[[^[\]\n]{1,300}\]\])/).map((part, place) => {
    if (place % 2 === 0) return part;
    const isEmbedded = part.startsWith("!");
    const [target, words] = part.slice(isEmbedded ? 3 : 2, -2).split("|");
    const file = fileOf(attachments, target);
    // What follows the bar of a picture is its size.
    if (file) return isEmbedded ? embeddedFile(note, file, file.name) : fileLink(note, file, words ?? target);
    const { title, heading } = splitTarget(target);
    // Without a title, the heading is one of this note.
    const id = title || !heading ? targets.get(linkKey(title)) : note;
    const mark = isEmbedded ? "!" : "";
    if (isEmbedded && !id) return [mark, part.slice(1)];
    return id
      ? [mark, h("a", { href: address({ id, view: null, heading }) }, words ?? target)]
      : h(
          "a",
          { class: "broken", href: address({ id: null, view: "new", title }), title: "This note does not exist yet. Open it to write it." },
          words ?? target,
        );
  });
}
