// The portfolio: what is held, what it is worth and was worth, gains by year, and the trades.
import { avatar } from "/assets/components/avatar.js";
import { download } from "/assets/components/download.js";
import { counted, dayWords, listed, sentence } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { getAll, getJSON, sendJSON } from "/assets/hub.js";
import { originLine } from "/market/board.js";
import { pastChart } from "/market/charts.js";
import { amount, change, direction, percent, price, sum } from "/market/money.js";
import { entryName, entryValue } from "/market/trade.js";
import { address, heading, reader, refresh, show, state, trashLink } from "/market/page.js";

/** What the portfolio is filtered by, as the address names it. */
const filterNames = ["portfolio", "place", "tag"];

/** The members of the address with these names, as a query. */
const query = (names) => new URLSearchParams(names.filter((name) => state[name] !== null).map((name) => [name, state[name]])).toString();

/** Shows the portfolio in the currency of the address. */
export function drawPortfolio() {
  const filters = query(["currency", ...filterNames]);
  const fetchIt = (force) =>
    shown.data.positions.length
      ? sendJSON("POST", "/api/market/refresh", { rows: 0, ids: shown.data.positions.map(({ id }) => id), reader, force }).then(
          refresh,
          () => {},
        )
      : null;
  const shown = show({
    topics: ["domain.market/*"],
    read: async (signal) => ({
      ...(await getJSON(`/api/market/portfolio?${filters}`, { signal })),
      trades: await getAll("/api/market/trades", { signal }),
    }),
    draw: (data) => draw(data, () => fetchIt(true)),
  });
  shown.ready.then(() => {
    if (shown.data) fetchIt(false);
  });
}

/** Marks a sum that closing prices gave. */
const byClose = (isByClose, words) => (isByClose ? `~${words}` : words);

const add = () =>
  h(
    "a",
    { class: "button main", href: address({ view: "trade", trade: null, id: null, list: null, days: null }), ...keyed("b") },
    icon("add"),
    h("span", null, "New entry"),
  );

function draw(data, retry) {
  const { currency, positions, trades } = data;
  const head = heading("Portfolio", { actions: [trashLink(), trades.length > 0 && add()] });
  if (!trades.length) {
    return [
      head,
      empty("No entries yet", {
        picture: "coin",
        words: "Record your purchases: amounts, prices and fees are kept exactly as you type them.",
        actions: [add()],
      }),
    ];
  }
  return [
    head,
    data.other_currencies.length > 0 && currencies(data),
    filterNav(data),
    positions.length > 0 &&
      h(
        "div",
        { class: "now", key: "now" },
        h("p", { class: "big-price" }, sum(data.value, currency)),
        h(
          "p",
          { class: "changes" },
          h("span", { class: `change ${direction(data.gain)}` }, sum(data.gain, currency, { isSigned: true })),
          data.gain_percent !== null && change(data.gain_percent, 1),
          h(
            "span",
            { class: "hint" },
            `paid ${byClose(
              positions.some((one) => one.cost_by_close),
              sum(data.cost, currency),
            )}${data.unknown_cost.length ? ", as far as it is known" : ""}`,
          ),
        ),
      ),
    warnings(data),
    positions.length > 0 &&
      pastChart({
        key: `value ${currency} ${query(filterNames)}`,
        url: (days) => `/api/market/portfolio/history?days=${days}&currency=${currency}&${query(filterNames)}`,
        title: "Value",
        currency,
        otherwise: "30",
        topics: ["domain.market/trades-changed"],
        nothing: "No past prices are known",
        remark: ({ missing = [], pending = [], time_weighted_percent: time = null, money_weighted_percent: money = null }) => [
          time !== null &&
            h(
              "p",
              { class: "hint", key: "returns" },
              "Time-weighted: what you paid in or took out does not count.",
              money === null ? "" : ` Money-weighted: ${percent(money)}.`,
            ),
          pending.length > 0 &&
            h(
              "p",
              { class: "hint", key: "pending", role: "status" },
              `Still without ${listed(pending)}: more past prices are fetched as soon as the provider allows it.`,
            ),
          missing.length > 0 && h("p", { class: "hint", key: "missing" }, `Without ${listed(missing)}: past prices are not known.`),
        ],
      }),
    positions.length > 0 && table(data),
    years(data),
    (positions.some((one) => one.cost_by_close) || data.gains.some((gain) => gain.by_close + gain.income_by_close > 0)) &&
      h("p", { class: "hint", key: "closes" }, "~ by the close of the day, in whole or in part: entries without a value of their own."),
    history(trades.filter(isWanted)),
    positions.length > 0 && h("div", { key: "origin" }, originLine(data.origin, data.as_of, { retry })),
  ];
}

