import assert from "node:assert/strict";
import { test } from "node:test";

const { placesOf } = await import("/assets/components/marks.js");
const marks = (text, ...words) => placesOf(text, words).map(([start, end]) => text.slice(start, end));

test("words are marked where words begin, whatever their accents and capitals are", () => {
  assert.deepEqual(marks("Łukasz and lukas", "lukas"), ["Łukas", "lukas"]);
  assert.deepEqual(marks("Zoë, ZOE, azoe", "zoe"), ["Zoë", "ZOE"]);
  assert.deepEqual(marks("e-mail me@example.org", "example"), ["example"]);
  assert.deepEqual(marks("nothing here", "x"), []);
  assert.deepEqual(marks("a", ""), []);
});

test("marks do not overlap", () => {
  assert.deepEqual(marks("planning the plan", "plan", "planning"), ["planning", "plan"]);
  assert.deepEqual(marks("aa aaa", "aa", "aaa"), ["aa", "aaa"]);
});

test("a text of any letters keeps its places", () => {
  for (const text of ["İstanbul yolu", "ﬁne ﬁ", "日本語 日本", "👩‍🚀 zoe", "ΣΊΣΥΦΟΣ zoe", "ǅ zoe"])
    for (const mark of marks(text, "zoe", "日本")) assert.ok(["zoe", "日本"].includes(mark), `${text}: ${mark}`);
  assert.deepEqual(marks("İ zoe", "zoe"), ["zoe"]);
});
