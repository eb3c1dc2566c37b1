// The board: tokens with live prices. Rows keep their places while one looks at them; only their cells change.
import { avatar } from "/assets/components/avatar.js";
import { ago, counted, number } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { onChange, whenListening } from "/assets/components/live.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch, patchChild } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { busy, empty, failed } from "/assets/components/states.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { favorites, listItems, listTools, readLists, setFavorite } from "/market/lists.js";
import { change, large, price, sparkline } from "/market/money.js";
import { address, main, note, reader, state, takeFocus } from "/market/page.js";

const place = /** @type {HTMLElement} */ (document.getElementById("board"));
const pageSize = 100;
// As high as rows of the class `board` are.
const rowHeight = 44;
// Prices older than a minute are fetched again.
const refreshEvery = 60_000;
const columns = [
  { name: "rank", words: "#", title: "Market cap", className: "rank number" },
  { name: "name", words: "Coin", title: "Name", className: "coin" },
  { name: "price", words: "Price", className: "price number" },
  { name: "change_1h", words: "1 h", title: "Change in 1 hour", className: "hour number" },
  { name: "change_24h", words: "24 h", title: "Change in 24 hours", className: "day-change number" },
  { name: "change_7d", words: "7 d", title: "Change in 7 days", className: "week number" },
  { name: "volume", words: "Volume 24 h", title: "Volume", className: "volume number" },
  { name: "market_cap", words: "Market cap", className: "cap number" },
];

let rows = [];
let about = null;
let failure = null;
let current = null;
let isReordered = false;
let isFetching = false;
// What the provider knows of words that no known token has: `{ words, hits, failure }`, of which the last two come later.
let further = null;
let reading = null;
let scrolled = 0;

const list = () => (state.view === "lists" ? (state.list ?? favorites) : null);
const isShown = () => !place.hidden;
const isFalling = (column) => !["rank", "name"].includes(column);

function sorting() {
  const sort = state.sort ?? "";
  return { column: sort.replace(/^-/, "") || (list() ? "" : "rank"), isReversed: sort.startsWith("-") };
}

// Reading

function query(offset, limit) {
  const { column, isReversed } = sorting();
  return new URLSearchParams({
    ...(column && { sort: column }),
    ...(isReversed && { reverse: "1" }),
    ...(state.q && !list() && { q: state.q }),
    offset: String(offset),
    limit: String(limit),
  });
}

function read(offset, limit, signal) {
  const name = list();
  return getJSON((name ? `/api/market/watchlists/${encodeURIComponent(name)}?` : "/api/market/board?") + query(offset, limit), { signal });
}

const withSparklines = (answer) => answer.rows.map((row, at) => ({ ...row, sparkline: answer.sparklines[at] }));

/**
 * Reads the board from its beginning: after a change of list, order or filter.
 * @param {{ count?: number }} options
 * @returns {Promise<void>}
 */
async function reset({ count = pageSize } = {}) {
  reading?.abort();
  const own = (reading = new AbortController());
  try {
    const answer = await read(0, count, own.signal);
    [rows, about, failure, isReordered] = [withSparklines(answer), answer, null, false];
  } catch (error) {
    if (own.signal.aborted || (rows.length && error.code === "offline")) return;
    [rows, about, failure] = [[], null, error];
  }
  if (!rows.some(({ id }) => id === current)) current = rows[0]?.id ?? null;
  draw();
}

// More rows come below those that are there; a token that has moved meanwhile keeps its row.
async function more() {
  if (reading?.isMore || !about || list()) return;
  const own = (reading = Object.assign(new AbortController(), { isMore: true }));
  try {
    if (rows.length >= about.count && about.has_more && !state.q) await fetchPrices({ places: { first: rows.length, count: pageSize } });
    const answer = await read(rows.length, pageSize, own.signal);
    const known = new Set(rows.map(({ id }) => id));
    rows = [...rows, ...withSparklines(answer).filter(({ id }) => !known.has(id))];
    about = answer;
    draw();
  } finally {
    own.isMore = false;
  }
}

