// The upcoming birthdays, anniversaries and other dates, by month.
import { avatar } from "/assets/components/avatar.js";
import { counted, dayWords, monthNames, todayText } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { getJSON } from "/assets/hub.js";
import { kindWords } from "/contacts/labels.js";
import { photoOf } from "/contacts/people.js";
import { address, go, heading, show, state } from "/contacts/page.js";

const spans = [
  [7, "Next 7 days"],
  [30, "Next 30 days"],
  [90, "Next 3 months"],
  [366, "Next year"],
];
const rowsAtOnce = 200;

/** Shows the dates of the next days. */
export function drawBirthdays() {
  const days = Number(state.days) || 30;
  let count = rowsAtOnce;
  const shown = show({
    topics: ["domain.contacts/*"],
    read: (signal) => getJSON("/api/contacts/dates?" + new URLSearchParams({ days: String(days) }), { signal }),
    draw: (rows) => [
      heading("Birthdays and dates", { key: days }),
      chooser(days),
      rows.length > 0 && h("p", { class: "hint", key: "count" }, counted(rows.length, "date")),
      months(rows.slice(0, count)),
      rows.length > count &&
        h(
          "button",
          {
            type: "button",
            key: "more",
            onclick: () => {
              count += rowsAtOnce;
              shown.redraw();
            },
          },
          "Show more",
        ),
      !rows.length && empty("No dates in these days", { picture: "cake", words: "Birthdays and other dates of contacts are shown here." }),
    ],
  });
}

function chooser(days) {
  const all = spans.some(([count]) => count === days) ? spans : [...spans, [days, `Next ${days} days`]];
  return h(
    "div",
    { class: "chips", role: "group", "aria-label": "Days", key: "days" },
    all.map(([count, words]) =>
      h(
        "button",
        { type: "button", class: "chip", "aria-pressed": String(count === days), onclick: () => go({ view: "birthdays", days: count }) },
        words,
      ),
    ),
  );
}

function months(rows) {
  const groups = [];
  for (const row of rows) {
    const month = row.day.slice(0, 7);
    const last = groups.at(-1);
    if (last && last.month === month) last.rows.push(row);
    else groups.push({ month, rows: [row] });
  }
  return groups.map(({ month, rows: own }) =>
    h("section", { key: month }, h("h3", { class: "month-head" }, monthWords(month)), h("ul", { class: "people-rows" }, own.map(item))),
  );
}

// The month, with its year unless it is this one.
function monthWords(text) {
  const [year, month] = text.split("-");
  const name = monthNames()[Number(month) - 1];
  return todayText().startsWith(year) ? name : `${name} ${year}`;
}

function item({ id, name, day, label, years, photo }) {
  const when = day === todayText() ? "Today" : dayWords(day, { weekday: "short", month: "short", hasYear: false });
  return h(
    "li",
    { key: `${id} ${day} ${label}` },
    h(
      "a",
      { href: address({ id, view: null, days: null }), "data-item": "" },
      avatar(name, { photo: photoOf({ id, photo }) }),
      h("span", { class: "words" }, h("strong", null, name), h("span", { class: "hint" }, dateWords(label, years))),
      h("time", { datetime: day }, when),
    ),
  );
}

// What a day is: turns 40, Anniversary, First met (6 years).
function dateWords(label, years) {
  if (label === "birthday") return years === null ? "Birthday" : years === 0 ? "born this day" : `turns ${years}`;
  return years ? `${kindWords(label)}, ${counted(years, "year")}` : kindWords(label);
}
