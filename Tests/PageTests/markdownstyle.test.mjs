import assert from "node:assert/strict";
import { test } from "node:test";
import { fenceAfter, pictureTargets, styledLine } from "/notes/markdownstyle.js";
import { inText, shownForm } from "/notes/shownform.js";
import { seeded } from "./random.mjs";

// The parts of a line: words without a style, or a style and its words.
const parts = (text, fence = "") => styledLine(text, fence).parts.map(({ words, style }) => (style ? `${style}:${words}` : words));

test("Markdown is told from words", () => {
  assert.deepEqual(parts("# Head *x*"), ["mark:#", " Head ", "mark:*", "em:x", "mark:*"]);
  assert.equal(styledLine("### Head", "").style, "heading heading-3");
  assert.deepEqual(parts("**a _b_** c"), ["mark:**", "strong:a ", "strong mark:_", "strong em:b", "strong mark:_", "mark:**", " c"]);
  assert.deepEqual(parts("snake_case_name, 2 * 3 * 4"), ["snake_case_name, 2 * 3 * 4"]);
  assert.deepEqual(parts("\\*no\\*"), ["mark:\\", "*", "no", "mark:\\", "*"]);
  assert.deepEqual(parts("`a*b*` x"), ["mark:`", "code:a*b*", "mark:`", " x"]);
  assert.deepEqual(parts("[[Title|x]] [a](b.md)"), ["mark:[[", "link:Title|x", "mark:]]", " ", "mark:[", "link:a", "mark:](b.md)"]);
  assert.deepEqual(parts("see https://example.org/x)"), ["see ", "link:https://example.org/x", ")"]);
  assert.deepEqual(parts("- [x] done"), ["bullet:-", " ", "task ticked:[x]", "done: done"]);
  assert.deepEqual(parts("  2. item"), ["  ", "bullet:2.", " ", "item"]);
  assert.deepEqual(parts("> - [ ] a"), ["mark:> ", "bullet:-", " ", "task:[ ]", " a"]);
  assert.deepEqual(parts("- [ ]"), ["bullet:-", " ", "[ ]"], "a box is one before words");
  assert.deepEqual(parts("---"), ["mark:---"]);
  assert.deepEqual(parts(""), []);
});

test("code has no styles, and ends with a mark like that which began it", () => {
  assert.equal(fenceAfter("```js", ""), "```");
  assert.equal(fenceAfter("~~~", "```"), "```");
  assert.equal(fenceAfter("``` x", "```"), "```");
  assert.equal(fenceAfter("````", "```"), "");
  assert.equal(fenceAfter("```a`b", ""), "");
  assert.deepEqual(parts("*a*", "```"), ["*a*"]);
});

test("a line keeps its text, in a time that follows from its length", () => {
  const random = seeded(7);
  const words = [
    "*",
    "**",
    "_",
    "`",
    "[",
    "](",
    ")",
    "[[",
    "]]",
    "!",
    "~~",
    "a",
    " ",
    "\\",
    "- ",
    "> ",
    "# ",
    "[ ] ",
    "😀",
    "<",
    ">",
    "https://",
  ];
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: random(30) }, () => words[random(words.length)]).join("");
    assert.equal(
      styledLine(text, "")
        .parts.map(({ words }) => words)
        .join(""),
      text,
    );
  }
  for (const word of ["*a ", "[a ", "`a", "![[", "_a ", "[a](b"]) {
    const text = word.repeat(200_000);
    assert.equal(
      styledLine(text, "")
        .parts.map(({ words }) => words)
        .join("").length,
      text.length,
    );
    pictureTargets(text.slice(0, 10_000));
  }
});

test("pictures of a line are found", () => {
  assert.deepEqual(pictureTargets('![a](img/a%20(1).png "t") ![[b.png|300]] ![](<c d.png>) [no](d.png)'), [
    { target: "img/a%20(1).png", words: "a" },
    { target: "b.png", words: "" },
    { target: "c d.png", words: "" },
  ]);
});

test("places lead from what is shown to a text with carriage returns", () => {
  const form = shownForm("a\r\nb\rc");
  assert.equal(form.shown, "a\nb\nc");
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(form.place), [0, 1, 3, 4, 5, 6]);
  assert.deepEqual(inText(form, [1, -1, "x"]), [1, -2, "x"]);
});
