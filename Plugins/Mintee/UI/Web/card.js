// One task on one day: how it stands, and what can be entered.
import { button, make } from "/assets/dom.js";
import { sendJSON } from "/assets/hub.js";
import { mark, unmark, wordsOf } from "/assets/problems.js";
import { tell, tellError } from "/assets/toast.js";
import { askNote, askSkip } from "/mintee/entry.js";
import { remove } from "/mintee/manage.js";
import { elsewhere, go } from "/mintee/page.js";
import { digits, states, weekShapes, weekWords } from "/mintee/text.js";

/** The card of `item` on `date`: `element`, `update(item)`, and `does`, what its keys do. `refresh` reads the day again. */
export function makeCard(item, date, refresh) {
  const id = item.id;
  let shown = item;
  const link = make("a", { href: elsewhere({ id }), "data-open": "" });
  const tags = make("ul", { class: "chips", "aria-label": "Tags" });
  const [shape, words, streak, target, note, week, fill] = [
    make("span", { class: "shape", "aria-hidden": "true" }), make("strong"), make("span", { class: "streak" }),
    make("p", { class: "target" }), make("p", { class: "note" }), make("p", { class: "week", role: "img" }), make("span")];
  const meter = make("div", { class: "meter", role: "meter", "aria-valuemin": "0", "aria-valuemax": "1" }, fill);
  const field = make("input", { id: `value-${id}`, class: "value", inputmode: "decimal", autocomplete: "off", change: keep,
    keydown: (event) => { if (event.key === "Escape") leave(event); } });
  const count = (words, sign, change, key) => make("button", { type: "button", class: "count", "aria-label": words,
    "aria-keyshortcuts": key, click: () => enter(change), text: sign });
  const skip = button("Skip…", "s", skipIt, { class: "quiet" });
  const done = button("Done", "d", () => enter({ do: "done" }), { class: "main" });
  const element = make("li", { class: "card task", "data-item": "", "data-id": id, tabindex: "-1" },
    make("h3", {}, link), tags,
    make("div", { class: "standing" }, make("p", { class: "standing-words" }, shape, " ", words, streak), week), target, meter,
    make("div", { class: "enter" }, count("One less", "−", { do: "down" }, "-"),
      make("div", { class: "cell" }, make("label", { class: "visually-hidden", for: field.id, text: `Value of ${item.name}` }), field),
      count("One more", "+", { do: "up" }, "+"), done),
    note,
    make("p", { class: "actions" }, skip, button("Note…", "o", noteIt, { class: "quiet" }),
      make("a", { class: "button quiet", href: elsewhere({ id, view: "edit" }), "aria-keyshortcuts": "e", text: "Edit" })));

  function update(next) {
    // A value that is being typed stays.
    const isTyping = document.activeElement === field && field.value !== digits(shown.value);
    shown = next;
    const isOpen = next.open && next.state === "under";
    const state = isOpen ? "open" : next.state;
    element.dataset.state = state;
    element.dataset.status = next.state === "skipped" ? "skipped" : next.status;
    link.textContent = next.name;
    tags.replaceChildren(...next.tags.map((tag) => make("li", { text: tag })));
    tags.hidden = !next.tags.length;
    shape.textContent = states[state].shape;
    words.textContent = states[state].words;
    streak.textContent = next.streak ? ` · streak ${next.streak}` : "";
    target.textContent = [next.target ? `Target ${next.target}` : "Once", next.pattern].filter(Boolean).join(" · ");
    fill.style.inlineSize = `${Math.round(next.meter * 100)}%`;
    meter.setAttribute("aria-valuenow", next.meter);
    meter.setAttribute("aria-label", `${digits(next.value)}${next.target ? ` of ${next.target}` : ""}`);
    if (!isTyping) {
      field.value = digits(next.value);
      unmark(field);
    }
    skip.firstChild.data = next.state === "skipped" ? "Do not skip " : "Skip… ";
    note.replaceChildren(...[next.skip ? `Skipped: ${next.skip}` : null, next.note].filter(Boolean).flatMap((text, place) =>
      (place ? [make("br"), text] : [text])));
    note.hidden = !note.childNodes.length;
    week.textContent = weekShapes(next.week, isOpen);
    week.setAttribute("aria-label", weekWords(next.week, isOpen));
    done.classList.toggle("main", isOpen);
  }

  async function enter(change) {
    try {
      const { body, operation } = await sendJSON("POST", `/api/mintee/tasks/${encodeURIComponent(id)}/days/${date}`, change);
      unmark(field);
      tell(body.told, { operation });
      await refresh();
    } catch (error) {
      if (error.problems.some((problem) => problem.field === "value")) mark(field, wordsOf(error.problems[0]));
      else tellError(error);
    }
  }

  function keep() {
    if (field.value.trim() !== digits(shown.value)) enter({ do: "set", value: field.value.trim() });
  }

  function leave(event) {
    event.stopPropagation();
    field.value = digits(shown.value);
    unmark(field);
    element.focus();
  }

  async function skipIt() {
    if (shown.state === "skipped") return enter({ do: "set", value: digits(shown.value) });
    const reason = await askSkip(shown.name);
    return reason === null ? element.focus() : enter({ do: "skip", text: reason });
  }

  async function noteIt() {
    const text = await askNote(shown.name, shown.note ?? "");
    return text === null ? element.focus() : enter({ do: "note", text });
  }

  async function drop() {
    await remove(id, shown.name);
    await refresh();
  }

  const does = {
    d: () => enter({ do: "done" }), "+": () => enter({ do: "up" }), "=": () => enter({ do: "up" }), "-": () => enter({ do: "down" }),
    s: skipIt, o: noteIt, c: () => enter({ do: "clear" }), v: () => field.select(), e: () => go({ id, view: "edit" }),
    Enter: () => link.click(), "#": drop, Delete: drop,
  };
  return { element, update, does };
}
