import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOf, sentEntry, withSent, withWaiting } from "/mintee/words.js";

const item = (more) => ({ id: "a1", name: "Water", state: "open", value: 2, note: null, skip: null, ...more });
const waits = (value, { id = "a1", date = "2026-11-28", problem = null } = {}) => ({ url: pathOf(id, date), value, problem });
const after = (one, ...all) => withWaiting(one, "2026-11-28", all);

test("a task shows what waits to be sent for its day", () => {
  assert.deepEqual(after(item()), item(), "nothing waits");
  assert.equal(after(item(), waits({ do: "up" }), waits({ do: "up", by: "2" }), waits({ do: "down" })).value, 4);
  assert.equal(after(item(), waits({ do: "set", value: "7,5", decimal_mark: "," })).value, 7.5);
  for (const value of ["٧٫٥", "７．５"]) assert.equal(after(item(), waits({ do: "set", value, decimal_mark: "." })).value, 7.5);
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

test("what was sent and not answered is shown at once, and does not wait", () => {
  const sent = [sentEntry("a1", "2026-11-28", { do: "up" })];
  assert.equal(withSent(item(), "2026-11-28", sent).value, 3);
  assert.equal(withSent(item(), "2026-11-28", sent).isWaiting, undefined);
  assert.equal(withSent(item(), "2026-11-27", sent).value, 2);
  const cleared = withSent(item({ state: "skipped", skip: "a cold" }), "2026-11-28", [sentEntry("a1", "2026-11-28", { do: "clear" })]);
  assert.deepEqual([cleared.value, cleared.state, cleared.skip], [0, "open", null]);
});
