// What was typed and is not confirmed by hub, kept in the browser, so that nothing is lost by a reload, a crash or an absent hub.
// A page holds a lock for each draft that it works on; one without its lock was left behind.
const name = "hub-notes";
/** @type {Promise<IDBDatabase> | null} */
let opening = null;

function database() {
  opening ??= new Promise((done, fail) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("drafts", { keyPath: "agent" });
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  return opening;
}

/**
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<Result>} act
 * @returns {Promise<Result>}
 */
async function run(mode, act) {
  const transaction = (await database()).transaction("drafts", mode, { durability: "relaxed" });
  const request = act(transaction.objectStore("drafts"));
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onerror = transaction.onabort = () => fail(transaction.error);
  });
}

/**
 * Holds the lock of a draft until the returned function is called; null when another page holds it.
 * @param {string} agent
 * @returns {Promise<(() => void) | null>}
 */
function hold(agent) {
  return new Promise((held) => {
    navigator.locks.request(`${name} ${agent}`, { ifAvailable: true }, (lock) => {
      if (!lock) return held(null);
      return new Promise((release) => {
        held(() => release(null));
      });
    });
  });
}

/**
 * The place of one draft. `read()` gives what to keep, or null when everything is confirmed. `release` frees the lock of a draft that
 * was left behind.
 * @param {string} agent
 * @param {() => Notes.Draft | null} read
 * @param {(() => void) | null} [release]
 */
export function makeDraft(agent, read, release = null) {
  /** @type {Promise<void> | null} */
  let writing = null;
  let isStale = false;
  let hasRow = release !== null;
  const held = release ? Promise.resolve(release) : hold(agent);

  async function write() {
    const draft = read();
    if (draft === null && !hasRow) return;
    hasRow = draft !== null;
    await run(
      "readwrite",
      (store) => (/** @type {IDBRequest<unknown>} */ (draft === null ? store.delete(agent) : store.put({ agent, ...draft }))),
    );
  }

  async function writeAll() {
    try {
      for (; isStale; await write()) isStale = false;
    } catch {
      // A private window may have no store; then the text is in the page alone.
    }
    writing = null;
  }

  return {
    /** Keeps what there is now; the promise is fulfilled when it is written. */
    keep() {
      isStale = true;
      writing ??= writeAll();
      return writing;
    },
    /** Leaves the draft; what is not confirmed is sent by the next page. */
    async close() {
      await writing;
      (await held)?.();
    },
  };
}

/**
 * The drafts that no page works on, each with `release()`, which frees its lock.
 * @returns {Promise<Notes.Draft[]>}
 */
export async function leftDrafts() {
  const found = [];
  for (const draft of await run("readonly", (store) => store.getAll()).catch(() => [])) {
    const release = await hold(draft.agent);
    if (release) found.push({ ...draft, release });
  }
  return found;
}
