import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "./browser.mjs";
import { vectors } from "./vectors.mjs";

let copies = 0;

/** The module as a page of these settings gets it. */
async function formatOf({ locale, languages = ["en-US"], weekStart, clock } = {}) {
  html.dataset = { ...(locale && { locale }), ...(clock && { clock }), ...(weekStart && { weekStart }) };
  navigator.languages = languages;
  return import(`/assets/components/format.js?copy=${copies++}`);
}

test("numbers are typed with the decimal mark that the server reads", async () => {
  for (const { locale, mark, numbers } of vectors("numbers")) {
    const { decimalMark, typedNumber } = await formatOf({ locale });
    assert.equal(decimalMark, mark, locale);
    for (const [value, typed] of numbers) assert.equal(typedNumber(value), typed, locale);
  }
});

test("digits of all scripts are counted with", async () => {
  const { westernDigits } = await formatOf();
  for (const [typed, digits] of [
    ["٣١", "31"],
    ["۷٫۵", "7٫5"],
    ["３１", "31"],
    ["१२", "12"],
    ["\u061C-٧", "-7"],
    ["𝟗𝟘", "90"],
    ["12 th", "12 th"],
  ])
    assert.equal(westernDigits(typed), digits);
});

test("the settings come first, then the browser, then the language of the page", async () => {
  assert.equal((await formatOf({ locale: "de_CH.UTF-8", languages: ["pl"] })).locale, "de-CH");
  assert.equal((await formatOf({ languages: ["pl-PL", "en"] })).locale, "pl-PL");
  assert.equal((await formatOf({ languages: ["x-nothing", "en-GB"] })).locale, "en-GB");
  assert.equal((await formatOf({ languages: [] })).locale, "en");
  const british = await formatOf({ languages: ["en-GB"] });
  assert.equal(british.dayWords("2026-11-25"), "25 November 2026");
  assert.equal((await formatOf()).dayWords("2026-11-25"), "November 25, 2026");
  // Words between other words are in the language of the page.
  const polish = await formatOf({ languages: ["pl"] });
  assert.equal(polish.ago(Date.now() - 180_000), "3 minutes ago");
});

test("the week begins on the day of the settings", async () => {
  for (const [weekStart, number, first] of [
    ["sun", 0, "Sun"],
    ["mon", 1, "Mon"],
    ["wed", 3, "Wed"],
    ["sat", 6, "Sat"],
    [undefined, 1, "Mon"],
  ]) {
    const format = await formatOf({ weekStart });
    assert.equal(format.weekStart, number);
    assert.equal(format.weekdayNames()[0], first);
  }
});

test("dates are read and written in parts", async () => {
  const { dateParts, dayWords, yearsSince, dateOrder, monthNames } = await formatOf({ languages: ["en-GB"] });
  assert.deepEqual(dateParts("1985-03-31"), { year: 1985, month: 3, day: 31 });
  assert.deepEqual(dateParts("--03-31"), { year: null, month: 3, day: 31 });
  assert.deepEqual(dateParts("1985-03"), { year: 1985, month: 3, day: null });
  for (const words of ["about 1800", "", null, "-"]) assert.equal(dateParts(words), null);
  assert.equal(dayWords("--02-29"), "29 February");
  assert.equal(dayWords("1985"), "1985");
  assert.equal(dayWords("0085-01-02"), "2 January 85");
  assert.equal(dayWords("about 1800"), "about 1800");
  // Versions of ICU differ in the comma.
  assert.equal(dayWords("2026-11-25", { weekday: "long", hasYear: false }).replace(",", ""), "Wednesday 25 November");
  assert.equal(dayWords("2026-11-25", { month: "short", hasYear: false }), "25 Nov");
  assert.equal(yearsSince("1985-03-31", "2026-03-30"), 40);
  assert.equal(yearsSince("1985-03-31", "2026-03-31"), 41);
  assert.equal(yearsSince("--03-31", "2026-03-31"), null);
  assert.deepEqual(dateOrder(), ["day", "month", "year"]);
  assert.equal(monthNames()[1], "February");
});

test("moments are relative, and in a list their day", async () => {
  const { ago, shortAge } = await formatOf({ languages: ["en-GB"] });
  const before = (seconds) => Date.now() - seconds * 1000;
  assert.equal(ago(before(20)), "just now");
  assert.equal(ago(before(100 * 60 + 5)), "1 hour ago");
  assert.equal(ago(before(26 * 3600)), "yesterday");
  assert.equal(shortAge(before(23 * 3600)), "23 hours ago");
  assert.equal(shortAge("2019-11-03T12:00:00"), "3 Nov 2019");
});

test("words, counts and sizes", async () => {
  const { counted, fileSize, listed, sentence } = await formatOf();
  assert.equal(counted(1, "contact"), "1 contact");
  assert.equal(counted(2310, "contact"), "2,310 contacts");
  assert.equal(counted(2, "match", "matches"), "2 matches");
  assert.equal(listed(["a", "b", "c"]), "a, b, and c");
  assert.equal(sentence(" it failed"), "It failed.");
  assert.equal(sentence("why?"), "Why?");
  assert.equal(sentence(null), "");
  assert.equal(fileSize(999), "999 byte");
  assert.equal(fileSize(1500), "1.5 kB");
});

test("times have twelve or twenty-four hours as the locale or the settings say", async () => {
  const plain = (text) => text.replace(/\s/g, " ");
  for (const [settings, expected] of [
    [{ locale: "en_US" }, "9:05 PM"],
    [{ locale: "en_US", clock: "24h" }, "21:05"],
    [{ locale: "pl_PL" }, "21:05"],
    [{ locale: "en_GB", clock: "12h" }, "9:05 pm"],
  ]) {
    assert.equal(plain((await formatOf(settings)).timeWords("21:05")), expected, JSON.stringify(settings));
  }
  assert.equal((await formatOf({ clock: "24h" })).timeWords("00:30"), "00:30", "midnight is no 24:30");
});

test("a day near today has a name", async () => {
  const { nearDay } = await formatOf();
  const today = "2026-12-30";
  for (const [day, words] of [
    ["2026-12-30", "Today"],
    ["2026-12-31", "Tomorrow"],
    ["2026-12-29", "Yesterday"],
    ["2027-01-02", "Saturday"],
    ["2027-01-05", "Tuesday"],
    ["2027-01-06", "Jan 6, 2027"],
    ["2026-12-25", "Dec 25"],
  ])
    assert.equal(nearDay(day, today), words, day);
});
