// Markdown as elements: hub makes HTML of it, and only known elements and safe addresses of that reach the page.
import { showPicture } from "/assets/components/avatar.js";
import { h } from "/assets/components/patch.js";
import { sendJSON } from "/assets/hub.js";
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
 *   signal?: AbortSignal,
 * }} options
 * @returns {Promise<Hub.Child[]>}
 */
export async function drawMarkdown(text, { id = null, links = [], attachments = [], toggle = null, signal } = {}) {
  const { body } = await sendJSON("POST", "/api/notes/preview", { text });
  signal?.throwIfAborted();
  const root = new DOMParser().parseFromString(body.html, "text/html").body;
  const targets = new Map(links.filter(({ direction }) => direction !== "from").map(({ title, id }) => [linkKey(title), id]));
  return [...root.childNodes].map((node) => describe(node, { id, attachments, targets, toggle, isCode: false }));
}

// A title or path as links compare it on the page; hub has found the notes.
const linkKey = (title) => title.trim().replace(/\.md$/i, "").normalize().toLowerCase();

// The note that the target of a link in Markdown leads to.
function noteOf(target, targets) {
  try {
    return targets.get(linkKey(decodeURIComponent(target.split("#")[0])));
  } catch {
    return undefined;
  }
}

function describe(node, options) {
  if (node.nodeType === Node.TEXT_NODE) return options.isCode ? node.data : wikiLinks(node.data, options);
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  const { tagName: name } = node;
  if (name === "IMG") return picture(node, options);
  if (name === "INPUT") return box(node, options);
  const children = [...node.childNodes].map((child) =>
    describe(child, { ...options, isCode: options.isCode || name === "CODE" || name === "A" }),
  );
  if (!allowed.has(name)) return children;
  const attached = name === "A" && fileOf(options.attachments, node.getAttribute("href") ?? "");
  if (attached) return fileLink(options.id, attached, children);
  const id = name === "A" && noteOf(node.getAttribute("href") ?? "", options.targets);
  if (id) return h("a", { href: address({ id, view: null }) }, children);
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
  if (file) return embedded(id, file, words);
  return /^https?:/.test(source)
    ? h("a", { href: source, target: "_blank", rel: "noreferrer" }, words)
    : h("span", { class: "hint" }, `[${words}]`);
}

// A picture of the note; a file of another kind is a link to save it.
const embedded = (id, file, words) =>
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
    if (file) return isEmbedded ? embedded(note, file, file.name) : fileLink(note, file, words ?? target);
    const title = target.split("#")[0].replace(/\\$/, "").trim();
    const id = targets.get(linkKey(title));
    const mark = isEmbedded ? "!" : "";
    if (isEmbedded && !id) return [mark, part.slice(1)];
    return id
      ? [mark, h("a", { href: address({ id, view: null }) }, words ?? target)]
      : h(
          "a",
          { class: "broken", href: address({ id: null, view: "new", title }), title: "This note does not exist yet. Open it to write it." },
          words ?? target,
        );
  });
}
