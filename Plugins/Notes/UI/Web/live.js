// Keeps the texts of one note in step with hub: edits are sent after a short pause, and those of others come as they are made, over a
// WebSocket, or over HTTP while there is none.
import { onChange } from "/assets/components/live.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { editClient } from "/notes/editclient.js";
import { leftDrafts, makeDraft } from "/notes/drafts.js";
import { notePeers } from "/notes/peers.js";
import { noteSocket } from "/notes/socket.js";

// The pause after which edits are sent, and the longest time they wait, in milliseconds; beside others and alone.
const together = { pause: 80, longest: 250 };
const alone = { pause: 350, longest: 1500 };
// Edits without a longer pause than this are one undo of hub.
const operationPause = 60_000;
// So often in a row a text may not be what is expected; then there is a pause.
const mostUnread = 3;
/** @type {Notes.Name[]} */
const fields = ["title", "content"];

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** A new random id, as hub makes them. */
function makeID() {
  return [...crypto.getRandomValues(new Uint8Array(20))]
    .map((byte, at) => alphabet[at === 0 ? byte % 10 : at === 1 ? 10 + (byte % 22) : byte % 32])
    .join("");
}

/**
 * What `make` gives for each field.
 * @template Value
 * @param {(field: Notes.Name) => Value} make
 * @returns {Record<Notes.Name, Value>}
 */
const byField = (make) => ({ title: make("title"), content: make("content") });

/**
 * The texts of the note `id`; null for a note that is made when something is typed. `made(id)` is called then, `changed(field,
 * change)` when a text was changed elsewhere, and `drawn()` when `state` or `peers` are others; changes from elsewhere wait for
 * `idle()`. `selection()` returns the field with the caret and the ends of the selection `at`. `draft` is one that was left behind;
 * it is sent over HTTP.
 * @param {Notes.LiveProperties} properties
 * @returns {Notes.Live}
 */
