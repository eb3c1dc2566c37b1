// The sources of prices, with the age of what they gave and the calls that are left.
import { ago, counted, momentWords, number } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { address, heading, show } from "/market/page.js";

const names = { coingecko: "CoinGecko", coinpaprika: "CoinPaprika", "status-go": "status-go", demo: "Demo data" };

/** Shows the providers in the order in which they are asked. */
export function drawProviders() {
  const shown = show({
    topics: ["domain.market/price-changed", "gate.market/*"],
    read: (signal) => getJSON("/api/market/providers", { signal }),
    draw: (rows) => [
      heading("Sources of prices", { back: address({ view: null }) }),
      h(
        "p",
        { class: "hint", key: "order" },
        "The first one that responds is used; prices of two sources are never mixed. The order is the setting market.providers.",
      ),
      h(
        "ul",
        { class: "cards", key: "cards" },
        rows.map((row) => card(row, () => shown.refresh())),
      ),
    ],
  });
}

function card(row, refresh) {
  const name = names[row.provider] ?? row.provider;
  const isLimited = row.limited_until !== null;
  async function test(event) {
    const button = event.currentTarget;
    button.setAttribute("aria-busy", "true");
    try {
      const [{ state, detail }] = (await sendJSON("POST", `/api/market/providers/${row.provider}/test`)).body;
      tell(`${name}: ${state === "ok" ? "answers" : "fails"}, ${detail}.`, { isError: state !== "ok" });
    } catch (error) {
      tellError(error);
    } finally {
      button.removeAttribute("aria-busy");
      refresh();
    }
  }
  const facts = [
    [
      "Prices",
      row.fetched_at === null
        ? "Nothing fetched yet"
        : `${counted(row.tokens, "token")} in ${row.currency.toUpperCase()}, ${ago(row.fetched_at)}`,
    ],
    ["Calls left in this minute", row.calls_left_minute === null ? "No limit" : number(row.calls_left_minute)],
    ...(row.calls_month === null ? [] : [["Calls of this month", number(row.calls_month)]]),
    ...(isLimited ? [["No call before", momentWords(row.limited_until)]] : []),
  ];
  return h(
    "li",
    { class: "card", key: row.provider },
    h(
      "div",
      { class: "card-head" },
      h("h3", null, name),
      isLimited && h("span", { class: "badge" }, "Limited"),
      h("button", { type: "button", onclick: test }, "Test"),
    ),
    h(
      "dl",
      { class: "facts" },
      facts.map(([words, value]) => [h("dt", null, words), h("dd", null, value)]),
    ),
    h("p", { class: "hint" }, row.attribution),
  );
}
