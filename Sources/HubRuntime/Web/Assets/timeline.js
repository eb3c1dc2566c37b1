// What was done, by the person, by commands and by services, newest first; each can be undone from here.
import { dayWords, nearDay, sentence, timeWords, todayText } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { rowStops } from "/assets/components/rowlist.js";
import { empty } from "/assets/components/states.js";
import { once, tell, tellError } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, sendJSON } from "/assets/hub.js";

/** @typedef {{ id: string, at: string, who: string, words: string, state: string, is_reversal: boolean }} Operation */

const partSize = 50;
const root = /** @type {HTMLElement} */ (document.getElementById("timeline"));
/** The number of parts that are shown. */
let parts = 1;

/**
 * @param {AbortSignal} signal
 * @returns {Promise<{ rows: Operation[], hasMore: boolean }>}
 */
async function read(signal) {
  /** @type {Operation[]} */
  const rows = [];
  let hasMore = true;
  for (let part = 0; part < parts && hasMore; part++) {
    const last = rows.at(-1);
    const next = await getJSON("/api/timeline" + (last ? "?" + new URLSearchParams({ before: last.id }) : ""), { signal });
    rows.push(...next);
    hasMore = next.length === partSize;
  }
  return { rows, hasMore };
}

const shown = view(root, {
  topics: ["*"],
  read,
  draw: ({ rows, hasMore }) => {
    if (!rows.length)
      return empty("Nothing was done yet", { picture: "clock", words: "What you change is listed here, and can be undone from here." });
    return [...daysOf(rows).map(day), hasMore && h("button", { type: "button", key: "more", onclick: more }, "Show older")];
  },
});
const stops = rowStops(root, () => shown.redraw());

function more() {
  parts += 1;
  shown.refresh();
}

/**
 * @param {Operation[]} rows
 * @returns {{ date: string, rows: Operation[] }[]}
 */
function daysOf(rows) {
  /** @type {{ date: string, rows: Operation[] }[]} */
  const days = [];
  for (const row of rows) {
    const date = todayText(new Date(row.at));
    const last = days.at(-1);
    if (last?.date === date) last.rows.push(row);
    else days.push({ date, rows: [row] });
  }
  return days;
}

/** @param {{ date: string, rows: Operation[] }} part */
function day({ date, rows }) {
  const near = nearDay(date, todayText());
  const words = /^\p{L}+$/u.test(near) ? `${near}, ${dayWords(date, { hasYear: false })}` : dayWords(date, { weekday: "long" });
  return h(
    "section",
    { key: date, "aria-labelledby": `day-${date}` },
    h("h2", { id: `day-${date}` }, words),
    h(
      "ul",
      { class: "due", "aria-labelledby": `day-${date}` },
      rows.map((row) => line(row, date, rows[0].id)),
    ),
  );
}

/** @type {(words: string) => string} */
const said = (words) => (words.startsWith("page: ") ? sentence(words.slice(6)).replace(/\.$/, "") : `hub ${words}`);

/** @type {(row: Operation, date: string, first: string) => Hub.Description} */
function line(row, date, first) {
  const at = new Date(row.at);
  const time = timeWords([at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":"));
  const isUndone = row.state === "undone" || row.state === "abandoned";
  const detail = [row.who !== "you" && row.who, time, isUndone && row.state].filter(Boolean).join(" · ");
  return h(
    "li",
    { key: row.id, "data-row": "", class: isUndone ? "is-done" : null },
    h(
      "div",
      { class: "told", role: "group", "aria-label": said(row.words), ...stops.stop(date, row.id, first) },
      h("span", { class: "title", dir: "auto" }, said(row.words)),
      h("span", { class: "detail" }, detail),
    ),
    row.state === "done" &&
      !row.is_reversal &&
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": `Undo: ${said(row.words)}`, onclick: () => undo(row), ...stops.inRow },
        "Undo",
      ),
  );
}

/** @param {Operation} row */
const undo = (row) =>
  once(row.id, async () => {
    try {
      const { body, operation } = await sendJSON("POST", "/api/undo", { operation: row.id });
      const kept = body.kept?.length > 0 ? ` Changed later, and kept: ${body.kept.join(", ")}.` : "";
      tell(`Undone: ${said(row.words)}.${kept}`, { operation, isUndo: true });
    } catch (error) {
      tellError(error);
    }
    await shown.refresh();
  });

document.addEventListener("hub-undone", () => shown.refresh());
