// The page of the market: its views, its keys, and the way between them.
import { trashView } from "/assets/components/entitytrash.js";
import { ago } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { markView } from "/assets/page.js";
import { keyed, shortcuts } from "/assets/components/shortcuts.js";
import { drawAlerts, drawNewAlert } from "/market/alerts.js";
import { fetchPrices, hasRow, hideBoard, showBoard, startBoard, step, toggleCurrent } from "/market/board.js";
import { article, close, elsewhere, expectFocus, go, heading, onAddress, readAddress, refresh, show, state } from "/market/page.js";
import { drawPortfolio } from "/market/portfolio.js";
import { drawProviders } from "/market/providers.js";
import { drawToken } from "/market/token.js";
import { drawTrade } from "/market/trade.js";

// What was deleted leads to the view that it is missing from.
const drawTrash = () =>
  trashView({
    page: { show, heading, refresh, elsewhere },
    link: (_, { one }) => elsewhere({ view: one === "alert" ? "alerts" : "portfolio" }),
    row: (item, { one }) => [h("strong", null, item.name), h("span", { class: "hint" }, `${one}, deleted ${ago(item.deleted_at)}`)],
  });

const views = {
  portfolio: drawPortfolio,
  trade: drawTrade,
  alerts: drawAlerts,
  "new-alert": drawNewAlert,
  providers: drawProviders,
  trash: drawTrash,
};
const tabs = { trade: "portfolio", "new-alert": "alerts", providers: null, trash: null };

function draw() {
  const view = state.id === null && Object.hasOwn(views, state.view ?? "") ? state.view : null;
  markView(state.view && state.view in tabs ? tabs[state.view] : state.view);
  const isBoard = state.id === null && view === null;
  article.hidden = isBoard;
  if (isBoard) {
    close();
    showBoard();
  } else {
    hideBoard();
    (state.id !== null ? drawToken : views[view ?? ""])();
  }
}

const isBoard = () => article.hidden;
const isForm = () => Boolean(article.querySelector(".form")) && !article.hidden;
const isOutside = () => !isForm();
const to = (view) => () => {
  expectFocus();
  return go({ view });
};

async function goBack() {
  const query = document.querySelector("#query");
  if (document.activeElement === query) return step(0);
  if (!isBoard()) {
    if (history.length > 1) history.back();
    else await go({});
  }
}

shortcuts("Market", [
  {
    key: "f",
    words: "Filter tokens",
    act: () => /** @type {HTMLInputElement | null} */ (document.querySelector("#query"))?.select(),
    when: isBoard,
  },
  { key: "j", words: "Next token", act: () => step(1), when: isBoard },
  {
    key: "ArrowDown",
    words: "Next token",
    act: () => step(1),
    inFields: true,
    when: () => isBoard() && (hasRow() || document.activeElement?.id === "query"),
  },
  { key: "k", words: "Previous token", act: () => step(-1), when: isBoard },
  { key: "ArrowUp", words: "Previous token", act: () => step(-1), when: hasRow },
  { key: "w", words: "Add to or remove from favorites", act: toggleCurrent, when: hasRow },
  { key: "R", words: "Fetch prices now", act: () => fetchPrices({ force: true }), when: isBoard },
  { key: "t", words: "Tokens", act: to(null), when: isOutside },
  { key: "l", words: "Watchlists", act: to("lists"), when: isOutside },
  { key: "p", words: "Portfolio", act: to("portfolio"), when: isOutside },
  { key: "a", words: "Alerts", act: to("alerts"), when: isOutside },
  { key: "b", words: "New trade", act: to("trade"), when: isOutside },
  { key: "n", words: "New alert", act: to("new-alert"), when: isOutside },
  { key: "Escape", words: "Back", act: goBack, inFields: true, when: isOutside },
]);

for (const type of ["click", "popstate"]) {
  window.addEventListener(
    type,
    (event) => {
      if (type === "popstate" || event.target?.closest?.("a[href]")) expectFocus();
    },
    { capture: true },
  );
}

for (const [path, key] of [
  ["", "t"],
  ["lists", "l"],
  ["portfolio", "p"],
  ["alerts", "a"],
]) {
  const link = document.querySelector(`.views a[href="/market${path && `?view=${path}`}"]`);
  for (const [name, value] of Object.entries(keyed(key))) link?.setAttribute(name, value);
}

onAddress(draw);
document.addEventListener("hub-undone", refresh);
readAddress();
if (state.view !== null || state.id !== null) expectFocus();
draw();
startBoard().then(() => {
  if (isBoard()) showBoard();
});
