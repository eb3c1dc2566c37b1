// What is due on a day.
import { make } from "/assets/dom.js";
import { getJSON } from "/assets/hub.js";
import { notice } from "/assets/page.js";
import { makeCard } from "/mintee/card.js";
import { article, begin, elsewhere, go, heading, redraw, state } from "/mintee/page.js";
import { addDays, dayTitle, longDate } from "/mintee/text.js";

// The frame of the day that is shown, and its cards by the id of their task.
let frame = null;

/** Shows the day of the address, or today. What is on the screen already is changed where it stands. */
export async function drawDay() {
  const isHere = begin();
  try {
    const day = await getJSON("/api/mintee/days/" + encodeURIComponent(state.day ?? "today"));
    if (!isHere()) return;
    if (frame?.date !== day.date || frame.today !== day.today || !article.contains(frame.list)) frame = makeFrame(day);
    update(day);
  } catch (error) {
    if (isHere()) redraw(heading("Today"), notice(error.message));
  }
}

const dayLink = (date, today) => elsewhere({ day: date === today ? null : date });

function makeFrame(day) {
  const picker = make("input", { type: "date", id: "day", value: day.date, required: true, change: () => {
    if (picker.value) go({ day: picker.value === day.today ? null : picker.value });
  } });
  picker.value = day.date;
  const step = (by, words, shape, key) => make("a", { class: "button", href: dayLink(addDays(day.date, by), day.today),
    "aria-label": words, "aria-keyshortcuts": key, "data-focus": key, "data-step": by, text: shape });
  const list = make("ul", { class: "cards tasks", "aria-label": "Tasks of the day" });
  const summary = make("p", { class: "day-summary", role: "status" });
  const empty = make("div", {});
  const title = dayTitle(day.date, day.today);
  redraw(make("div", { class: "dayhead" },
    make("div", {}, ...heading(title), title === longDate(day.date) ? null : make("p", { class: "hint", text: longDate(day.date) })),
    make("div", { class: "switch" }, step(-1, "The day before", "‹", "["),
      make("label", { class: "visually-hidden", for: "day", text: "Another day" }), picker, step(1, "The day after", "›", "]"),
      day.date === day.today ? null : make("a", { class: "button", href: dayLink(day.today, day.today), text: "Today" }))),
  summary, list, empty);
  return { date: day.date, today: day.today, list, summary, empty, cards: new Map() };
}

function update(day) {
  const shown = new Map();
  for (const [place, item] of day.tasks.entries()) {
    const card = frame.cards.get(item.id) ?? makeCard(item, day.date, drawDay);
    card.update(item);
    shown.set(item.id, card);
    if (frame.list.children[place] !== card.element) frame.list.insertBefore(card.element, frame.list.children[place] ?? null);
  }
  for (const [id, card] of frame.cards) if (!shown.has(id)) card.element.remove();
  frame.cards = shown;
  const bar = make("progress", { max: Math.max(day.counted, 1), "aria-hidden": "true" });
  bar.value = day.reached;
  frame.summary.replaceChildren(...(day.tasks.length
    ? [bar, make("span", {}, make("strong", { text: `${day.reached} of ${day.counted}` }), " reached")] : []));
  frame.empty.replaceChildren(...(day.tasks.length ? [] : [
    notice(day.date === day.today ? "Nothing is due today." : `Nothing is due on ${longDate(day.date)}.`),
    make("p", { class: "actions" }, make("a", { class: "button main", href: elsewhere({ view: "new" }), text: "New task" }))]));
}

/** The card of a task that has the focus, as the keys need it. */
export function focusedCard() {
  const element = document.activeElement.closest(".task[data-item]");
  return element && frame ? [...frame.cards.values()].find((card) => card.element === element) ?? null : null;
}
