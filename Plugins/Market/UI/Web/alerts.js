// Price alerts: those that are there, and the form of a new one.
import { avatar } from "/assets/components/avatar.js";
import { ago, decimalMark } from "/assets/components/format.js";
import { selectField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { icon } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { empty } from "/assets/components/states.js";
import { tell, undoable } from "/assets/components/undoable.js";
import { getAll, sendJSON } from "/assets/hub.js";
import { numberField, showForm, tokenField } from "/market/trade.js";
import { percent, price } from "/market/money.js";
import { address, go, heading, show, state, trashLink } from "/market/page.js";

const periods = [
  ["1h", "1 hour"],
  ["4h", "4 hours"],
  ["1d", "1 day"],
  ["7d", "7 days"],
  ["30d", "30 days"],
];
const states = { waiting: "Waiting", raised: "Raised", off: "Off" };

/** Shows the alerts. */
export function drawAlerts() {
  show({
    topics: ["domain.market/*", "app.market/*"],
    read: (signal) => getAll("/api/market/alerts", { signal }),
    draw: (alerts) => [
      heading("Alerts", { actions: [trashLink(), alerts.length > 0 && add()] }),
      alerts.length
        ? h("ul", { class: "cards alerts", key: "alerts" }, alerts.map(card))
        : empty("No alerts", {
            picture: "alarm",
            words: "An alert shows a notification when a price crosses a bound, or changes quickly.",
            actions: [add()],
          }),
    ],
  });
}

const add = () =>
  h(
    "a",
    { class: "button main", href: address({ view: "new-alert", id: null, list: null }), ...keyed("n") },
    icon("add"),
    h("span", null, "New alert"),
  );

/**
 * What an alert waits for, in words.
 * @param {Pick<Market.Alert, "symbol" | "kind" | "value" | "seconds" | "currency">} alert
 * @returns {string}
 */
export function words({ symbol, kind, value, seconds, currency }) {
  const bound = () => price(value, currency, value.split(".")[1]?.length ?? 0);
  if (kind === "above") return `${symbol} rises above ${bound()}`;
  if (kind === "below") return `${symbol} falls below ${bound()}`;
  const [count, unit] =
    seconds % 86_400 === 0
      ? [seconds / 86_400, "day"]
      : seconds % 3600 === 0
        ? [seconds / 3600, "hour"]
        : [Math.round(seconds / 60), "minute"];
  const size = percent(value.replace("-", ""), value.split(".")[1]?.length ?? 0).replace("+", "");
  return `${symbol} ${value.startsWith("-") ? "falls" : "rises"} by ${size} in ${count} ${unit}${count === 1 ? "" : "s"}`;
}

function card(alert) {
  const { id, state: now } = alert;
  const about = [
    alert.last_price !== null && `last seen at ${price(alert.last_price, alert.currency, alert.digits)}`,
    alert.raised_at && `raised ${ago(alert.raised_at)}`,
    alert.command && `runs ${alert.command}`,
  ];
  return h(
    "li",
    { class: "card alert", key: id },
    avatar(alert.symbol),
    h(
      "div",
      { class: "words" },
      h("a", { href: address({ id: alert.token, view: null }) }, words(alert)),
      h("p", { class: "hint" }, about.filter(Boolean).join(" · ") || "No price seen yet"),
    ),
    h("span", { class: `badge state-${now}` }, states[now]),
    menuButton({
      label: `${words(alert)}: more`,
      items: () => [
        now === "off"
          ? {
              words: "Turn on",
              picture: "play",
              act: () => undoable("PUT", `/api/market/alerts/${id}`, { enabled: true }, "The alert is on."),
            }
          : {
              words: "Turn off",
              picture: "pause",
              act: () => undoable("PUT", `/api/market/alerts/${id}`, { enabled: false }, "The alert is off."),
            },
        {
          words: "Test the notification",
          picture: "message",
          act: () =>
            sendJSON("POST", `/api/market/alerts/${id}/test`).then(
              () => tell("A test notification is sent."),
              (error) => tell(error.message, { isError: true }),
            ),
        },
        null,
        {
          words: "Delete",
          picture: "trash",
          isDanger: true,
          act: () => undoable("DELETE", `/api/market/alerts/${id}`, {}, "The alert moved to the trash."),
        },
      ],
    }),
  );
}

/** Shows the form of a new alert. */
export function drawNewAlert() {
  const value = numberField({ name: "value", label: "Price", isRequired: true });
  const token = tokenField({
    chosen: ({ token: { price: now, digits }, currency }) => {
      hint(now ? `Now ${price(now, currency, digits)}` : "");
    },
  });
  const kind = selectField({
    name: "kind",
    label: "When",
    value: "above",
    options: [
      ["above", "It rises above a price"],
      ["below", "It falls below a price"],
      ["change", "It changes by a percentage"],
    ],
  });
  const period = selectField({ name: "period", label: "Within", value: "1d", options: periods });
  const note = value.element.appendChild(Object.assign(document.createElement("p"), { className: "hint" }));
  const hint = (text) => {
    note.textContent = kind.read() === "change" ? "Such as -5 for a fall, or 10 for a rise." : text;
  };
  const follow = () => {
    const isChange = kind.read() === "change";
    /** @type {Text} */ (value.element.querySelector("label")?.firstChild).data = isChange ? "Percent" : "Price";
    hint("");
    period.element.hidden = !isChange;
    token.look();
  };
  kind.input().addEventListener("change", follow);
  const form = makeForm({
    label: "New alert",
    words: "Save",
    values: { token: state.token ?? "" },
    fields: [token, kind, value, period],
    noun: "the alert",
    save: (values) => sendJSON("POST", "/api/market/alerts", { ...values, decimal_mark: decimalMark }),
    saved: ({ body, operation }) => {
      tell(`${body.name} is new.`, { operation });
      return go({ view: "alerts" }, { isSure: true });
    },
    cancel: () => history.back(),
  });
  follow();
  showForm("New alert", form, state.token ? address({ view: null, id: state.token, token: null }) : address({ view: "alerts" }));
}
