// What is being recorded, kept in the browser until hub has it: nothing is lost by a closed tab, a crash or an absent hub.
// A page holds a lock for the recording that it works on; one without its lock was left behind.
const name = "hub-dictofun";
/** @type {Promise<IDBDatabase> | null} */
let opening = null;

function database() {
  opening ??= new Promise((done, fail) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("recordings", { keyPath: "id" });
      request.result.createObjectStore("pieces", { keyPath: ["id", "number"] });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  return opening;
}

/**
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(recordings: IDBObjectStore, pieces: IDBObjectStore) => IDBRequest<Result>} act
 * @returns {Promise<Result>}
 */
async function run(mode, act) {
  const transaction = (await database()).transaction(["recordings", "pieces"], mode, { durability: "relaxed" });
  const request = act(transaction.objectStore("recordings"), transaction.objectStore("pieces"));
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onerror = transaction.onabort = () => fail(transaction.error);
  });
}

const piecesOf = (id) => IDBKeyRange.bound([id], [id, []]);

/**
 * Holds the lock of a recording until the returned function is called; null when another page holds it.
 * @param {string} id
 * @returns {Promise<(() => void) | null>}
 */
export function hold(id) {
  return new Promise((held) => {
    navigator.locks.request(`${name} ${id}`, { ifAvailable: true }, (lock) => {
      if (!lock) return held(null);
      return new Promise((release) => {
        held(() => release(null));
      });
    });
  });
}

/**
 * Keeps the description of a recording.
 * @param {Dictofun.Kept} recording
 * @returns {Promise<void>}
 */
export async function keep(recording) {
  await run("readwrite", (recordings) => recordings.put(recording));
}

/**
 * Keeps a piece of the sound of a recording.
 * @param {string} id
 * @param {number} number
 * @param {Blob} piece
 * @returns {Promise<void>}
 */
export async function keepPiece(id, number, piece) {
  // Not every browser can keep a Blob.
  const bytes = await piece.arrayBuffer();
  await run("readwrite", (_, pieces) => pieces.put({ id, number, bytes }));
}

/**
 * The sound of a recording as far as it was kept.
 * @param {string} id
 * @returns {Promise<Blob>}
 */
export async function soundOf(id) {
  const pieces = await run("readonly", (_, all) => all.getAll(piecesOf(id)));
  return new Blob(pieces.map(({ bytes }) => bytes));
}

/**
 * Forgets a recording.
 * @param {string} id
 * @returns {Promise<void>}
 */
export async function forget(id) {
  await run("readwrite", (recordings, pieces) => {
    recordings.delete(id);
    return pieces.delete(piecesOf(id));
  });
}

/**
 * The recordings that no page works on, each with `release()`, which frees its lock.
 * @returns {Promise<(Dictofun.Kept & { release: () => void })[]>}
 */
export async function leftRecordings() {
  // Without a secure page there are no locks and no recordings.
  if (!navigator.locks) return [];
  const found = [];
  for (const recording of await run("readonly", (recordings) => recordings.getAll()).catch(() => [])) {
    const release = await hold(recording.id);
    if (release) found.push({ ...recording, release });
  }
  return found;
}