// What is in sight: places of the board in the order of ranks; in another order the tokens, which may be anywhere.
function rowsInSight() {
  if (list()) return { rows: 0, ids: rows.map(({ id }) => id) };
  if (!rows.length) return { first: 0, rows: pageSize, ids: [] };
  const { start, end } = inSight();
  const { column, isReversed } = sorting();
  if (column === "rank" && !isReversed && !state.q) return { first: start, rows: Math.max(end - start, 1), ids: [] };
  return { rows: 0, ids: rows.slice(start, end).map(({ id }) => id) };
}

/**
 * Asks hub to fetch what is old of the rows in sight, or of `places`; `force` also what is young.
 * @param {{ places?: { first: number, count: number } | null, force?: boolean }} options
 * @returns {Promise<void>}
 */
export async function fetchPrices({ places = null, force = false } = {}) {
  isFetching = true;
  drawOrigin();
  try {
    const wanted = places ? { first: places.first, rows: places.count, ids: [] } : rowsInSight();
    const { body } = await sendJSON("POST", "/api/market/refresh", { ...wanted, reader, force });
    if (about) about = { ...about, origin: body.origin };
    if (!rows.length) await reset();
  } catch (error) {
    if (error.code !== "offline" && about) about.origin.problems = [error.message];
  } finally {
    isFetching = false;
    drawOrigin();
  }
}

// Live prices

// The rows in the window, and some around it.
function inSight() {
  const body = place.querySelector("tbody");
  if (!body) return { start: 0, end: 0 };
  const above = main.getBoundingClientRect().top - body.getBoundingClientRect().top;
  const start = Math.max(0, Math.floor(above / rowHeight) - 10);
  return { start, end: Math.min(rows.length, start + Math.ceil(main.clientHeight / rowHeight) + 20) };
}

let updating = null;
let isOld = false;

/** Reads the prices of the rows in sight, and changes the cells that differ. */
async function update() {
  if (!isShown() || updating) {
    isOld = true;
    return;
  }
  isOld = false;
  if (!rows.length) return reset();
  updating = (async () => {
    const { start, end } = inSight();
    const ids = rows.slice(start, end).map(({ id }) => id);
    const answer = await getJSON("/api/market/prices?" + new URLSearchParams({ ids: ids.join(",") })).catch(() => null);
    if (!answer) return;
    const body = place.querySelector("tbody");
    const news = new Map(answer.rows.map((row) => [row.id, row]));
    about = { ...about, origin: answer.origin };
    rows = rows.map((row) => {
      const now = news.get(row.id);
      if (!now || (columns.every(({ name }) => row[name] === now[name]) && row.number === now.number && row.as_of === now.as_of))
        return row;
      const next = { ...row, ...now };
      if (body) patchChild(body, rowOf(next));
      if (body && row.price !== now.price) flash(body, next.id, Number(now.price) > Number(row.price));
      return next;
    });
    const was = isReordered;
    isReordered = !list() && !isInOrder(rows.slice(start, end));
    if (was !== isReordered) drawTools();
    drawOrigin();
  })().finally(() => {
    updating = null;
    if (isOld) update();
  });
  return updating;
}

function isInOrder(part) {
  const { column, isReversed } = sorting();
  const field = column === "rank" ? "number" : column;
  if (column === "name") return true;
  const falls = isFalling(column) !== isReversed;
  return part.every((row, at) => {
    const [before, now] = [part[at - 1]?.[field], row[field]];
    return at === 0 || now === null || before === null || (falls ? Number(before) >= Number(now) : Number(before) <= Number(now));
  });
}

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

function flash(body, id, isUp) {
  if (isCalm.matches) return;
  const cell = body.querySelector(`[data-id="${CSS.escape(id)}"] .price`);
  cell?.animate([{ color: getComputedStyle(cell).getPropertyValue(isUp ? "--good" : "--bad") }, {}], {
    duration: 1200,
    easing: "ease-out",
  });
}

// Drawing

