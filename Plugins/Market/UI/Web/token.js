// One token: its price now and in the past, what is held of it, and the alerts on it.
import { avatar } from "/assets/components/avatar.js";
import { number } from "/assets/components/format.js";
import { iconButton, icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { words as alertWords } from "/market/alerts.js";
import { originLine } from "/market/board.js";
import { pastChart } from "/market/charts.js";
import { favorites, listNames, setFavorite, setListed } from "/market/lists.js";
import { amount, change, direction, large, percent, price, sum } from "/market/money.js";
import { address, elsewhere, heading, reader, refresh, show, state } from "/market/page.js";

/** Shows the token of the address. */
export function drawToken() {
  const id = state.id ?? "";
  const fetchIt = (force) => sendJSON("POST", "/api/market/refresh", { rows: 0, ids: [id], reader, force }).then(refresh, () => {});
  const shown = show({
    topics: ["domain.market/*", "gate.market/*"],
    read: (signal) => getJSON(`/api/market/tokens/${encodeURIComponent(id)}`, { signal }),
    draw: (data) => draw(data, () => fetchIt(true)),
  });
  shown.ready.then(() => {
    if (shown.data) fetchIt(false);
  });
}

function draw({ token, currency, lists, position, alerts, origin }, retry) {
  const isFavorite = lists.includes(favorites);
  const rank = token.number === null ? null : h("span", { class: "badge" }, `#${number(token.number)}`);
  return [
    heading([avatar(token.symbol), h("span", null, token.name, " ", h("span", { class: "symbol" }, token.symbol), " ", rank)], {
      title: token.name,
      back: elsewhere(),
      actions: [
        iconButton("star", isFavorite ? "Remove from favorites" : "Add to favorites", () => setFavorite(token, !isFavorite), {
          "aria-pressed": String(isFavorite),
          class: "icon-button starred",
        }),
        menuButton({
          label: "Lists",
          picture: "list",
          items: () =>
            listNames().map((name) => ({
              words: name,
              isChecked: lists.includes(name),
              act: () => setListed(name, token, !lists.includes(name)),
            })),
        }),
      ],
    }),
    h(
      "div",
      { class: "now", key: "now" },
      h("p", { class: "big-price" }, price(token.price, currency, token.digits)),
      h(
        "p",
        { class: "changes" },
        [
          ["1 hour", token.change_1h],
          ["24 hours", token.change_24h],
          ["7 days", token.change_7d],
          ["1 year", token.change_1y],
        ]
          .filter(([, value]) => value !== null)
          .map(([words, value]) => h("span", { key: words }, change(value), ` ${words}`)),
      ),
    ),
    h(
      "div",
      { class: "actions token-actions", key: "actions" },
      h(
        "a",
        { class: "button main", href: address({ id: null, view: "trade", token: token.id, days: null }) },
        icon("add"),
        h("span", null, "Trade"),
      ),
      h(
        "a",
        { class: "button", href: address({ id: null, view: "new-alert", token: token.id, days: null }) },
        icon("alarm"),
        h("span", null, "Alert"),
      ),
    ),
    pastChart({
      key: `chart ${token.id}`,
      url: (days) => `/api/market/tokens/${encodeURIComponent(token.id)}/chart?days=${days}`,
      title: "Price",
      currency,
      nothing: "No past prices are known",
    }),
    h(
      "div",
      { class: "panels", key: "panels" },
      position && holding(position, token, currency),
      facts(token, currency),
      alerts.length > 0 &&
        h(
          "section",
          { class: "panel", key: "alerts" },
          h("h3", null, "Alerts"),
          h(
            "ul",
            { class: "plain-list" },
            alerts.map((alert) =>
              h("li", { key: alert.id }, h("a", { href: address({ id: null, view: "alerts", days: null }) }, alertWords(alert))),
            ),
          ),
        ),
    ),
    h("div", { key: "origin" }, originLine(origin, token.as_of, { retry })),
  ];
}

const lines = (pairs) =>
  h(
    "dl",
    { class: "facts" },
    pairs.filter(([, value]) => value !== null && value !== "—").map(([words, value]) => [h("dt", null, words), h("dd", null, value)]),
  );

function facts(token, currency) {
  const money = (value) => price(value, currency, token.digits);
  return h(
    "section",
    { class: "panel", key: "facts" },
    h("h3", null, "Market"),
    lines([
      ["Market cap", large(token.market_cap, currency)],
      ["24-hour volume", large(token.volume, currency)],
      ["24-hour high", money(token.high_24h)],
      ["24-hour low", money(token.low_24h)],
      ["All-time high", money(token.all_time_high)],
      [
        "Circulating supply",
        token.supply === null ? null : `${number(token.supply, { notation: "compact", maximumSignificantDigits: 4 })} ${token.symbol}`,
      ],
    ]),
  );
}

function holding(position, token, currency) {
  return h(
    "section",
    { class: "panel", key: "position" },
    h("h3", null, "You hold"),
    lines([
      ["Amount", `${amount(position.amount)} ${token.symbol}`],
      ["Value", sum(position.value, currency)],
      ["Paid", `${position.cost_by_close ? "~" : ""}${sum(position.cost, currency)}`],
      [
        "Gain",
        position.gain === null
          ? null
          : h(
              "span",
              { class: `change ${direction(position.gain)}` },
              sum(position.gain, currency, { isSigned: true }),
              position.gain_percent === null ? "" : ` (${percent(position.gain_percent, 1)})`,
            ),
      ],
    ]),
  );
}
