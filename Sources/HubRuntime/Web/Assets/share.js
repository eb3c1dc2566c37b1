// What was shared with hub from another app of the device: it lies in the browser until the person says where it belongs.
import { sendFile } from "/assets/components/files.js";
import { fileSize, todayText } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { deliver } from "/assets/components/outbox.js";
import { h, patch } from "/assets/components/patch.js";
import { filled, operationID } from "/assets/components/queue.js";
import { empty } from "/assets/components/states.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { sendBytes } from "/assets/hub.js";

/**
 * What the plugins declare: `body` for text, `types` for files.
 * @typedef {{ words: string, icon: string, path: string, body?: string, types?: string[], in_pieces?: boolean }} Target
 * @typedef {{ title: string, text: string, files: File[] }} Shared
 */

const root = /** @type {HTMLElement} */ (document.getElementById("share"));
/** @type {Target[]} */
const targets = JSON.parse(root.dataset.targets ?? "[]");
const cacheName = "hub-shared";

/** @returns {Promise<Shared | null>} what was shared last */
async function read() {
  if (!globalThis.caches) return null;
  const cache = await caches.open(cacheName);
  const about = await (await cache.match("/share/about"))?.json();
  if (!about) return null;
  /** @type {File[]} */
  const files = [];
  for (const [index, { name, type }] of about.files.entries()) {
    const kept = await cache.match(`/share/${index}`);
    if (kept) files.push(new File([await kept.blob()], name, { type }));
  }
  return { title: about.title, text: about.text, files };
}

const forget = () => caches.delete(cacheName);

/** @type {(file: File, types: string[]) => boolean} `audio/*`, `text/vcard` and `.vcf` are types */
const isOf = (file, types) =>
  types.some((type) =>
    type.startsWith(".")
      ? file.name.toLowerCase().endsWith(type)
      : type.endsWith("/*")
        ? file.type.startsWith(type.slice(0, -1))
        : file.type === type,
  );

/** @type {(shared: Shared) => Target[]} */
function fitting({ files, text, title }) {
  if (files.length) return targets.filter(({ types }) => types && files.every((file) => isOf(file, types)));
  return text || title ? targets.filter(({ body }) => body) : [];
}

/** @type {(target: Target, shared: Shared) => Promise<void>} */
async function sendText(target, { title, text }) {
  const first = title || text.split("\n")[0].slice(0, 200);
  const words = `“${first}” added.`;
  const body = filled(target.body ?? "{}", { title: first, text, today: todayText(), key: operationID() });
  const answer = await deliver("POST", target.path, body, words);
  await forget();
  const id = answer?.body?.id;
  if (id) location.replace(`/${target.path.split("/")[2]}?id=${encodeURIComponent(id)}`);
  else draw(null);
}

/** @type {(target: Target, shared: Shared) => Promise<void>} */
async function sendFiles(target, { files }) {
  for (const file of files) {
    if (target.in_pieces) await sendFile(target.path, file, { fields: { changed: file.lastModified } });
    else await sendBytes("POST", `${target.path}?${new URLSearchParams({ name: file.name })}`, file);
  }
  await forget();
  location.replace(`/${target.path.split("/")[2]}`);
}

let isSending = false;

/** @type {(target: Target, shared: Shared) => Promise<void>} */
async function send(target, shared) {
  if (isSending) return;
  isSending = true;
  try {
    await (target.types ? sendFiles(target, shared) : sendText(target, shared));
  } catch (error) {
    // It stays here, and the person tries again.
    tellError(error);
  }
  isSending = false;
}

/** @param {Shared | null} shared */
function draw(shared) {
  if (!shared)
    return patch(
      root,
      empty("Nothing is waiting here", {
        picture: "add",
        words: "Choose hub in the share menu of another app, and say here where it belongs.",
        actions: [h("a", { class: "button main", href: "/" }, "Go to Today")],
      }),
    );
  const ways = fitting(shared);
  patch(
    root,
    h("h2", { tabindex: "-1" }, "Add to hub"),
    h(
      "div",
      { class: "card shared" },
      shared.title && h("strong", { dir: "auto" }, shared.title),
      shared.text && h("p", { dir: "auto" }, shared.text.slice(0, 2000)),
      shared.files.map((file) =>
        h("p", { key: file.name }, h("bdi", null, file.name), " ", h("span", { class: "hint" }, fileSize(file.size))),
      ),
    ),
    !ways.length && h("p", { role: "status" }, "hub has no place for this kind of file."),
    h(
      "div",
      { class: "actions" },
      ways.map((target, place) =>
        h(
          "button",
          { type: "button", key: target.words, class: place ? null : "main", onclick: () => send(target, shared) },
          icon(target.icon),
          h("span", null, target.words),
        ),
      ),
      h("button", { type: "button", key: "discard", class: "quiet", onclick: discard }, "Discard"),
    ),
  );
}

async function discard() {
  await forget();
  draw(null);
  tell("Discarded.");
}

read().then(draw, tellError);