function rowOf(row) {
  const { currency } = about;
  const isFavorite = listItems(favorites).includes(row.id);
  const tabindex = row.id === current ? "0" : "-1";
  const cell = (className, ...children) => h("td", { role: "cell", class: className }, children);
  return h(
    "tr",
    { role: "row", key: row.id, "data-id": row.id },
    cell(
      "star",
      iconButton("star", `${row.name}: ${isFavorite ? "remove from" : "add to"} favorites`, () => setFavorite(row, !isFavorite), {
        tabindex,
        "aria-pressed": String(isFavorite),
      }),
    ),
    cell("rank number", row.number === null ? "—" : number(row.number)),
    h(
      "th",
      { role: "rowheader", scope: "row", class: "coin" },
      h(
        "a",
        { href: address({ id: row.id, view: null, list: null }), tabindex },
        avatar(row.symbol, { size: "small" }),
        h("span", { class: "coin-name" }, row.name),
        h("span", { class: "symbol" }, row.symbol),
      ),
    ),
    cell("price number", price(row.price, currency, row.digits)),
    cell("hour number", change(row.change_1h)),
    cell("day-change number", change(row.change_24h)),
    cell("week number", change(row.change_7d, 1)),
    cell("volume number", large(row.volume, currency)),
    cell("cap number", large(row.market_cap, currency)),
    cell("drawing", sparkline(row.sparkline, row.change_7d)),
    list() && cell("more", listTools.menu(row, rows, tabindex)),
  );
}

function header({ name, words, title = words, className }) {
  const { column, isReversed } = sorting();
  const falls = isFalling(name) !== isReversed;
  const isSorted = column === name;
  return h(
    "th",
    { role: "columnheader", scope: "col", class: className, "aria-sort": isSorted ? (falls ? "descending" : "ascending") : null },
    h(
      "button",
      { type: "button", class: "quiet", title: `Sort by ${title.toLowerCase()}`, onclick: () => sortBy(name) },
      h("span", null, words),
      isSorted && icon(falls ? "down" : "up", { size: "small" }),
    ),
  );
}

function table() {
  return h(
    "table",
    {
      class: list() ? "board in-list" : "board",
      role: "table",
      "aria-label": list() ?? "Tokens",
      key: "table",
      onfocusin: choose,
      "aria-rowcount": String(about.count + 1),
    },
    h(
      "thead",
      { role: "rowgroup" },
      h(
        "tr",
        { role: "row" },
        h("td", { role: "cell", class: "star" }),
        columns.map(header),
        h("th", { role: "columnheader", scope: "col", class: "drawing" }, "7 days"),
        list() && h("td", { role: "cell", class: "more" }),
      ),
    ),
    h("tbody", { role: "rowgroup" }, rows.map(rowOf)),
  );
}

/**
 * Sorts by a column, or turns the order around.
 * @param {string} name
 */
function sortBy(name) {
  const { column, isReversed } = sorting();
  note({ sort: column === name ? (isReversed ? name : `-${name}`) : name === "rank" && !list() ? "" : name });
  return reset();
}

function tools() {
  const { column } = sorting();
  const sorts = columns.map(({ name, words, title = words }) => ({ words: title, isChecked: column === name, act: () => sortBy(name) }));
  if (list())
    sorts.unshift({
      words: "My order",
      isChecked: column === "",
      act: () => {
        note({ sort: "" });
        return reset();
      },
    });
  return [
    h(
      "header",
      { class: "view-head", key: `head ${list() ?? ""}` },
      h("h2", { tabindex: "-1", created: takeFocus, class: "visually-hidden" }, list() ? "Watchlists" : "Tokens"),
    ),
    list()
      ? listTools.chooser()
      : h(
          "search",
          { class: "query", key: "query" },
          icon("search"),
          h("label", { class: "visually-hidden", for: "query" }, "Filter tokens"),
          h("input", {
            id: "query",
            type: "search",
            placeholder: "Filter",
            autocomplete: "off",
            spellcheck: "false",
            value: state.q,
            oninput: (event) => {
              note({ q: event.currentTarget.value.trim() });
              reset();
            },
          }),
        ),
    menuButton({
      label: "Sort",
      words: sorts.find(({ isChecked }) => isChecked)?.words ?? "Market cap",
      items: () => sorts,
      properties: { class: "quiet menu-button sorter", key: "sort", title: "Sort", "aria-description": "Sort" },
    }),
    isReordered &&
      h(
        "button",
        { type: "button", class: "chip", key: "again", onclick: () => reset({ count: Math.min(rows.length, 500) }) },
        icon("sync", { size: "small" }),
        "Order has changed: sort again",
      ),
    iconButton("sync", "Fetch prices now", () => fetchPrices({ force: true }), { key: "fetch", ...keyed("R") }),
  ];
}

