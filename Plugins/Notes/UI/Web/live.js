// Keeps the texts of one note in step with hub: edits are sent after a short pause, and those of others come as they are made.
import { onChange } from "/assets/components/live.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { editClient } from "/notes/editclient.js";
import { leftDrafts, makeDraft } from "/notes/drafts.js";

// The pause after which edits are sent, and the longest time they wait, in milliseconds.
const pause = 350;
const longest = 1500;
// Edits without a longer pause than this are one undo of hub.
const operationPause = 60_000;
const fields = ["title", "content"];

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** A new random id, as hub makes them. */
function makeID() {
  return [...crypto.getRandomValues(new Uint8Array(20))].map((byte, at) => alphabet[at === 0 ? byte % 10 : at === 1 ? 10 + (byte % 22) : byte % 32]).join("");
}

/**
 * The texts of the note `id`; null for a note that is made when something is typed. `made(id)` is called then, `changed(field, change)`
 * when a text was changed elsewhere, and `drawn()` when `state` is another; changes from elsewhere wait for `idle()`. `draft` is one that was
 * left behind.
 */
export function liveNote({ id, draft = null, made = () => {}, changed = () => {}, drawn = () => {}, idle = async () => {} }) {
  const agent = draft?.agent ?? makeID();
  const clients = Object.fromEntries(fields.map((field) => [field, editClient(id, field, draft?.[field])]));
  const kept = makeDraft(agent, () => (isSaved() ? null
    : { note: id, at: Date.now(), ...Object.fromEntries(fields.map((field) => [field, clients[field].snapshot()])) }), draft?.release);
  let state = "reading";
  let failure = null;
  let running = null;
  let isStale = false;
  let isClosed = false;
  let waits = { timer: null, since: 0 };
  let tries = 0;
  let operation = { id: makeID(), at: 0 };

  const all = () => Object.values(clients);
  const isSaved = () => all().every((client) => client.isSaved);
  const isRead = () => all().every((client) => client.version !== null);

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
      const { body } = await sendJSON("POST", "/api/notes", { key: agent });
      id = body.id;
      made(id);
    }
    const versions = Object.fromEntries(fields.filter((field) => clients[field].version).map((field) => [field, clients[field].version]));
    const edits = all().map((client, at) => client.request(at + 2)).filter(Boolean).map((edit) => ({ ...edit, note: id }));
    // A page that is left between hub's commit and its answer must know what it has sent.
    await kept.keep();
    const frames = [{ t: "hello", agent, mode: "edits" }, { t: "open", n: 1, note: id, ...versions }, ...edits];
    const { body } = await sendJSON("POST", `/api/notes/${encodeURIComponent(id)}/edits`,
      { operation: operationID(), frames: frames.map((frame) => JSON.stringify(frame)) });
    await idle();
    for (const frame of body) if (frame.t === "text") take(frame);
  }

  function take(frame) {
    const change = clients[frame.field].receive(frame);
    if (change === null) clients[frame.field].forget();
    else if (change.length) changed(frame.field, change);
  }

  // One exchange at a time; what is typed meanwhile goes with the next one.
  async function run() {
    try {
      do {
        isStale = false;
        if (!isSaved()) setState("saving");
        await exchange();
        tries = 0;
      } while (!isClosed && (isStale || !isSaved() && !waits.timer || !isRead() && id !== null));
      setState(isSaved() ? "saved" : "saving");
    } catch (error) {
      if (error.code === "edits-invalid") all().forEach((client) => client.forget());
      const isGone = error.status === 404;
      setState(isGone ? "gone" : error.status === 0 || error.status >= 500 ? "offline" : "failed", error);
      if (!isGone) later(Math.min(120_000, 1000 * 2 ** tries++) * (0.5 + Math.random() / 2));
    }
    kept.keep();
  }

  function sync() {
    clearTimeout(waits.timer);
    waits = { timer: null, since: 0 };
    if (isClosed) return running;
    if (running) isStale = true;
    running ??= run().finally(() => { running = null; });
    return running;
  }

  function later(time) {
    clearTimeout(waits.timer);
    waits.timer = setTimeout(sync, time);
  }

  const now = () => { if (id !== null && state !== "gone") sync(); };
  const stop = [onChange(["domain.notes/*"], now)];
  const ends = new AbortController();
  window.addEventListener("online", now, { signal: ends.signal });
  window.addEventListener("pagehide", () => { kept.keep(); if (waits.timer) sync(); }, { signal: ends.signal });
  document.addEventListener("visibilitychange", () => { if (waits.timer && document.hidden) sync(); }, { signal: ends.signal });

  return {
    clients, isSaved, isRead,
    get id() { return id; },
    get state() { return state; },
    get failure() { return failure; },
    get texts() { return Object.fromEntries(fields.map((field) => [field, clients[field].text])); },
    /** Begins with the first reading; a new note waits for something to be typed. */
    start: () => (id === null ? setState("saved") : sync()),
    /** Records that something was typed. */
    typed() {
      kept.keep();
      if (!isSaved() && state === "saved") setState("saving");
      waits.since ||= Date.now();
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
      await kept.close();
    },
  };
}

/**
 * Sends what earlier pages could not; `saved(name)` is called for each note. Text of a note that is gone becomes a new one. Returns whether
 * nothing is left.
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
