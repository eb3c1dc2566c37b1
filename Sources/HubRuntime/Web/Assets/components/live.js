// News of changes. All parts of a page share one event stream, because a browser allows six connections to a server.
import { follow } from "/assets/hub.js";

const retryAfter = 2000;
/** @type {Set<{ patterns: string[], changed: (topics: string[] | null) => unknown }>} */
const listeners = new Set();
/** @typedef {{ patterns: string[], abort: AbortController }} Stream */

/** @type {Stream | null} */
let stream = null;
/**
 * The stream that was open last.
 * @type {Stream | null}
 */
let current = null;
/** @type {Promise<void> | null} */
let opening = null;

/** @type {(pattern: string, topic: string) => boolean} */
const matches = (pattern, topic) =>
  new RegExp(
    "^" +
      pattern
        .split("*")
        .map((part) => part.replace(/[.]/g, "\\."))
        .join(".*") +
      "$",
  ).test(topic);

/**
 * Calls `changed(topics)` when topics that match one of `patterns` changed; `topics` is null when it may be any, as after a
 * lost connection. Returns a function that stops listening.
 * @param {string[]} patterns
 * @param {(topics: string[] | null) => unknown} changed
 * @returns {() => void}
 */
export function onChange(patterns, changed) {
  const listener = { patterns, changed };
  listeners.add(listener);
  if (!patterns.every((pattern) => stream?.patterns.includes(pattern))) reopen();
  return () => listeners.delete(listener);
}

/**
 * Waits until the stream is open or has failed: what is read afterwards misses no change.
 * @returns {Promise<void>}
 */
export const whenListening = () => opening ?? Promise.resolve();

/** @param {string[] | null | undefined} topics */
function tell(topics) {
  for (const { patterns, changed } of [...listeners]) {
    const own = topics?.filter((topic) => patterns.some((pattern) => matches(pattern, topic)));
    if (own === undefined || own.length) changed(own ?? null);
  }
}

// Patterns of one task are gathered before the stream is opened. One that is open goes on until its successor is, so that nothing is missed
// in between, and nothing is read again.
function reopen() {
  if (stream && stream !== current) stream.abort.abort();
  const wasLost = current !== null && current.abort.signal.aborted;
  const patterns = [...new Set([...listeners].flatMap((listener) => listener.patterns))];
  const own = (stream = { patterns, abort: new AbortController() });
  /** @type {() => void} */
  let opened;
  opening = new Promise((done) => {
    opened = done;
  });
  queueMicrotask(async () => {
    if (document.visibilityState === "hidden") stop();
    if (own.abort.signal.aborted) return opened();
    // A stream that was lost before has missed what happened in between.
    let missed = wasLost;
    const url = "/api/live?" + new URLSearchParams({ topics: own.patterns.join(",") });
    while (!own.abort.signal.aborted) {
      const isAllowed = await follow(
        url,
        own.abort.signal,
        () => {
          if (current !== own) current?.abort.abort();
          current = own;
          opened();
          if (missed) tell(null);
          missed = true;
        },
        (data) => tell(JSON.parse(data).topics ?? undefined),
      );
      opened();
      if (!isAllowed) return;
      await new Promise((wake) => setTimeout(wake, retryAfter));
    }
  });
}

function stop() {
  stream?.abort.abort();
  current?.abort.abort();
}

// A hidden page does not listen. When it is seen again, anything may have changed.
document.addEventListener("visibilitychange", () => {
  if (!listeners.size) return;
  if (document.visibilityState === "hidden") {
    stop();
  } else if (stream?.abort.signal.aborted) {
    current ??= stream;
    reopen();
  }
});