/**
 * Where prices come from and how old they are.
 * @param {Market.Origin} origin
 * @param {string | number | null} time
 * @param {{ isBusy?: boolean, retry?: () => unknown }} options
 * @returns {Hub.Child}
 */
export function originLine(origin, time, { isBusy = false, retry = () => fetchPrices({ force: true }) } = {}) {
  const age = time ? ago(time) : null;
  const source = origin.url ? h("a", { href: origin.url, target: "_blank", rel: "noreferrer" }, origin.attribution) : origin.attribution;
  const line = h(
    "p",
    { class: "origin hint", key: "line" },
    source,
    source && age ? ` · ${age === "just now" ? "updated just now" : `prices of ${age}`}` : "",
    isBusy ? " · fetching…" : "",
    " · ",
    h("a", { href: address({ view: "providers", id: null, list: null }) }, "Sources"),
  );
  const isAway = !isBusy && (origin.problems.length > 0 || (origin.is_offline && !origin.is_fresh));
  return [
    isAway &&
      h(
        "div",
        { class: "callout", role: "status", key: "away" },
        h(
          "p",
          null,
          h(
            "strong",
            null,
            !age ? "No prices yet. " : age === "just now" ? "These are the last prices. " : `These are the prices of ${age}. `,
          ),
          origin.is_offline ? "hub runs offline." : origin.problems.map((words) => `${words}. `),
          " They update automatically when they are available; alerts wait until then.",
        ),
        h("button", { type: "button", onclick: retry }, "Try again"),
      ),
    line,
  ];
}

const oldest = () => {
  const { start, end } = inSight();
  return rows.slice(start, end || pageSize).reduce((first, { as_of: time }) => (time && (!first || time < first) ? time : first), null);
};

// A list without tokens has no prices to speak of.
const origin = () => about && (rows.length > 0 || !list()) && originLine(about.origin, oldest(), { isBusy: isFetching });

function drawOrigin() {
  const box = place.querySelector(".origin-box");
  if (box) patch(box, origin());
}

function drawTools() {
  const box = place.querySelector(".board-tools");
  if (box) patch(box, tools());
}

function foot() {
  if (list()) return null;
  const total = state.q ? about.count : Math.max(about.count, about.total ?? 0);
  const hasMore = rows.length < about.count || (about.has_more && !state.q);
  return h(
    "div",
    { class: "board-foot", key: "foot" },
    h(
      "p",
      { class: "hint", role: "status" },
      rows.length < total ? `${number(rows.length)} of ${counted(total, "token")}` : counted(total, "token"),
    ),
    hasMore && h("button", { type: "button", onclick: more }, "Show more"),
  );
}

function content() {
  if (failure) return failed(failure, () => reset());
  if (!about) return busy();
  if (rows.length) return [table(), foot()];
  if (list())
    return empty("No tokens in this list", {
      picture: "star",
      words: "Add one by its name or symbol above, or press the star of a token.",
    });
  if (state.q && state.q === further?.words) return foundFurther(further);
  if (state.q)
    return empty(`No known token matches “${state.q}”`, {
      picture: "search",
      actions: [h("button", { type: "button", onclick: searchFurther }, "Search at the provider")],
    });
  return isFetching
    ? busy("Fetching prices…")
    : empty("No prices yet", {
        picture: "chart",
        words: "They are fetched as soon as a source of prices can be reached.",
        actions: [h("button", { type: "button", class: "main", onclick: () => fetchPrices({ force: true }) }, "Fetch prices")],
      });
}

async function searchFurther() {
  const own = (further = { words: state.q ?? "", hits: null, failure: null });
  draw();
  try {
    own.hits = await getJSON("/api/market/search?" + new URLSearchParams({ q: own.words, all: "1" }));
  } catch (error) {
    own.failure = error;
  }
  draw();
}

