import assert from "node:assert/strict";
import { test } from "node:test";

const heard = new Map();
Object.assign(document, {
  visibilityState: "visible",
  addEventListener: (type, act) => heard.set(type, act),
  querySelector: () => null,
  querySelectorAll: () => [],
});
globalThis.localStorage = { getItem: () => null, setItem() {}, removeItem() {} };

// Each request opens a stream, which the test writes into.
const streams = [];
globalThis.fetch = async (url, { signal }) => {
  let write;
  const body = new ReadableStream({
    start(controller) {
      write = (topics) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ topics })}\n\n`));
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  streams.push({ patterns: new URL(url, "http://hub").searchParams.get("topics"), signal, write });
  return { ok: true, body };
};

const { onChange, whenListening } = await import("/assets/components/live.js");
const settled = () => new Promise((done) => setImmediate(done));

test("a part of a page that comes later lets no other part read again", async () => {
  const told = { first: [], second: [] };
  onChange(["domain.notes/*"], (topics) => told.first.push(topics));
  await whenListening();
  onChange(["domain.market/*"], (topics) => told.second.push(topics));
  assert.ok(!streams[0].signal.aborted, "it goes on until the next one is open");
  await whenListening();
  assert.ok(streams[0].signal.aborted);
  assert.equal(streams[1].patterns, "domain.notes/*,domain.market/*");
  assert.deepEqual(told, { first: [], second: [] });
  streams[1].write(["domain.notes/changed", "domain.market/changed"]);
  await settled();
  assert.deepEqual(told, { first: [["domain.notes/changed"]], second: [["domain.market/changed"]] });
});

test("a page that was hidden reads everything again", async () => {
  const told = [];
  const stop = onChange(["domain.notes/*"], (topics) => told.push(topics));
  document.visibilityState = "hidden";
  heard.get("visibilitychange")();
  assert.ok(streams.at(-1).signal.aborted);
  document.visibilityState = "visible";
  heard.get("visibilitychange")();
  await whenListening();
  assert.deepEqual(told, [null]);
  stop();
  // Nothing keeps the process of the tests alive.
  document.visibilityState = "hidden";
  heard.get("visibilitychange")();
});
