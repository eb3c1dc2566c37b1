import assert from "node:assert/strict";
import { test } from "node:test";
import { isHeld, keyOf, keys } from "/assets/components/keys.js";

test("keys of an input method do not reach a listener", () => {
  const heard = [];
  const listener = keys(({ key }) => heard.push(key));
  listener({ key: "Enter", isComposing: true });
  // The Enter that ends the composing, in Safari.
  listener({ key: "Enter", isComposing: false, keyCode: 229 });
  listener({ key: "Enter", isComposing: false, keyCode: 13 });
  assert.deepEqual(heard, ["Enter"]);
});

test("a held key acts once, unless it moves", () => {
  assert.ok(["#", "u", "m", "Enter", " ", "Delete", "z"].every((key) => isHeld({ key, repeat: true })));
  assert.ok(!["ArrowDown", "PageUp", "j", "k", "Home"].some((key) => isHeld({ key, repeat: true })));
  assert.ok(!isHeld({ key: "#", repeat: false }));
});

test("shortcuts are where they are on a Latin keyboard", () => {
  assert.equal(keyOf({ key: "ى", code: "KeyN" }), "n");
  assert.equal(keyOf({ key: "Л", code: "KeyK", shiftKey: true }), "K");
  assert.equal(keyOf({ key: "١", code: "Digit1" }), "1");
  assert.equal(keyOf({ key: "ł", code: "KeyL" }), "ł");
  assert.equal(keyOf({ key: "و", code: "Comma" }), "و");
  assert.equal(keyOf({ key: "θ", code: "KeyU", getModifierState: () => true }), "θ");
  assert.ok(["n", "?", "Enter"].every((key) => keyOf({ key, code: "KeyX" }) === key));
});