function foundFurther({ words, hits, failure }) {
  if (failure) return failed(failure, searchFurther);
  if (!hits) return busy("Searching at the provider…");
  if (!hits.length) return empty(`No token matches “${words}”`, { picture: "search" });
  return h(
    "ul",
    { class: "hits", key: "hits" },
    hits.map((hit) =>
      h(
        "li",
        { key: hit.id },
        h(
          "a",
          { href: address({ id: hit.id, q: "" }) },
          avatar(hit.symbol, { size: "small" }),
          h("span", null, hit.name),
          h("span", { class: "symbol" }, hit.symbol),
        ),
      ),
    ),
  );
}

function draw() {
  if (!isShown()) return;
  patch(
    place,
    h("div", { class: "board-tools toolbar", key: "tools" }, tools()),
    h("div", { class: "origin-box", key: "origin" }, origin()),
    h("div", { class: "board-box", key: "box" }, content()),
  );
}

// Focus and keys: the rows are one stop of the Tab key.

function choose(event) {
  const id = event.target.closest("tbody tr")?.dataset.id;
  if (!id || id === current) return;
  const before = rows.find((row) => row.id === current);
  current = id;
  const body = place.querySelector("tbody");
  for (const row of [before, rows.find((other) => other.id === id)]) if (body && row) patchChild(body, rowOf(row));
}

/**
 * Moves the focus `by` rows.
 * @param {number} by
 */
export function step(by) {
  const at = rows.findIndex(({ id }) => id === current);
  const isIn = place.querySelector("tbody")?.contains(document.activeElement);
  const next = rows[isIn ? Math.max(0, Math.min(at + by, rows.length - 1)) : Math.max(at, 0)];
  const link = next && place.querySelector(`[data-id="${CSS.escape(next.id)}"] th a`);
  link?.focus({ preventScroll: true });
  link?.closest("tr").scrollIntoView({ block: "nearest" });
}

/** Adds the row with the focus to the favorites, or takes it out. */
export function toggleCurrent() {
  const row = rows.find(({ id }) => id === current);
  if (row) setFavorite(row, !listItems(favorites).includes(row.id));
}

/**
 * Whether the board has the focus on a row.
 * @returns {boolean}
 */
export const hasRow = () => isShown() && Boolean(place.querySelector("tbody")?.contains(document.activeElement));

/** Shows the board, where it was left. */
export function showBoard() {
  const wasShown = isShown() && about !== null;
  place.hidden = false;
  document.title = list() ? `${list()} · Market` : "Market";
  const key = `${list()} ${state.q} ${state.sort}`;
  if (key !== place.dataset.showing) {
    place.dataset.showing = key;
    [rows, about, scrolled] = [[], null, 0];
    draw();
    reset().then(() => fetchPrices());
  } else {
    draw();
    update();
  }
  if (!wasShown) main.scrollTop = scrolled;
  if (!wasShown && scrolled) place.querySelector(`[data-id="${CSS.escape(current ?? "")}"] th a`)?.focus({ preventScroll: true });
}

/** Hides the board behind another view. */
export function hideBoard() {
  if (isShown()) scrolled = main.scrollTop;
  place.hidden = true;
}

/** Begins to follow changes. */
export async function startBoard() {
  let pause = null;
  onChange(["domain.market/*", "gate.market/*"], async (topics) => {
    if (!topics || topics.includes("domain.market/watchlists-changed")) {
      await readLists();
      if (list()) await reset();
      else draw();
    }
    update();
  });
  main.addEventListener(
    "scroll",
    () => {
      if (!isShown() || !rows.length) return;
      if (rows.length < (about?.count ?? 0) && inSight().end >= rows.length) more();
      clearTimeout(pause);
      pause = setTimeout(() => {
        update();
        const age = oldest();
        if (age && Date.now() - new Date(age).getTime() > refreshEvery) fetchPrices();
      }, 150);
    },
    { passive: true },
  );
  setInterval(() => {
    if (document.visibilityState === "visible" && isShown()) drawOrigin();
  }, 15_000);
  setInterval(() => {
    if (document.visibilityState === "visible") fetchPrices();
  }, refreshEvery);
  await whenListening();
  await readLists();
}
