import assert from "node:assert/strict";
import { test } from "node:test";
import {
  apply,
  compose,
  difference,
  fromEdits,
  inverse,
  isEmpty,
  moved,
  over,
  replacing,
  scalars,
  toEdits,
  unitsAfter,
} from "/notes/change.js";
import { seeded, testSeed } from "./random.mjs";
import { vectors } from "./vectors.mjs";

test("changes and their combinations are those of TextChange.swift", () => {
  for (const it of vectors("changes")) {
    const [mine, theirs] = [fromEdits(it.mine, it.text), fromEdits(it.theirs, it.text)];
    const [own, other] = [apply(mine, it.text), apply(theirs, it.text)];
    const [first, second] = [over(mine, theirs, true), over(theirs, mine, false)];
    const found = {
      ...it,
      edits: toEdits(mine, it.text),
      result: own,
      isEmpty: isEmpty(mine),
      over: toEdits(first, other),
      overTheirs: toEdits(second, own),
      both: apply(first, other),
      then: toEdits(compose(mine, second), it.text),
      places: placesOf(mine, it.text, own, false),
      placesAfter: placesOf(mine, it.text, own, true),
    };
    assert.deepEqual(found, it, it.text);
    assert.equal(apply(second, own), it.both);
  }
});

// Where each place of a text is after a change, all counted in scalars.
function placesOf(change, text, result, isAfter) {
  return Array.from({ length: scalars(text) + 1 }, (_, place) => {
    const at = moved(change, unitsAfter(text, 0, place), isAfter);
    return scalars(result.slice(0, at));
  });
}

const letters = ["a", "b", "\n", "é", "😀", "明"];

function textOf(random) {
  return Array.from({ length: random(10) }, () => letters[random(letters.length)]).join("");
}

// A change of some parts, which splits no character.
function changeOf(text, sign, random) {
  let change = [];
  let now = text;
  for (let left = random(4); left > 0; left--) {
    const places = [0];
    for (const letter of now) places.push(places.at(-1) + letter.length);
    const from = random(places.length);
    const to = Math.min(places.length - 1, from + random(3));
    const step = replacing(places[from], places[to] - places[from], sign.repeat(random(3)));
    now = apply(step, now);
    change = compose(change, step);
  }
  return change;
}

test("random changes meet, are taken back, and are the edits of the protocol", () => {
  const random = seeded(31);
  for (let round = 0; round < 3000; round++) {
    const text = textOf(random);
    const [mine, theirs] = [changeOf(text, "X", random), changeOf(text, "😀", random)];
    const about = `HUB_TEST_SEED=${testSeed} round ${round}: ${JSON.stringify({ text, mine, theirs })}`;
    const [own, other] = [apply(mine, text), apply(theirs, text)];
    const both = apply(over(theirs, mine, true), own);
    assert.equal(apply(over(mine, theirs, false), other), both, about);
    assert.equal(apply(compose(mine, over(theirs, mine, true)), text), both, about);
    assert.equal(apply(inverse(mine, text), own), text, about);
    assert.equal(apply(fromEdits(toEdits(mine, text), text), text), own, about);
    const found = difference(text, own, random(own.length + 1));
    assert.equal(apply(found, text), own, about);
    assert.ok(
      found.every((step) => typeof step !== "string" || step.isWellFormed?.() !== false),
      about,
    );
  }
});

test("a difference is where the typing ended, and splits no character", () => {
  assert.deepEqual(difference("aa", "aaa", 1), [..."a"]);
  assert.deepEqual(difference("aa", "aaa", 2), [1, "a"]);
  assert.deepEqual(difference("aa", "aaa"), [2, "a"]);
  // Both halves of 😀 and 😁 begin alike.
  assert.deepEqual(difference("x😀", "x😁"), [1, "😁", -2]);
  assert.deepEqual(difference("same", "same"), [4]);
});

test("an insertion comes before a deletion at one place", () => {
  assert.deepEqual(replacing(2, 3, "new"), [2, "new", -3]);
  assert.deepEqual(compose([2, -3], [2, "new"]), [2, "new", -3]);
  assert.deepEqual(replacing(0, 0, ""), []);
});
