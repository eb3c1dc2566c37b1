import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOf, withWaiting } from "/mintee/words.js";

const item = (more) => ({ id: "a1", name: "Water", state: "open", value: 2, note: null, skip: null, ...more });
const waits = (value, { id = "a1", date = "2026-11-28", problem = null } = {}) => ({ url: pathOf(id, date), value, problem });
const after = (one, ...all) => withWaiting(one, "2026-11-28", all);

test("a task shows what waits to be sent for its day", () => {
  assert.deepEqual(after(item()), item(), "nothing waits");
  assert.equal(after(item(), waits({ do: "up" }), waits({ do: "up", by: "2" }), waits({ do: "down" })).value, 4);
  assert.equal(after(item(), waits({ do: "set", value: "7,5", decimal_mark: "," })).value, 7.5);
  assert.equal(after(item(), waits({ do: "set", value: "٧٫٥", decimal_mark: "." })).value, 7.5);
  assert.equal(after(item(), waits({ do: "done" })).state, "reached");
  assert.equal(after(item({ state: "reached" }), waits({ do: "set", value: 0 })).state, "open");
  assert.equal(after(item(), waits({ do: "skip", text: "a cold" })).skip, "a cold");
  assert.equal(after(item(), waits({ do: "note", text: "late" })).note, "late");
  assert.equal(after(item(), waits({ do: "up" })).isWaiting, true);
});

test("what waits for another day or task, or was refused, changes nothing", () => {
  for (const other of [{ id: "b2" }, { date: "2026-11-27" }, { problem: "No such task." }]) {
    assert.deepEqual(after(item(), waits({ do: "up" }, other)), item(), JSON.stringify(other));
  }
});
