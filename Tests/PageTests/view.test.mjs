import assert from "node:assert/strict";
import { test } from "node:test";
import { view } from "/assets/components/view.js";

const root = () => ({
  childNodes: [],
  children: [],
  contains: () => false,
  setAttribute() {},
  removeAttribute() {},
  hasAttribute: () => false,
});

test("news that come at any step of the end of a reading are read", async () => {
  for (let steps = 0; steps < 12; steps++) {
    let stored = 1;
    const shown = view(root(), { read: async () => stored, draw: () => [] });
    for (let step = 0; step < steps; step++) await null;
    stored = 2;
    await shown.refresh();
    await new Promise((done) => setImmediate(done));
    assert.equal(shown.data, 2, `after ${steps} steps`);
    shown.close();
  }
});