function currencies({ currency, other_currencies: others }) {
  return h(
    "nav",
    { class: "chips", "aria-label": "Currencies", key: "currencies" },
    [...new Set([currency, ...others])]
      .sort()
      .map((code) =>
        h(
          "a",
          { class: "chip", key: code, href: address({ currency: code, days: null }), "aria-current": code === currency ? "page" : null },
          code.toUpperCase(),
        ),
      ),
  );
}

/** The parts of the ledger that can be shown alone. */
function filterNav(data) {
  const choices = filterNames.flatMap((name) => data[`${name}s`].map((value) => ({ name, value })));
  if (!choices.length) return null;
  const none = Object.fromEntries(filterNames.map((name) => [name, null]));
  const chip = (words, fields, isCurrent) =>
    h(
      "a",
      { class: "chip", key: words, href: address({ ...none, ...fields, days: null }), "aria-current": isCurrent ? "page" : null },
      words,
    );
  const mark = { portfolio: "", place: "at ", tag: "#" };
  return h(
    "nav",
    { class: "chips", "aria-label": "Parts of the ledger", key: "filters" },
    chip(
      "All",
      {},
      filterNames.every((name) => state[name] === null),
    ),
    choices.map(({ name, value }) => chip(mark[name] + value, { [name]: value }, state[name] === value)),
  );
}

/** Whether an entry is in the part of the ledger that is shown. */
function isWanted(entry) {
  const same = (wanted, name) => wanted === null || (name ?? "").toLowerCase() === wanted.toLowerCase();
  const places = entry.kind === "transfer" ? [entry.place, entry.destination] : [entry.place];
  return (
    same(state.portfolio, entry.portfolio) &&
    places.some((place) => same(state.place, place)) &&
    (state.tag === null || (entry.tags ?? []).some((tag) => same(state.tag, tag)))
  );
}

function warnings({ unpriced, unknown_cost: unknown, shortfalls, missing_rates: rates, missing_closes: closes }) {
  const lines = [
    ...(unpriced.length ? [`No price for ${listed(unpriced)}; not included in the total.`] : []),
    ...(unknown.length ? [`The cost of some ${listed(unknown)} is not known; the gain is that of the other tokens.`] : []),
    ...[...shortfalls, ...rates, ...(closes === null ? [] : [closes])].map(sentence),
  ];
  return (
    lines.length > 0 &&
    h(
      "div",
      { class: "callout", key: "warnings" },
      lines.map((words) => h("p", null, words)),
    )
  );
}

function table({ positions, currency }) {
  // The roles stay when a phone lays the rows out as grids.
  const head = [
    ["Coin", ""],
    ["Amount", "number amount"],
    ["Price", "number price"],
    ["Value", "number"],
    ["Gain", "number"],
    ["Share", "number share"],
  ];
  const cell = (name, ...children) => h("td", { role: "cell", class: `number ${name}` }, children);
  return h(
    "table",
    { class: "positions", role: "table", key: "positions", "aria-label": "Positions" },
    h(
      "thead",
      { role: "rowgroup" },
      h(
        "tr",
        { role: "row" },
        head.map(([words, name]) => h("th", { role: "columnheader", scope: "col", class: name }, words)),
      ),
    ),
    h(
      "tbody",
      { role: "rowgroup" },
      positions.map((one) =>
        h(
          "tr",
          { role: "row", key: one.id },
          h(
            "th",
            { role: "rowheader", scope: "row" },
            h(
              "a",
              { class: "coin", href: address({ id: one.id, view: null, currency: null, days: null }) },
              avatar(one.symbol ?? one.id, { size: "small" }),
              h("span", { class: "coin-name" }, one.name ?? one.id, h("small", null, `${amount(one.amount)} ${one.symbol ?? ""}`)),
            ),
          ),
          cell("amount", amount(one.amount)),
          cell("price", price(one.price, currency, one.digits)),
          cell("value", sum(one.value, currency)),
          cell(
            "gain",
            h(
              "span",
              { class: `change ${direction(one.gain)}` },
              byClose(one.cost_by_close && one.gain !== null, sum(one.gain, currency, { isSigned: true })),
            ),
            one.gain_percent !== null && h("small", null, percent(one.gain_percent, 1)),
          ),
          cell("share", one.share === null ? "—" : percent(one.share, 1).replace("+", "")),
        ),
      ),
    ),
  );
}

