import assert from "node:assert/strict";
import { test } from "node:test";
import { h } from "/assets/components/patch.js";

test("a description has its children in one list, without those that are not shown", () => {
  const item = h("li", { key: 1 }, 0, "", "a");
  assert.deepEqual(item, { name: "li", properties: { key: 1 }, children: [0, "a"] });
  const list = h("ul", null, [null, [false, [item]], undefined], "b");
  assert.deepEqual(list, { name: "ul", properties: {}, children: [item, "b"] });
});
