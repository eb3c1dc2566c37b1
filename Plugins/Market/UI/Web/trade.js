// The form of a trade, and the field that names a token.
import { decimalMark, todayText, typedNumber } from "/assets/components/format.js";
import { dateField, newID, radioField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { create, h } from "/assets/components/patch.js";
import { tell } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { amount, price as priceWords } from "/market/money.js";
import { address, go, guardLeaving, heading, show, state } from "/market/page.js";

/**
 * A field for a token by name, symbol or id; `chosen(token)` is called with what is known of it.
 * @param {{ chosen?: (data: Market.TokenAnswer) => void }} options
 * @returns {Hub.Field<string> & { look: () => Promise<void> }}
 */
export function tokenField({ chosen = () => {} } = {}) {
  const id = newID("tokens");
  const field = textField({
    name: "token",
    label: "Token",
    hint: "Its name, symbol or id.",
    isRequired: true,
    list: id,
    spellcheck: "false",
  });
  const options = create(h("datalist", { id }));
  field.element.append(options);
  field.input().addEventListener("input", async () => {
    const words = field.input().value.trim();
    const hits = words ? await getJSON("/api/market/search?" + new URLSearchParams({ q: words })).catch(() => []) : [];
    if (field.input().value.trim() === words)
      options.replaceChildren(...hits.map((hit) => create(h("option", { value: hit.id }, `${hit.name} ${hit.symbol}`))));
  });
  const look = async () => {
    const words = field.read();
    const data = words ? await getJSON(`/api/market/tokens/${encodeURIComponent(words)}`).catch(() => null) : null;
    if (data && field.read() === words) chosen(data);
  };
  field.input().addEventListener("change", look);
  return Object.assign(field, { look });
}

/**
 * A field for a number; the server reads what was typed, with the decimal mark of the page.
 * @param {Hub.FieldProperties} properties
 * @returns {Hub.Field<string>}
 */
export const numberField = (properties) => textField({ inputmode: "decimal", spellcheck: "false", ...properties });

/**
 * Shows a form in a view of its own, with the way back to `back`.
 * @param {string} title
 * @param {Hub.Form} form
 * @param {string} back
 */
export function showForm(title, form, back) {
  guardLeaving(form.isDirty);
  show({ draw: () => [heading(title, { back }), form.element] });
  queueMicrotask(() => {
    if (document.activeElement === document.body || document.activeElement?.matches("h2, h1")) form.focus();
  });
}

const back = () =>
  state.token ? address({ view: null, id: state.token, token: null, kind: null }) : address({ view: "portfolio", kind: null, trade: null });

const kindField = () =>
  radioField({
    name: "kind",
    label: "What",
    value: "buy",
    options: [
      ["buy", "Bought"],
      ["sell", "Sold"],
    ],
  });

/** The fields of a trade from its amount on, with `price` among them. */
const rest = (price) => [
  numberField({ name: "amount", label: "Amount", isRequired: true, hint: "Such as 0.5" }),
  price,
  numberField({ name: "fee", label: "Total fee" }),
  dateField({ name: "day", label: "Day" }),
  Object.assign(textField({ name: "time", label: "Time", hint: "Such as 08:26. It orders the trades of a day." }), { isMore: true }),
  Object.assign(textField({ name: "currency", label: "Currency", hint: "Such as eur; leave empty for the currency in the settings." }), {
    isMore: true,
  }),
];

const priceField = () => numberField({ name: "price", label: "Price per token", isRequired: true });

/** Says what was stored, and goes back to the portfolio. */
function saved({ body, operation }) {
  const money = (value) => priceWords(value, body.currency, value.split(".")[1]?.length ?? 0);
  const fee = Number(body.fee) > 0 ? `, fee ${money(body.fee)}` : "";
  const verb = body.kind === "buy" ? "Bought" : "Sold";
  tell(`${verb} ${amount(body.amount)} ${body.symbol} at ${money(body.price)}${fee}.`, { operation });
  return go({ view: "portfolio", trade: null }, { isSure: true });
}

/** Shows the form of a new trade, or of the one in the address. */
export function drawTrade() {
  if (state.trade) return drawEdit(state.trade);
  const price = priceField();
  // A field never fills itself: what a person types meanwhile would be added to it.
  const use = price.element.appendChild(create(h("button", { type: "button", class: "offer", hidden: true })));
  const token = tokenField({
    chosen: ({ token: { price: now, digits }, currency }) => {
      use.hidden = !now;
      use.textContent = now ? `Use the current price, ${priceWords(now, currency, digits)}` : "";
      use.onclick = () => {
        price.write(typedNumber(now));
        price.focus?.();
      };
    },
  });
  const form = makeForm({
    label: "New trade",
    words: "Save",
    values: { token: state.token ?? "", kind: state.kind ?? "buy", fee: "", day: todayText() },
    noun: "the trade",
    fields: [kindField(), token, ...rest(price)],
    save: (values) => sendJSON("POST", "/api/market/trades", { ...values, decimal_mark: decimalMark }),
    saved,
    cancel: () => history.back(),
  });
  showForm("New trade", form, back());
  token.look();
}

async function drawEdit(id) {
  const url = `/api/market/trades/${encodeURIComponent(id)}`;
  const read = async () => {
    const trade = await getJSON(url);
    const { kind, date: day, time, currency, revision, symbol } = trade;
    const [amount, price, fee] = [trade.amount, trade.price, trade.fee].map(typedNumber);
    return { symbol, revision, values: { kind, amount, price, fee, day, time: time ?? "", currency } };
  };
  const { symbol, ...start } = await read();
  const form = makeForm({
    ...start,
    label: "Edit trade",
    words: "Save",
    noun: "the trade",
    fields: [kindField(), ...rest(priceField())],
    save: (values, revision) => sendJSON("PUT", url, { ...values, decimal_mark: decimalMark }, { revision }),
    reload: read,
    saved,
    cancel: () => history.back(),
  });
  showForm(`Trade of ${symbol}`, form, back());
}
