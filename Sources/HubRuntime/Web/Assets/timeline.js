// What was done, by the person, by commands and by services, newest first; each can be undone from here.
import { earlierValues } from "/assets/components/entityhistory.js";
import { counted, dayWords, momentWords, nearDay, sentence, timeWords, todayText } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { create, h } from "/assets/components/patch.js";
import { rowStops } from "/assets/components/rowlist.js";
import { empty } from "/assets/components/states.js";
import { once, tell, tellError } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { choose } from "/assets/dialog.js";
import { getJSON, sendJSON } from "/assets/hub.js";

/**
 * @typedef {{ id: string, at: string, who: string, words: string, summary: string | null, names: string[], state: string,
 *   is_reversal: boolean }} Operation
 */

const partSize = 50;
const root = /** @type {HTMLElement} */ (document.getElementById("timeline"));
/** The number of parts that are shown. */
let parts = 1;
/** The operation after which hub is shown as it was then; null for all that was done. */
const at = new URLSearchParams(location.search).get("at");
/** @type {Operation[]} the operations that are shown */
let rows = [];

/**
 * @param {AbortSignal} signal
 * @returns {Promise<{ rows: Operation[], hasMore: boolean }>}
 */
async function read(signal) {
  /** @type {Operation[]} */
  const all = [];
  let hasMore = true;
  for (let part = 0; part < parts && hasMore; part++) {
    const last = all.at(-1);
    const next = await getJSON("/api/timeline" + (last ? "?" + new URLSearchParams({ before: last.id }) : ""), { signal });
    all.push(...next);
    hasMore = next.length === partSize;
  }
  return { rows: all, hasMore };
}

/**
 * @typedef {{ plugin: string, id: string, name: string, state: "new" | "changed" | "gone" | "unknown",
 *   values: Hub.EarlierValue[] }} EarlierItem
 * @typedef {{ at: string, is_whole: boolean, items: EarlierItem[] }} Earlier
 */

/** @type {Record<EarlierItem["state"], string>} */
const states = {
  new: "Did not exist",
  changed: "Was different",
  gone: "Was there",
  unknown: "Its history does not go back that far",
};

/** @type {(item: EarlierItem) => Hub.Description} */
const earlierItem = ({ plugin, id, name, state, values }) =>
  h(
    "li",
    { class: "card", key: `${plugin}:${id}` },
    h(
      "div",
      { class: "earlier-head" },
      state === "gone"
        ? h("strong", { dir: "auto" }, name || "(no name)")
        : h("a", { href: `/${plugin}?${new URLSearchParams({ id })}`, dir: "auto" }, name || "(no name)"),
      h("span", { class: "hint" }, state === "changed" && !values.length ? "Changed since" : states[state]),
    ),
    values.length > 0 && earlierValues(values),
  );

/** @type {(earlier: Earlier) => Hub.Child} hub as it was at a time: what is different now */
function drawEarlier({ at: moment, is_whole: isWhole, items }) {
  document.title = `As it was: ${momentWords(moment)} · hub`;
  return [
    h(
      "header",
      { class: "view-head", key: "head" },
      h("a", { class: "icon-button back", href: "/timeline", "aria-label": "Timeline", title: "Timeline" }, icon("back")),
      h("h2", { tabindex: "-1" }, `As it was: ${momentWords(moment)}`),
    ),
    h(
      "p",
      { class: "hint", key: "hint" },
      items.length
        ? "All that is not any more what it was then. Marked is what it was; what is struck through came later."
        : "Everything is now as it was then.",
    ),
    h("ul", { class: "cards earlier-items", key: "items" }, items.map(earlierItem)),
    !isWhole && h("p", { class: "hint", key: "more" }, "More has changed since than is shown here."),
  ];
}

const shown = view(root, {
  topics: ["*"],
  read: at === null ? read : (signal) => getJSON(`/api/timeline/at?${new URLSearchParams({ operation: at })}`, { signal }),
  draw: (answer) => (at === null ? drawOperations(answer) : drawEarlier(answer)),
});
const stops = rowStops(root, () => shown.redraw());

