// News of changes. All parts of a page share one event stream, because a browser allows six connections to a server.
import { follow } from "/assets/hub.js";

const retryAfter = 2000;
const listeners = new Set();
let stream = null;
let opening = null;

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
 */
export function onChange(patterns, changed) {
  const listener = { patterns, changed };
  listeners.add(listener);
  if (!patterns.every((pattern) => stream?.patterns.includes(pattern))) reopen();
  return () => listeners.delete(listener);
}

/** Waits until the stream is open or has failed: what is read afterwards misses no change. */
export const whenListening = () => opening ?? Promise.resolve();

function tell(topics) {
  for (const { patterns, changed } of [...listeners]) {
    const own = topics?.filter((topic) => patterns.some((pattern) => matches(pattern, topic)));
    if (own === undefined || own.length) changed(own ?? null);
  }
}

// Patterns of one task are gathered before the stream is opened.
function reopen() {
  const wasOpen = stream?.isOpen ?? false;
  stream?.abort.abort();
  const patterns = [...new Set([...listeners].flatMap((listener) => listener.patterns))];
  const own = (stream = { patterns, abort: new AbortController(), isOpen: false });
  let opened;
  opening = new Promise((done) => {
    opened = done;
  });
  queueMicrotask(async () => {
    if (document.visibilityState === "hidden") own.abort.abort();
    if (own.abort.signal.aborted) return opened();
    // A stream that was open before has missed what happened in between.
    let missed = wasOpen;
    const url = "/api/live?" + new URLSearchParams({ topics: own.patterns.join(",") });
    while (!own.abort.signal.aborted) {
      const isAllowed = await follow(
        url,
        own.abort.signal,
        () => {
          own.isOpen = true;
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

// A hidden page does not listen. When it is seen again, anything may have changed.
document.addEventListener("visibilitychange", () => {
  if (!listeners.size) return;
  if (document.visibilityState === "hidden") {
    stream?.abort.abort();
  } else if (stream?.abort.signal.aborted) {
    stream.isOpen = true;
    reopen();
  }
});
