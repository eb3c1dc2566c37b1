// Shared by all pages: requests for JSON, and notifications of changes.
import "/assets/login.js";

/**
 * An error response: `message` for people, `code` for programs, `hint` with the next step; `problems` describe single
 * values of a form: field, index, message, hint.
 */
export class HubError extends Error {
  constructor(status, { code = "unknown", message, hint = null, details = [], problems = [] } = {}) {
    super(message ?? `The server responded with status ${status}.`);
    Object.assign(this, { status, code, hint, details, problems });
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
    throw notice(new HubError(0, { code: "offline", message: "hub is not responding.", hint: "Is hub serve running?" }));
  }
  notice(null);
  const isJSON = answer.headers.get("Content-Type")?.startsWith("application/json");
  const body = isJSON ? await answer.json() : null;
  if (answer.ok) return { body, next: nextPage(answer), operation: answer.headers.get("Hub-Operation") };
  const error = new HubError(answer.status, body?.error);
  throw error.code === "login-needed" ? notice(error) : error;
}

// The address of the next page; null when there is none (RFC 8288).
function nextPage(answer) {
  return answer.headers.get("Link")?.match(/<([^>]*)>;\s*rel="next"/)?.[1] ?? null;
}

/** The bytes at `url`, such as a picture; `options` are those of `fetch`. */
export async function getBlob(url, options = {}) {
  const answer = await fetch(url, { ...options, headers: ownHeaders(options.headers) });
  if (answer.ok) return answer.blob();
  throw new HubError(answer.status, (await answer.json().catch(() => null))?.error);
}

/** The JSON at `url`. Give an AbortSignal to be able to drop the question. */
export async function getJSON(url, { signal } = {}) {
  return (await request(url, { signal, headers: { Accept: "application/json" } })).body;
}

/** One page of a list: its `rows`, and `next`, the address of the next page or null. */
export async function getPage(url, { signal } = {}) {
  const { body, next } = await request(url, { signal, headers: { Accept: "application/json" } });
  return { rows: body, next };
}

/**
 * Sends `value` as JSON with a method that changes something. Returns the `body` of the response, and the `operation` with which
 * toast.js undoes it. `revision` is the one that the user saw.
 */
export async function sendJSON(method, url, value = {}, { revision = null } = {}) {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  if (revision !== null) headers["If-Match"] = `"${revision}"`;
  return request(url, { method, headers, body: JSON.stringify(value) });
}

/** Sends bytes, such as a file; returns the same as `sendJSON`. */
export async function sendBytes(method, url, bytes, { type = "application/octet-stream" } = {}) {
  return request(url, { method, headers: { Accept: "application/json", "Content-Type": type }, body: bytes });
}

/** The address at which the browser itself, such as an `<audio>`, may read `path` of the API: it cannot send the key. */
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
  if (box.dataset.code === error.code) return error;
  box.dataset.code = error.code;
  box.replaceChildren([error.message, error.hint].filter(Boolean).join(" "));
  if (error.code === "login-needed") box.replaceChildren("You are logged out. Everything on this page is kept.", loginLink());
  return error;
}

/**
 * Calls `changed(topics)` when topics that match one of `patterns` changed; `topics` is null when it may be any.
 *
 * A hidden page does not listen, because a browser allows only six connections to a server. When it starts listening,
 * first or again, `changed` is called once, as anything may have changed. Returns a function that stops listening.
 */
export function onTopics(patterns, changed) {
  const url = "/api/live?" + new URLSearchParams({ topics: patterns.join(",") });
  let listening = null;

  async function listen(signal) {
    let missed = true;
    while (!signal.aborted) {
      const isOpen = await follow(
        url,
        signal,
        () => {
          if (missed) changed(null);
          missed = false;
        },
        (data) => changed(JSON.parse(data).topics),
      );
      if (!isOpen) return;
      missed = true;
      await new Promise((wake) => setTimeout(wake, 2000));
    }
  }

  function stop() {
    listening?.abort();
    listening = null;
  }

  function look() {
    if (document.visibilityState === "hidden") {
      stop();
    } else if (!listening) {
      listening = new AbortController();
      listen(listening.signal);
    }
  }

  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    stop();
  };
}

/** Reads an event stream (WHATWG HTML §9.2) once, to its end; an EventSource could not send the key. Returns false when hub
 * refuses the stream. */
export async function follow(url, signal, opened, heard) {
  try {
    const answer = await fetch(url, { signal, headers: ownHeaders({ Accept: "text/event-stream" }) });
    if (!answer.ok) {
      const error = new HubError(answer.status, (await answer.json().catch(() => null))?.error);
      if (error.code === "login-needed") notice(error);
      return answer.status >= 500;
    }
    opened();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const events = (text + piece.value).split("\n\n");
      text = events.pop();
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
