// Files that a person brings: dropped on the page, or chosen.
import { create, h } from "/assets/components/patch.js";
import { sendBytes } from "/assets/hub.js";

const pieceSize = 8 << 20;

/**
 * Sends a file in pieces to `url` with `fields` in the query, and returns the last answer. `sent(share)` is called after each piece before.
 * @param {string} url
 * @param {File} file
 * @param {{ fields?: Record<string, string | number>, sent?: (share: number) => unknown }} options
 * @returns {Promise<any>} the answer of the server
 */
export async function sendFile(url, file, { fields = {}, sent = () => {} } = {}) {
  const upload = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  for (let offset = 0; ;) {
    const piece = file.slice(offset, offset + pieceSize);
    const isLast = offset + piece.size >= file.size;
    const place = new URLSearchParams({ ...fields, name: file.name, upload, offset: String(offset), last: isLast ? "1" : "0" });
    const answer = await sendBytes("POST", `${url}?${place}`, piece);
    if (isLast) return answer;
    offset += piece.size;
    sent(offset / file.size);
  }
}

/**
 * Calls `receive(files)` when files are dropped on `root`, which says `words` while they hang over it. Returns a function that stops it.
 * @param {HTMLElement} root
 * @param {string} words
 * @param {(files: File[]) => unknown} receive
 * @returns {() => void}
 */
export function onFiles(root, words, receive) {
  let depth = 0;
  const sign = create(h("div", { class: "drop-sign", "aria-hidden": "true" }, h("p", null, words)));
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const stop = new AbortController();
  const on = (type, act) =>
    root.addEventListener(
      type,
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        act(event);
      },
      { signal: stop.signal },
    );
  const end = () => {
    depth = 0;
    sign.remove();
  };
  on("dragenter", () => {
    if (depth++ === 0) root.append(sign);
  });
  on("dragover", (event) => {
    event.dataTransfer.dropEffect = "copy";
  });
  on("dragleave", () => {
    if (--depth <= 0) end();
  });
  on("drop", (event) => {
    end();
    receive([...event.dataTransfer.files]);
  });
  return () => {
    stop.abort();
    end();
  };
}

/**
 * Opens the file dialog of the system; gives the chosen files, none when it is left.
 * @param {{ accept?: string, isMultiple?: boolean }} options
 * @returns {Promise<File[]>}
 */
export function chooseFiles({ accept = "", isMultiple = false } = {}) {
  const input = create(h("input", { type: "file", accept, multiple: isMultiple, hidden: true }));
  document.body.append(input);
  return new Promise((done) => {
    input.addEventListener("change", () => done([...input.files]));
    input.addEventListener("cancel", () => done([]));
    input.click();
  }).finally(() => input.remove());
}
