// Markdown as elements: hub makes HTML of it, and only known elements and safe addresses of that reach the page.
import { h } from "/assets/components/patch.js";
import { sendJSON } from "/assets/hub.js";
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
 * The description of a text; `links` are those of the note, `toggle(line)` is called for the box of a task in a line of the text.
 * @param {string} text
 * @param {{ links?: Notes.Link[], toggle?: ((line: number) => unknown) | null, signal?: AbortSignal }} options
 * @returns {Promise<Hub.Child[]>}
 */
export async function drawMarkdown(text, { links = [], toggle = null, signal } = {}) {
  const { body } = await sendJSON("POST", "/api/notes/preview", { text });
  signal?.throwIfAborted();
  const root = new DOMParser().parseFromString(body.html, "text/html").body;
  const targets = new Map(links.filter(({ direction }) => direction !== "from").map(({ title, id }) => [title.toLowerCase(), id]));
  return [...root.childNodes].map((node) => describe(node, { targets, toggle, isCode: false }));
}

function describe(node, options) {
  if (node.nodeType === Node.TEXT_NODE) return options.isCode ? node.data : wikiLinks(node.data, options.targets);
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  const { tagName: name } = node;
  if (name === "IMG") return picture(node);
  if (name === "INPUT") return box(node, options);
  const children = [...node.childNodes].map((child) =>
    describe(child, { ...options, isCode: options.isCode || name === "CODE" || name === "A" }),
  );
  if (!allowed.has(name)) return children;
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
function picture(node) {
  const [words, source] = [node.getAttribute("alt") || "Picture", node.getAttribute("src") ?? ""];
  return /^https?:/.test(source)
    ? h("a", { href: source, target: "_blank", rel: "noreferrer" }, words)
    : h("span", { class: "hint" }, `[${words}]`);
}

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

// [[Title]], [[Title#Heading]] and [[Title|words]].
function wikiLinks(text, targets) {
  return text.split(/(\[\[[^[\]\n]{1,300}\]\])/).map((part, place) => {
    if (place % 2 === 0) return part;
    const [target, words] = part.slice(2, -2).split("|");
    const title = target.split("#")[0].trim();
    const id = targets.get(title.toLowerCase());
    return id
      ? h("a", { href: address({ id, view: null }) }, words ?? target)
      : h(
          "a",
          { class: "broken", href: address({ id: null, view: "new", title }), title: "This note does not exist yet. Open it to write it." },
          words ?? target,
        );
  });
}
