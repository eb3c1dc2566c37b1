import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "./browser.mjs";
import { vectors } from "./vectors.mjs";

html.dataset = {};
navigator.languages = ["en-US"];
const labels = await import("/contacts/labels.js");
const records = await import("/dictofun/words.js");
const money = await import("/market/money.js");
const days = await import("/mintee/words.js");

test("places in a record are written as the server writes them", () => {
  for (const [milliseconds, words] of vectors("clocks")) assert.equal(records.clock(milliseconds), words);
  assert.equal(records.lengthWords(130_000), "2 minutes 10 seconds");
  assert.equal(records.lengthWords(400), "0 seconds");
  assert.deepEqual([400, 998, 61_600].map(records.lengthClock), ["0:00", "0:01", "1:02"]);
  assert.equal(records.titleOf({ excerpt: "", name: "memo.m4a", recorded: "2026-11-20 09:41:00" }), "memo.m4a");
});

test("an unknown time of a record is said", () => {
  const times = (at, isUnknown) => {
    const record = { recorded_at: at, is_time_unknown: isUnknown };
    return [records.shortWords(record), records.recordedWords(record)];
  };
  assert.deepEqual(times("2026-11-20T09:41:00", false), ["Fri, Nov 20, 9:41 AM", "Friday, November 20, 2026, 9:41 AM"]);
  assert.deepEqual(times("2026-11-20T00:00:00", true), ["Fri, Nov 20, time unknown", "Friday, November 20, 2026, time unknown"]);
  assert.deepEqual(times("2026-11-20T09:41:00", true), ["Fri, Nov 20, 9:41 AM?", "Friday, November 20, 2026, 9:41 AM"]);
});

test("days of habits", () => {
  assert.equal(days.addDays("2026-02-28", 1), "2026-03-01");
  assert.equal(days.addDays("2024-03-01", -1), "2024-02-29");
  assert.equal(days.dayTitle("2026-11-26", "2026-11-25", false), "Tomorrow");
  assert.equal(days.dayTitle("2026-11-20", "2026-11-25", true), "Nov 20");
  assert.equal(days.stateOf({ open: true, state: "under" }), "open");
  assert.equal(days.ofGoal(4, "6 to 10"), "4 of 6 to 10");
  assert.equal(days.ofGoal(24, "at least 30"), "24 of 30");
  assert.equal(days.ofGoal(2, "at most 3"), "2, at most 3");
  assert.equal(days.groupedWords("9500.5 of 10000 this month, 3 days left"), "9,500.5 of 10,000 this month, 3 days left");
  assert.equal(
    days.groupedWords("Every 2 weeks from 2 November 2026\n10000 a month", 5),
    "Every 2 weeks from 2 November 2026\n10,000 a month",
  );
});

test("days without a result are tinted by the share of their week", () => {
  const week = { from: "2026-11-16", to: "2026-11-22", amount: 2, needed: 4, limit: null, state: "open" };
  const periods = [
    week,
    { ...week, from: "2026-11-23", to: "2026-11-29", amount: 0 },
    { ...week, from: "2026-11-30", to: "2026-12-06", needed: null },
  ];
  assert.deepEqual(days.periodShare(periods, "2026-11-17"), { share: 0.25, words: "nothing done, 2 of 4 around it" });
  assert.equal(days.periodShare([{ ...week, amount: 9 }], "2026-11-22").share, 0.5);
  for (const date of ["2026-11-15", "2026-11-23", "2026-12-01", "2026-12-07"]) assert.equal(days.periodShare(periods, date), null);
});

test("sums of money keep the digits that hub gave them", () => {
  assert.equal(money.sum("70707.06", "usd"), "$70,707.06");
  assert.equal(money.sum("-12.50", "usd", { isSigned: true }), "-$12.50");
  assert.equal(money.sum(null, "usd"), "—");
  assert.equal(money.price("0.00001234", "usd", 8), "$0.00001234");
  assert.equal(money.price("1.5", "LINK", 2), "1.50 LINK");
  assert.equal(money.percent("3.456"), "+3.46%");
  assert.deepEqual(
    ["0.004", "-0.1", null].map((value) => money.direction(value)),
    ["flat", "down", "flat"],
  );
});

test("fields of a contact as people write them", () => {
  assert.equal(labels.lineWords("phone", "work"), "Work phone");
  assert.equal(labels.lineWords("phone", "WORK FAX"), "Work fax");
  assert.equal(labels.lineWords("email", "home"), "Home e-mail");
  assert.equal(labels.fieldWords("x-favourite-tea"), "Favourite tea");
  assert.equal(labels.linkOf("phone", "+48 (22) 555-01"), "tel:+482255501");
  assert.equal(labels.linkOf("url", "javascript:alert(1)"), null);
  assert.equal(labels.linkOf("url", "example.org/a"), "https://example.org/a");
});

test("money is written by the rules of the domain", () => {
  // Blanks and the place of a sign are those of the locale; digits, rounding and suffixes are not.
  const plain = (text) => text.replace(/[\s\u00a0]/g, "");
  for (const [kind, value, currency, text, digits] of vectors("money")) {
    const words =
      kind === "price" ? money.price(value, currency, digits) : kind === "large" ? money.large(value, currency) : money.percent(value);
    assert.equal(plain(words), (kind === "large" ? "$" : "") + plain(text), `${kind} ${value} ${currency}`);
  }
});
