// The upcoming birthdays.
import { make } from "/assets/dom.js";
import { getJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { address, article, begin, go, heading, state } from "/contacts/page.js";

const spans = [[7, "a week"], [30, "30 days"], [90, "three months"], [366, "a year"]];
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

/** Shows the birthdays of the next days. */
export async function drawBirthdays() {
  const isHere = begin();
  const days = Number(state.days) || 30;
  try {
    const rows = await getJSON("/api/contacts/birthdays?" + new URLSearchParams({ days }));
    if (!isHere()) return;
    article.replaceChildren(...heading("Birthdays"), chooser(days),
      rows.length ? make("ul", { class: "cards birthdays" }, ...rows.map(item)) : notice("No birthdays in these days."));
  } catch (error) {
    if (isHere()) article.replaceChildren(...heading("Birthdays"), notice(error.message));
  }
}

function chooser(days) {
  const select = make("select", { id: "days", change: () => go({ id: null, view: "birthdays", days: select.value })
    .then(() => document.getElementById("days")?.focus()) });
  for (const [count, words] of spans.some(([count]) => count === days) ? spans : [...spans, [days, `${days} days`]]) {
    const option = make("option", { value: count, text: words });
    option.selected = count === days;
    select.append(option);
  }
  return make("p", { class: "choice" }, make("label", { for: "days", text: "In the next" }), select);
}

function item(birthday) {
  const turns = birthday.age === null ? "" : `turns ${birthday.age}, born ${birthday.born}`;
  return make("li", {}, make("a", { class: "card", "data-item": "", href: address({ id: birthday.id, view: null, days: null }) },
    make("time", { datetime: birthday.day, text: day.format(new Date(birthday.day + "T00:00Z")) }),
    make("strong", { text: birthday.name }), make("span", { text: turns })));
}
