import assert from "node:assert/strict";
import { test } from "node:test";

// A store of rows by their agents, and locks of which each is held once.
const rows = new Map();
const locks = new Set();

globalThis.indexedDB = {
  open() {
    const database = { createObjectStore() {}, transaction };
    const request = { result: database };
    queueMicrotask(() => request.onsuccess());
    return request;
  },
};

function transaction() {
  const own = { objectStore: () => store };
  const run = (act) => {
    queueMicrotask(() => own.oncomplete());
    return { result: act() };
  };
  const store = {
    put: (row) => run(() => void rows.set(row.agent, row)),
    delete: (agent) => run(() => void rows.delete(agent)),
    getAll: () => run(() => [...rows.values()]),
  };
  return own;
}

navigator.locks = {
  async request(name, options, act) {
    if (locks.has(name)) return act(null);
    locks.add(name);
    await act({ name });
    locks.delete(name);
  },
};

const { leftDrafts, makeDraft } = await import("/notes/drafts.js");

test("a draft is kept while its text is not confirmed, and found once its page is gone", async () => {
  let text = null;
  const draft = makeDraft("one", () => (text === null ? null : { note: "1ab", at: 0, content: text }));
  await draft.keep();
  assert.equal(rows.size, 0, "there is nothing to keep");
  text = "typed";
  await draft.keep();
  text = "typed more";
  await Promise.all([draft.keep(), draft.keep()]);
  assert.equal(rows.get("one").content, "typed more");
  assert.deepEqual(await leftDrafts(), [], "its page still works on it");
  await draft.close();
  const [left] = await leftDrafts();
  assert.equal(left.content, "typed more");
  assert.deepEqual(await leftDrafts(), [], "another page has taken it");
  const taken = makeDraft("one", () => null, left.release);
  await taken.keep();
  assert.equal(rows.size, 0, "what is confirmed is kept no longer");
  await taken.close();
});