export function liveNote({
  id,
  draft = null,
  made = () => {},
  changed = () => {},
  drawn = () => {},
  idle = async () => {},
  selection = () => null,
}) {
  const agent = draft?.agent ?? makeID();
  const clients = byField((field) => editClient(id, field, draft?.[field]));
  const kept = makeDraft(
    agent,
    () => (isSaved() ? null : { note: id, at: Date.now(), ...byField((field) => clients[field].snapshot()) }),
    draft?.release,
  );
  let state = "reading";
  /** @type {Hub.Failure | null} */
  let failure = null;
  /** @type {Promise<void> | null} */
  let running = null;
  let isStale = false;
  let isClosed = false;
  /** @type {{ timer?: number, since: number }} */
  let waits = { since: 0 };
  let tries = 0;
  let operation = { id: makeID(), at: 0 };
  // How often the WebSocket was opened or lost, and whether what others write is sent to this one.
  let [connections, isFollowing] = [0, false];
  // Frames are taken in their order, each when no word is being composed.
  let taking = Promise.resolve();
  const socket = draft ? null : noteSocket({ agent, received, changed: connected });
  const peers = notePeers({
    clients,
    selection: () => (isFollowing ? selection() : null),
    show: (place) => socket?.send({ t: "at", note: id, ...place }) ?? false,
  });

  const all = () => Object.values(clients);
  const isSaved = () => all().every((client) => client.isSaved);
  const isRead = () => all().every((client) => client.version !== null);

  /** @param {string} now @param {Hub.Failure | null} [error] */
  function setState(now, error = null) {
    if (state === now && failure?.code === error?.code) return;
    [state, failure] = [now, error];
    if (!isClosed) drawn();
  }

  function operationID() {
    const now = Date.now();
    if (now - operation.at > operationPause) operation = { id: makeID(), at: now };
    operation.at = now;
    return operation.id;
  }

  async function exchange() {
    if (id === null) {
      if (isSaved()) return;
      /** @type {{ body: { id: string } }} */
      const { body } = await sendJSON("POST", "/api/notes", { key: agent });
      id = body.id;
      made(id);
      socket?.connect();
    }
    if (await exchangeLive()) return;
    const frames = [{ t: "hello", agent, mode: "edits" }, ...(await requests(true))];
    const { body } = await sendJSON("POST", `/api/notes/${encodeURIComponent(id)}/edits`, {
      operation: operationID(),
      frames: frames.map((frame) => JSON.stringify(frame)),
    });
    body.forEach(received);
    await taking;
  }

  // Returns false when there is no connection, or it was lost, so that it is not known what the server has.
  async function exchangeLive() {
    if (!socket || !(await socket.ready())) return false;
    const [opens, connection] = [!isFollowing || !isRead(), connections];
    try {
      await socket.ask(await requests(opens));
    } catch (error) {
      if (error.code === "connection-lost") return false;
      throw error;
    }
    if (opens && connection === connections) isFollowing = true;
    await taking;
    peers.showSelection();
    return true;
  }

  async function requests(opens) {
    const versions = Object.fromEntries(fields.filter((field) => clients[field].version).map((field) => [field, clients[field].version]));
    const edits = all()
      .flatMap((client, at) => client.request(at + 2) ?? [])
      .map((edit) => ({ ...edit, note: id }));
    // A page that is left between hub's commit and its answer must know what it has sent.
    await kept.keep();
    return [...(opens ? [{ t: "open", n: 1, note: id, ...versions }] : []), ...edits];
  }

  // Called when the WebSocket was opened, was lost or could not be opened. What others did in between was not sent to this page.
  function connected() {
    const isOther = isFollowing || socket?.isOpen;
    connections++;
    isFollowing = false;
    peers.clear();
    if (isOther) now();
    if (!isClosed) drawn();
  }

  function received(frame) {
    if (frame.note !== id) return;
    if (frame.t === "text") {
      taking = taking
        .then(idle)
        .then(() => take(frame))
        .catch(() => clients[frame.field]?.forget())
        .then(() => {
          if (!isRead()) now();
        });
    } else if (frame.t === "at") {
      taking = taking.then(() => {
        peers.receive(frame);
        if (!isClosed) drawn();
      });
    } else if (frame.t === "gone") {
      isFollowing = false;
      now();
    }
  }

  function take(frame) {
    const change = clients[frame.field].receive(frame);
    if (change === null) clients[frame.field].forget();
    else if (change.length) changed(frame.field, change);
  }

  // One exchange at a time; what is typed meanwhile goes with the next one.
  async function run() {
    // Its caller notes first that it runs.
    await null;
    let unread = 0;
    try {
      do {
        isStale = false;
        if (!isSaved()) setState("saving");
        await exchange();
        unread = isRead() || id === null ? 0 : unread + 1;
        if (unread === mostUnread)
          throw Object.assign(new Error("The text of the note could not be read."), { code: "unread", status: 500 });
        if (!unread) tries = 0;
      } while (!isClosed && (isStale || (!isSaved() && !waits.timer) || unread));
      setState(isSaved() ? "saved" : "saving");
    } catch (error) {
      if (["edits-invalid", "invalid", "missing"].includes(error.code)) all().forEach((client) => client.forget());
      const isGone = error.status === 404;
      setState(isGone ? "gone" : error.status === 0 || error.status >= 500 ? "offline" : "failed", error);
      if (!isGone) later(Math.min(120_000, 1000 * 2 ** tries++) * (0.5 + Math.random() / 2));
    } finally {
      // In the step that looked for news last: what comes later begins another exchange.
      running = null;
    }
    kept.keep();
  }

  function sync() {
    clearTimeout(waits.timer);
    waits = { since: 0 };
    if (isClosed) return running ?? Promise.resolve();
    if (running) isStale = true;
    running ??= run();
    return running;
  }

  function later(time) {
    clearTimeout(waits.timer);
    waits.timer = setTimeout(sync, time);
  }

  const now = () => {
    if (id !== null && state !== "gone") sync();
  };
  // A connection may have died while the device slept: it has to answer.
  const check = () => {
    isFollowing = false;
    if (id !== null) socket?.connect();
    now();
  };
  const stop = [
    onChange(["domain.notes/*"], () => {
      if (!isFollowing) now();
    }),
  ];
  const ends = new AbortController();
  window.addEventListener("online", check, { signal: ends.signal });
  window.addEventListener(
    "pagehide",
    () => {
      kept.keep();
      if (waits.timer) sync();
    },
    { signal: ends.signal },
  );
  document.addEventListener(
    "visibilitychange",
    () => {
      if (!document.hidden) check();
      else if (waits.timer) sync();
    },
    { signal: ends.signal },
  );

  return {
    clients,
    isSaved,
    isRead,
    get id() {
      return id;
    },
    get state() {
      return state;
    },
    get failure() {
      return failure;
    },
    get texts() {
      return byField((field) => clients[field].text);
    },
    /** Begins with the first reading; a new note waits for something to be typed. */
    start() {
      if (id === null) return setState("saved");
      socket?.connect();
      return sync();
    },
    /** Those who have the note open too, by their agents: their name `who`, and how often they moved. */
    peers: peers.people,
    /** The name of the person at this page. */
    get user() {
      return socket?.user ?? "";
    },
    /** Whether others cannot be seen for longer than a moment. */
    get isCutOff() {
      return socket?.isMissing ?? false;
    },
    /** Records that the selection is another. */
    selected: peers.selected,
    /** Records that something was typed. */
    typed() {
      kept.keep();
      if (!isSaved() && state === "saved") setState("saving");
      waits.since ||= Date.now();
      const { pause, longest } = peers.people.size ? together : alone;
      if (state !== "offline") later(Math.max(0, Math.min(pause, waits.since + longest - Date.now())));
    },
    sync,
    /** Makes a new note of the texts, when their own is gone. */
    async moveToNewNote() {
      const texts = this.texts;
      id = (await sendJSON("POST", "/api/notes", { ...texts, key: `${agent} moved` })).body.id;
      for (const client of all()) client.discard();
      await kept.keep();
    },
    /** Sends what is left, and ends. */
    async close() {
      stop.forEach((end) => end());
      ends.abort();
      if (!isSaved() && state !== "gone") await sync();
      await running;
      isClosed = true;
      clearTimeout(waits.timer);
      peers.close();
      socket?.close();
      await kept.close();
    },
  };
}

/**
 * Sends what earlier pages could not; `saved(name)` is called for each note. Text of a note that is gone becomes a new one. Returns whether
 * nothing is left.
 * @param {(name: string) => void} saved
 * @returns {Promise<boolean>}
 */
export async function sendLeftDrafts(saved) {
  let isDone = true;
  for (const draft of await leftDrafts()) {
    const live = liveNote({ id: draft.note, draft });
    await live.sync();
    if (live.state === "gone") await live.moveToNewNote();
    if (live.isSaved()) saved(await nameOf(live.id));
    else isDone = false;
    await live.close();
  }
  return isDone;
}

const nameOf = async (id) => (await getJSON(`/api/notes/${encodeURIComponent(id)}?text=none`)).name;