/** The cells of sums of a year, each with its heading for a phone. */
const sums = (gain, values) =>
  Object.entries(values).map(([label, value]) =>
    h(
      "td",
      { role: "cell", class: "number", "data-label": label },
      byClose(gain[label === "Income" ? "income_by_close" : "by_close"] > 0, sum(value, gain.currency)),
    ),
  );

/** How long the bar of a gain is beside the largest one of its currency, for the eye; the number is beside it. */
function barOf(gain, gains) {
  const size = ({ gain }) => Math.abs(Number(gain));
  const largest = Math.max(...gains.filter(({ currency }) => currency === gain.currency).map(size));
  return h("span", {
    class: `gain-bar ${Number(gain.gain) < 0 ? "bad" : "good"}`,
    "aria-hidden": "true",
    style: { width: `${largest > 0 ? (size(gain) / largest) * 100 : 0}%` },
  });
}

function years({ gains, basis }) {
  if (!gains.length) return null;
  const heads = ["Year", "Gain", "", "Proceeds", "Cost", "Over a year", "Income", "Sales"];
  return h(
    "section",
    { class: "years", key: "years" },
    h("h3", null, "Realized gains"),
    h(
      "p",
      { class: "hint" },
      `Cost by ${basis === "average" ? basis : basis.toUpperCase()}. The sales of a year can be saved as a CSV table.`,
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Gains by year" },
      h(
        // The roles stay when a phone lays the rows out as lists.
        "table",
        { role: "table" },
        h(
          "thead",
          { role: "rowgroup" },
          h(
            "tr",
            { role: "row" },
            heads.map((words, at) =>
              words
                ? h("th", { role: "columnheader", scope: "col", class: at > 0 && at < 7 ? "number" : null }, words)
                : h("td", { role: "cell", "aria-hidden": "true" }),
            ),
          ),
        ),
        h(
          "tbody",
          { role: "rowgroup" },
          gains.map((gain) =>
            h(
              "tr",
              { role: "row", key: `${gain.year} ${gain.currency}` },
              h("th", { role: "rowheader", scope: "row" }, String(gain.year)),
              h(
                "td",
                { role: "cell", class: "number gain", "data-label": "Gain" },
                h(
                  "span",
                  { class: `change ${direction(gain.gain)}` },
                  byClose(gain.by_close > 0, sum(gain.gain, gain.currency, { isSigned: true })),
                ),
              ),
              h("td", { role: "cell", class: "bars", "aria-hidden": "true" }, barOf(gain, gains)),
              sums(gain, {
                Proceeds: gain.proceeds,
                Cost: gain.cost,
                "Over a year": gain.long_term_gain,
                Income: gain.income,
              }),
              h(
                "td",
                { role: "cell", class: "sales" },
                iconButton("download", `Sales of ${gain.year} as CSV`, () =>
                  download(
                    `/api/market/portfolio/sales?as=csv&year=${gain.year}&currency=${gain.currency}&${query(filterNames)}`,
                    `sales-${gain.year}.csv`,
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    gains.some(({ unknown }) => unknown > 0) && h("p", { class: "hint" }, "Sales and income of unknown value are not in these sums."),
  );
}

function history(entries) {
  const place = (entry) =>
    entry.kind === "transfer"
      ? `from ${entry.place ?? "elsewhere"} to ${entry.destination ?? "elsewhere"}`
      : entry.place && `at ${entry.place}`;
  const details = (entry) => [
    [dayWords(entry.date), entry.time].filter(Boolean).join(" "),
    ...entryValue(entry),
    place(entry),
    entry.portfolio,
    ...(entry.tags ?? []).map((tag) => `#${tag}`),
  ];
  return h(
    "details",
    { class: "trades", key: "trades" },
    h("summary", null, `All entries (${counted(entries.length, "entry", "entries")})`),
    h(
      "ul",
      { class: "plain-list" },
      entries.map((entry) =>
        h(
          "li",
          { key: entry.id },
          h(
            "span",
            null,
            h("strong", null, entryName(entry)),
            h("small", null, details(entry).filter(Boolean).join(", ")),
            entry.note && h("small", { class: "note" }, entry.note),
          ),
          h(
            "a",
            {
              class: "icon-button",
              href: address({ view: "trade", trade: entry.id, id: null, list: null, days: null }),
              "aria-label": `Edit: ${entryName(entry)}`,
              title: "Edit",
            },
            icon("edit"),
          ),
          iconButton("trash", `Delete: ${entryName(entry)}`, () =>
            undoable("DELETE", `/api/market/trades/${entry.id}`, {}, `${entryName(entry)} deleted.`),
          ),
        ),
      ),
    ),
  );
}
