// What all pages share: asking for JSON, and hearing when something they show has changed.

/**
 * An answer that is no success: `message` for people, `code` for programs, `hint` on what to do; `problems` tell of single
 * values of a form: field, index, message, hint.
 */
export class HubError extends Error {
  constructor(status, { code = "unknown", message, hint = null, details = [], problems = [] } = {}) {
    super(message ?? `The answer was ${status}.`);
    Object.assign(this, { status, code, hint, details, problems });
  }
}

async function request(url, options) {
  let answer;
  try {
    answer = await fetch(url, options);
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
    throw notice(new HubError(0, { code: "offline", message: "hub does not answer.", hint: "Is hub serve running?" }));
  }
  notice(null);
  const isJSON = answer.headers.get("Content-Type")?.startsWith("application/json");
  const body = isJSON ? await answer.json() : null;
  if (answer.ok) return { body, next: nextPage(answer), operation: answer.headers.get("Hub-Operation") };
  const error = new HubError(answer.status, body?.error);
  throw error.code === "login-needed" ? notice(error) : error;
}

// Where the page behind this one is; null when there is none (RFC 8288).
function nextPage(answer) {
  return answer.headers.get("Link")?.match(/<([^>]*)>;\s*rel="next"/)?.[1] ?? null;
}

/** The JSON at `url`. Give an AbortSignal to be able to drop the question. */
export async function getJSON(url, { signal } = {}) {
  return (await request(url, { signal, headers: { Accept: "application/json" } })).body;
}

/** One page of a list: its `rows`, and `next`, the address of the page behind it or null. */
export async function getPage(url, { signal } = {}) {
  const { body, next } = await request(url, { signal, headers: { Accept: "application/json" } });
  return { rows: body, next };
}

/**
 * Sends `value` as JSON with a method that changes something. Gives the `body` of the answer, and the `operation` by which
 * toast.js takes it back. `revision` is the one that the person saw.
 */
export async function sendJSON(method, url, value = {}, { revision = null } = {}) {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  if (revision !== null) headers["If-Match"] = `"${revision}"`;
  return request(url, { method, headers, body: JSON.stringify(value) });
}

// One line at the foot of the page, for what concerns the page as a whole; null takes it away.
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
  box.textContent = [error.message, error.hint].filter(Boolean).join(" ");
  return error;
}

/**
 * Calls `changed(topics)` when topics that match one of `patterns` have news; `topics` is null when it may be any.
 *
 * A page that is not looked at does not listen, for a browser allows six connections to a server in all. When it begins
 * to listen, first or again, it is told that anything may have changed since it asked. Returns a function that ends it.
 */
export function onTopics(patterns, changed) {
  const url = "/api/live?" + new URLSearchParams({ topics: patterns.join(",") });
  let source = null;
  let missed = true;

  function listen() {
    source = new EventSource(url);
    source.addEventListener("open", () => {
      if (missed) changed(null);
      missed = false;
    });
    source.addEventListener("changed", (event) => changed(JSON.parse(event.data).topics));
    source.addEventListener("error", () => { missed = true; });
  }

  function stop() {
    source?.close();
    source = null;
    missed = true;
  }

  function look() {
    if (document.visibilityState === "hidden") stop();
    else if (!source) listen();
  }

  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    stop();
  };
}
