// The portfolio: what is held, what it is worth and was worth, gains by year, and the trades.
import { avatar } from "/assets/components/avatar.js";
import { barChart } from "/assets/components/chart.js";
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
import { amount, change, direction, drawn, percent, price, short, sum } from "/market/money.js";
import { address, heading, reader, refresh, show, state, trashLink } from "/market/page.js";

/** Shows the portfolio in the currency of the address. */
export function drawPortfolio() {
  const inCurrency = state.currency ? `?currency=${encodeURIComponent(state.currency)}` : "";
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
      ...(await getJSON("/api/market/portfolio" + inCurrency, { signal })),
      trades: await getAll("/api/market/trades", { signal }),
    }),
    draw: (data) => draw(data, () => fetchIt(true)),
  });
  shown.ready.then(() => {
    if (shown.data) fetchIt(false);
  });
}

const add = () =>
  h(
    "a",
    { class: "button main", href: address({ view: "trade", trade: null, id: null, list: null, days: null }), ...keyed("b") },
    icon("add"),
    h("span", null, "New trade"),
  );

function draw(data, retry) {
  const { currency, positions, trades } = data;
  const head = heading("Portfolio", { actions: [trashLink(), trades.length > 0 && add()] });
  if (!trades.length) {
    return [
      head,
      empty("No trades yet", {
        picture: "coin",
        words:
          "Record your purchases: amounts, prices and fees are kept exactly as you type them. " +
          "To import a file from ticker or cointop, or a CSV table, use hub market portfolio import.",
        actions: [add()],
      }),
    ];
  }
  return [
    head,
    data.other_currencies.length > 0 && currencies(data),
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
          h("span", { class: "hint" }, `paid ${sum(data.cost, currency)}`),
        ),
      ),
    warnings(data),
    positions.length > 0 &&
      pastChart({
        key: `value ${currency}`,
        url: (days) => `/api/market/portfolio/history?days=${days}&currency=${currency}`,
        title: "Value",
        currency,
        otherwise: "30",
        topics: ["domain.market/trades-changed"],
        nothing: "No past prices are known",
        remark: ({ missing, pending, time_weighted_percent: time, money_weighted_percent: money }) => [
          time !== null &&
            h(
              "p",
              { class: "hint", key: "returns" },
              `Return without regard to what was paid in and when: ${percent(time)}.`,
              money === null ? "" : ` Return of the money since it was paid in: ${percent(money)}.`,
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
    history(trades),
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

function warnings({ unpriced, shortfalls }) {
  const lines = [...(unpriced.length ? [`No price for ${listed(unpriced)}; not included in the total.`] : []), ...shortfalls.map(sentence)];
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
            h("span", { class: `change ${direction(one.gain)}` }, sum(one.gain, currency, { isSigned: true })),
            one.gain_percent !== null && h("small", null, percent(one.gain_percent, 1)),
          ),
          cell("share", one.share === null ? "—" : percent(one.share, 1).replace("+", "")),
        ),
      ),
    ),
  );
}

function years({ gains, currency, basis }) {
  if (!gains.length) return null;
  const own = gains.filter((gain) => gain.currency === currency).toReversed();
  const rule = `Cost by ${basis === "average" ? basis : basis.toUpperCase()}`;
  return h(
    "section",
    { class: "years", key: "years" },
    h("h3", null, "Realized gains by year"),
    own.length > 1 &&
      barChart({
        title: `Gains in ${currency.toUpperCase()}`,
        rows: own.map(({ year, gain }) => ({
          label: String(year),
          value: Number(gain),
          words: `${year}: ${sum(gain, currency, { isSigned: true })}`,
          state: Number(gain) < 0 ? "bad" : "good",
        })),
        columns: ["Year", "Gain"],
        note: rule,
        say: (value) => drawn(value, currency),
        axis: (value) => short(value, currency),
      }),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Gains by year" },
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Year", "Proceeds", "Cost", "Gain", "Sales"].map((words, at) =>
              h("th", { scope: "col", class: at > 0 && at < 4 ? "number" : null }, words),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          gains.map((gain) =>
            h(
              "tr",
              { key: `${gain.year} ${gain.currency}` },
              h("th", { scope: "row" }, String(gain.year)),
              ["proceeds", "cost"].map((name) => h("td", { class: "number" }, sum(gain[name], gain.currency))),
              h(
                "td",
                { class: "number" },
                h("span", { class: `change ${direction(gain.gain)}` }, sum(gain.gain, gain.currency, { isSigned: true })),
              ),
              h(
                "td",
                null,
                iconButton("download", `Sales of ${gain.year} as CSV`, () =>
                  download(`/api/market/portfolio/sales?as=csv&year=${gain.year}`, `sales-${gain.year}.csv`),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    own.length < 2 && h("p", { class: "hint" }, rule + "."),
  );
}

function history(trades) {
  return h(
    "details",
    { class: "trades", key: "trades" },
    h("summary", null, `All trades (${counted(trades.length, "trade")})`),
    h(
      "ul",
      { class: "plain-list" },
      trades.map((trade) =>
        h(
          "li",
          { key: trade.id },
          h(
            "span",
            null,
            h("strong", null, `${trade.kind === "buy" ? "Bought" : "Sold"} ${amount(trade.amount)} ${trade.symbol}`),
            h(
              "small",
              null,
              [dayWords(trade.date), trade.time].filter(Boolean).join(" "),
              `, at ${price(trade.price, trade.currency, trade.price.split(".")[1]?.length ?? 0)}`,
              Number(trade.fee) > 0 ? `, fee ${price(trade.fee, trade.currency, trade.fee.split(".")[1]?.length ?? 0)}` : "",
            ),
          ),
          h(
            "a",
            {
              class: "icon-button",
              href: address({ view: "trade", trade: trade.id, id: null, list: null, days: null }),
              "aria-label": `Edit: ${trade.kind} ${trade.amount} ${trade.symbol}`,
              title: "Edit",
            },
            icon("edit"),
          ),
          iconButton("trash", `Delete: ${trade.kind} ${trade.amount} ${trade.symbol}`, () =>
            undoable(
              "DELETE",
              `/api/market/trades/${trade.id}`,
              {},
              `${trade.kind === "buy" ? "Purchase" : "Sale"} of ${trade.amount} ${trade.symbol} deleted.`,
            ),
          ),
        ),
      ),
    ),
  );
}
