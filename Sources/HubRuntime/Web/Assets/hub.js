// Shared by all pages: requests for JSON, and event streams.
import { momentWords, sentence } from "/assets/components/format.js";
import "/assets/login.js";

/**
 * An error response: `message` for people, `code` for programs, `hint` with the next step; `problems` describe single
 * values of a form: field, index, message, hint.
 */
export class HubError extends Error {
  /**
   * @param {number} status the status of HTTP; 0 when hub did not respond
   * @param {Hub.ErrorBody | null} [body] problem details (RFC 9457), whose `detail` is the message
   */
  constructor(status, body) {
    const { code = "unknown", detail, hint = null, details = [], problems = [] } = body ?? {};
    super(detail ?? `The server responded with status ${status}.`);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.details = details;
    this.problems = problems;
  }
}

/** The header fields of every request: the cookie alone opens nothing (see login.js). */
function ownHeaders(others = {}) {
  return { "Hub-Key": localStorage.getItem("hub-key") ?? "", ...others };
}

async function request(url, options) {
  let answer;
  try {
    answer = await fetch(url, { ...options, headers: ownHeaders(options.headers) });
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
    throw notice(new HubError(0, { code: "offline", detail: "hub cannot be reached.", hint: "This page goes on trying." }));
  }
  // The service worker answers with what it keeps while hub is away.
  const kept = answer.headers.get("Hub-Kept");
  if (kept)
    notice(new HubError(0, { code: "kept", detail: "hub cannot be reached.", hint: `You see what was here ${momentWords(kept)}.` }));
  else notice(null);
  const isJSON = /^application\/(problem\+)?json/.test(answer.headers.get("Content-Type") ?? "");
  const body = isJSON ? await answer.json() : null;
  if (answer.ok) return { body, next: nextPage(answer), operation: answer.headers.get("Hub-Operation") };
  const error = new HubError(answer.status, body);
  throw error.code === "login-needed" ? notice(error) : error;
}

// The address of the next page; null when there is none (RFC 8288).
function nextPage(answer) {
  return answer.headers.get("Link")?.match(/<([^>]*)>;\s*rel="next"/)?.[1] ?? null;
}

/**
 * All items of a list that hub gives in parts.
 * @param {string} url
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<any[]>} the items, which differ by the route
 */
export async function getAll(url, options) {
  const all = [];
  /** @type {string | null} */
  let next = url;
  while (next) {
    const part = await getPage(next, options);
    all.push(...part.rows);
    next = part.next;
  }
  return all;
}

/**
 * The bytes at `url`, such as a picture; `options` are those of `fetch`.
 * @param {string} url
 * @param {RequestInit} options
 * @returns {Promise<Blob>}
 */
export async function getBlob(url, options = {}) {
  const answer = await fetch(url, { ...options, headers: ownHeaders(options.headers) });
  if (answer.ok) return answer.blob();
  throw new HubError(answer.status, await answer.json().catch(() => null));
}

/**
 * The JSON at `url`. Give an AbortSignal to be able to drop the question.
 * @param {string} url
 * @param {{ signal?: AbortSignal }} options
 * @returns {Promise<any>} the body, which differs by the route
 */
export async function getJSON(url, { signal } = {}) {
  return (await request(url, { signal, headers: { Accept: "application/json" } })).body;
}

/**
 * One page of a list: its `rows`, and `next`, the address of the next page or null.
 * @param {string} url
 * @param {{ signal?: AbortSignal }} options
 * @returns {Promise<{ rows: any[], next: string | null }>} rows that differ by the route
 */
export async function getPage(url, { signal } = {}) {
  const { body, next } = await request(url, { signal, headers: { Accept: "application/json" } });
  return { rows: body, next };
}

/**
 * Sends `value` as JSON with a method that changes something. Returns the `body` of the response, and the `operation` with which
 * toast.js undoes it. `revision` is the one that the user saw.
 * @param {string} method
 * @param {string} url
 * @param {object} [value]
 * A change that is sent again has the same `operation`: it is done once. `words` are what the history says of it.
 * @param {{ revision?: string | number | null, operation?: string | null, words?: string | null }} options
 * @returns {Promise<Hub.Answer>}
 */
export async function sendJSON(method, url, value = {}, { revision = null, operation = null, words = null } = {}) {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  if (revision !== null) headers["If-Match"] = `"${revision}"`;
  if (operation) headers["Hub-Operation"] = operation;
  if (words) headers["Hub-Words"] = encodeURIComponent(words.slice(0, 200).toWellFormed());
  return request(url, { method, headers, body: JSON.stringify(value) });
}

/**
 * Sends bytes, such as a file; returns the same as `sendJSON`.
 * @param {string} method
 * @param {string} url
 * @param {Blob | Uint8Array} bytes
 * @param {{ type?: string }} options
 * @returns {Promise<Hub.Answer>}
 */
export async function sendBytes(method, url, bytes, { type = "application/octet-stream" } = {}) {
  return request(url, { method, headers: { Accept: "application/json", "Content-Type": type }, body: bytes });
}

/**
 * The address at which the browser itself, such as an `<audio>`, may read `path` of the API: it cannot send the key.
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function mediaAddress(path) {
  const { body } = await sendJSON("POST", "/api/tickets", { path });
  return `${path}?${new URLSearchParams(body)}`;
}

// The address of the page asks for the login, in a tab of its own: what is typed here stays.
function loginLink() {
  const link = document.createElement("a");
  Object.assign(link, { href: location.href, target: "_blank", rel: "noopener", className: "button", textContent: "Log in again" });
  return link;
}

// One line at the head of the page, for what concerns the page as a whole; null takes it away.
function notice(error) {
  const isReached = !error || error.code === "login-needed";
  document.dispatchEvent(new CustomEvent("hub-reached", { detail: isReached }));
  let box = document.getElementById("hub-notice");
  if (!error) {
    box?.remove();
    return null;
  }
  if (!box) {
    box = document.createElement("p");
    box.id = "hub-notice";
    box.setAttribute("role", "status");
    document.body.append(box);
  }
  if (box.dataset.code === error.code && error.code !== "kept") return error;
  box.dataset.code = error.code;
  box.replaceChildren([sentence(error.message), error.hint].filter(Boolean).join(" "));
  if (error.code === "login-needed") box.replaceChildren("You are logged out. Everything on this page is kept.", loginLink());
  return error;
}

/**
 * Reads an event stream (WHATWG HTML §9.2) once, to its end; an EventSource could not send the key. Returns false when hub
 * refuses the stream.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {() => unknown} opened
 * @param {(data: string) => unknown} heard
 * @returns {Promise<boolean>}
 */
export async function follow(url, signal, opened, heard) {
  try {
    const answer = await fetch(url, { signal, headers: ownHeaders({ Accept: "text/event-stream" }) });
    if (!answer.ok) {
      const error = new HubError(answer.status, await answer.json().catch(() => null));
      if (error.code === "login-needed") notice(error);
      return answer.status >= 500;
    }
    opened();
    const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const events = (text + piece.value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const data = event
          .split("\n")
          .filter((line) => line.startsWith("data: "))
          .map((line) => line.slice(6));
        if (data.length) heard(data.join("\n"));
      }
    }
  } catch {
    // hub or the network is away, or the page stopped listening.
  }
  return true;
}
