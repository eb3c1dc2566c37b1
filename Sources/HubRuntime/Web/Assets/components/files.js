// Files that a person brings: dropped on the page, or chosen.
import { create, h } from "/assets/components/patch.js";
import { getJSON, sendBytes } from "/assets/hub.js";

const pieceSize = 8 << 20;
// The most that a file is begun again or continued because the server has another part of it.
const maximumGaps = 5;

/**
 * A new id of an upload.
 * @returns {string}
 */
export const uploadID = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Whether the server, or the way to it, was away.
const isAway = ({ status }) => status === 0 || status === 502 || status === 504;

// Waits longer each time, or until the network is back.
const pause = (count) =>
  new Promise((done) => {
    const timer = setTimeout(done, Math.min(8000, 500 * 2 ** count));
    addEventListener("online", () => done(clearTimeout(timer)), { once: true });
  });

/** Does `act` until the server responds; `waiting` is called before each further time. */
async function persist(act, waiting) {
  for (let count = 0; ; count++) {
    try {
      return await act();
    } catch (error) {
      if (!isAway(error)) throw error;
    }
    waiting();
    await pause(count);
  }
}

/**
 * Sends a file in pieces to `url` with `fields` in the query, and returns the last answer. `sent(share)` is called after each piece before.
 * With `resumes`, a GET of `url` says how much of the upload is there: then a lost connection is waited for, with a call of `waiting()`,
 * and an upload of the same id that a closed page has begun is continued.
 * @param {string} url
 * @param {File} file
 * @param {{ fields?: Record<string, string | number>, sent?: (share: number) => unknown, upload?: string, resumes?: boolean,
 *   waiting?: () => unknown }} options
 * @returns {Promise<any>} the answer of the server
 */
export async function sendFile(url, file, { fields = {}, sent = () => {}, upload, resumes = false, waiting = () => {} } = {}) {
  const id = upload ?? uploadID();
  const attempt = resumes ? (act) => persist(act, waiting) : (act) => act();
  async function place() {
    const { received } = await attempt(() => getJSON(`${url}?${new URLSearchParams({ upload: id })}`));
    return received > file.size ? 0 : received;
  }
  let offset = resumes && upload ? await place() : 0;
  for (let gaps = 0; ;) {
    // A file that was changed meanwhile cannot be read, which a request could not tell from an absent server.
    const piece = new Uint8Array(await file.slice(offset, offset + pieceSize).arrayBuffer());
    const isLast = offset + piece.length >= file.size;
    const query = new URLSearchParams({ ...fields, name: file.name, upload: id, offset: String(offset), last: isLast ? "1" : "0" });
    try {
      const answer = await attempt(() => sendBytes("POST", `${url}?${query}`, piece));
      if (isLast) return answer;
      offset += piece.length;
      sent(offset / file.size);
    } catch (error) {
      if (!resumes || error.code !== "upload-gap" || gaps++ >= maximumGaps) throw error;
      // The piece arrived and its answer was lost, or the server has forgotten the file.
      offset = await place();
    }
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
