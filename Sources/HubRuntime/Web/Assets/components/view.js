// A part of a page that is read from hub, drawn, and kept up to date.
import { onChange, whenListening } from "/assets/components/live.js";
import { patch } from "/assets/components/patch.js";
import { busy, failed } from "/assets/components/states.js";

// The time after which a view says that it waits, in milliseconds.
const patience = 400;

/**
 * Shows in `root` what `draw(data)` describes of the data that `read(signal)` gives. When one of `topics` changes, the data are
 * read again and only differences are drawn. `isHeld()` returns whether news have to wait, such as while a card is dragged.
 *
 * Returns: `ready`, a promise of the first drawing; `refresh()` reads again; `redraw()` draws the same data; `close()` ends it.
 * @template Data
 * @param {HTMLElement} root
 * @param {Hub.ViewProperties<Data>} properties
 * @returns {Hub.View<Data>}
 */
export function view(root, { topics = [], read = async () => /** @type {Data} */ (null), draw, isHeld = () => false, onError = null }) {
  const closing = new AbortController();
  /** @type {Data} */
  let data;
  let isShown = false;
  /** @type {Promise<void> | null} */
  let running = null;
  let isStale = false;

  const redraw = () => {
    if (isShown && !closing.signal.aborted) patch(root, draw(data));
  };

  async function load() {
    // Its caller notes first that it runs.
    await null;
    try {
      do {
        isStale = false;
        try {
          const answer = await read(closing.signal);
          if (closing.signal.aborted) return;
          data = answer;
          isShown = true;
          patch(root, draw(data));
        } catch (error) {
          if (closing.signal.aborted) return;
          // What is shown stays while hub is away or the session has ended: the frame of the page says so.
          if (isShown && (error.code === "offline" || error.code === "login-needed")) return;
          isShown = false;
          patch(root, onError?.(error) ?? failed(error, refresh));
        }
      } while (isStale);
    } finally {
      // In the step that looked for news last: what comes later begins another reading.
      running = null;
      root.removeAttribute("aria-busy");
    }
  }

  /** Reads the data again; a reading that is under way is followed by another. */
  function refresh() {
    if (running) isStale = true;
    running ??= load();
    return running;
  }

  const stop = topics.length
    ? onChange(topics, () => {
        if (!isHeld()) refresh();
      })
    : () => {};

  // What was shown before stays for a moment, so that a quick answer does not flash.
  root.setAttribute("aria-busy", "true");
  const waiting = setTimeout(() => {
    if (!isShown && !closing.signal.aborted && root.hasAttribute("aria-busy")) patch(root, busy());
  }, patience);
  const ready = (topics.length ? whenListening() : Promise.resolve()).then(refresh);

  return {
    ready,
    refresh,
    redraw,
    get data() {
      return data;
    },
    close() {
      clearTimeout(waiting);
      closing.abort();
      stop();
    },
  };
}