/** @type {(answer: { rows: Operation[], hasMore: boolean }) => Hub.Child} */
function drawOperations({ rows: read, hasMore }) {
  rows = read;
  if (!rows.length)
    return empty("Nothing was done yet", { picture: "clock", words: "What you change is listed here, and can be undone from here." });
  return [...daysOf(rows).map(day), hasMore && h("button", { type: "button", key: "more", onclick: more }, "Show older")];
}

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

const isOfPage = ({ words }) => words.startsWith("page: ");

/** @type {(row: Operation) => string} what the page said, or what the command does and to what */
function said(row) {
  const words = isOfPage(row) ? row.words.slice(6) : (row.summary ?? (row.is_reversal ? row.words.split(" ")[0] : row.words));
  const names = row.names.length ? `: ${row.names.join(", ")}` : "";
  return sentence(words).replace(/\.$/, "") + names;
}

/** @type {(row: Operation, date: string, first: string) => Hub.Description} */
function line(row, date, first) {
  const at = new Date(row.at);
  const time = timeWords([at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":"));
  const isUndone = row.state === "undone" || row.state === "abandoned";
  const place = row.who !== "you" ? row.who : !isOfPage(row) && "in a terminal";
  const detail = [place, time, isUndone && row.state].filter(Boolean).join(" · ");
  return h(
    "li",
    { key: row.id, "data-row": "", class: isUndone ? "is-done" : null },
    h(
      "div",
      { class: "told", role: "group", "aria-label": said(row), ...stops.stop(date, row.id, first) },
      h("span", { class: "title", dir: "auto" }, said(row)),
      h("span", { class: "detail" }, detail),
    ),
    canUndo(row) &&
      h("button", { type: "button", class: "quiet", "aria-label": `Undo: ${said(row)}`, onclick: () => undo(row), ...stops.inRow }, "Undo"),
    menuButton({
      label: `More for: ${said(row)}`,
      items: () => [
        { words: `As it was at ${time}`, picture: "eye", act: () => location.assign(`/timeline?${new URLSearchParams({ at: row.id })}`) },
        ...(canUndo(row) && row.who === "you" ? [{ words: `Back to before ${time}…`, picture: "undo", act: () => goBack(row, time) }] : []),
      ],
      properties: stops.inRow,
    }),
  );
}

/** @type {(row: Operation) => boolean} */
const canUndo = ({ state, is_reversal: isReversal }) => state === "done" && !isReversal;

/** Undoes what the person did from an operation on, after a question that lists it: then all is as it was at that time. */
async function goBack(row, time) {
  const later = rows.slice(0, rows.findIndex(({ id }) => id === row.id) + 1).filter((one) => canUndo(one) && one.who === "you");
  const answer = await choose({
    id: "go-back",
    title: `Back to before ${time}`,
    content: [
      create(h("p", null, `${counted(later.length, "change")} of yours will be undone, the last one first. Each can be redone.`)),
      create(
        h(
          "ul",
          { class: "scroll" },
          later.map((one) => h("li", { dir: "auto" }, said(one))),
        ),
      ),
    ],
    choices: [
      { value: "", words: "Cancel" },
      { value: "undo", words: `Undo ${counted(later.length, "change")}`, class: "main" },
    ],
  });
  if (answer !== "undo") return;
  let count = 0;
  try {
    for (const one of later) {
      await sendJSON("POST", "/api/undo", { operation: one.id });
      count += 1;
    }
    tell(`${counted(count, "change")} undone. All of yours is as it was before ${time}.`);
  } catch (error) {
    tellError({ ...error, message: `${counted(count, "change")} undone, then: ${error.message}` });
  }
  await shown.refresh();
}

/** @param {Operation} row */
const undo = (row) =>
  once(row.id, async () => {
    try {
      const { body, operation } = await sendJSON("POST", "/api/undo", { operation: row.id });
      const kept = body.kept?.length > 0 ? ` Changed later, and kept: ${body.kept.join(", ")}.` : "";
      tell(`Undone: ${said(row)}.${kept}`, { operation, isUndo: true });
    } catch (error) {
      tellError(error);
    }
    await shown.refresh();
  });

document.addEventListener("hub-undone", () => shown.refresh());
