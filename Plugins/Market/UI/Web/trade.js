// The form of an entry of the ledger, its words, and the field that names a token.
import { decimalMark, todayText, typedNumber } from "/assets/components/format.js";
import { checkField, chipsField, dateField, newID, selectField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { create, h } from "/assets/components/patch.js";
import { tell } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { amount, price as priceWords } from "/market/money.js";
import { address, go, guardLeaving, heading, show, state } from "/market/page.js";

/**
 * A field for a token by name, symbol or id; `chosen(token)` is called with what is known of it.
 * @param {{ name?: string, label?: string, chosen?: (data: Market.TokenAnswer) => void }} options
 * @returns {Hub.Field<string> & { look: () => Promise<void> }}
 */
export function tokenField({ name = "token", label = "Token", chosen = () => {} } = {}) {
  const id = newID("tokens");
  const field = textField({
    name,
    label,
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

/** The kinds of entries, with the word that a choice and a sentence has for each. */
const kinds = [
  ["buy", "Bought"],
  ["sell", "Sold"],
  ["swap", "Swapped"],
  ["transfer", "Moved"],
  ["income", "Received as income"],
  ["gift-received", "Received as a gift"],
  ["gift-given", "Gave as a gift"],
  ["loss", "Lost"],
  ["fee", "Paid as a fee"],
];

/** The sources of an income. */
const sources = [
  ["staking", "Staking"],
  ["airdrop", "Airdrop"],
  ["interest", "Interest"],
  ["mining", "Mining"],
  ["other", "Other"],
];

/** A price with all its digits. */
const money = (value, currency) => priceWords(value, currency, value.split(".")[1]?.length ?? 0);

/**
 * An entry of the ledger in words: "Bought 0.5 BTC", "Swapped 1 ETH for 0.05 BTC".
 * @param {Market.Entry} entry
 * @returns {string}
 */
export function entryName(entry) {
  const source = entry.income && entry.income !== "other" ? ` (${entry.income})` : "";
  const verb = (kinds.find(([kind]) => kind === entry.kind)?.[1] ?? entry.kind) + source;
  const other = entry.received_amount ? ` for ${amount(entry.received_amount)} ${entry.received_symbol ?? ""}` : "";
  return `${verb}: ${amount(entry.amount)} ${entry.symbol}${other}`.replace(/^(Bought|Sold|Swapped|Moved|Lost):/, "$1");
}

/**
 * What an entry was worth and what it cost in fees, in words; empty if there is nothing to say.
 * @param {Market.Entry} entry
 * @returns {string[]}
 */
export function entryValue(entry) {
  const fee = entry.fee_amount
    ? `fee ${amount(entry.fee_amount)} ${entry.fee_symbol ?? ""}`
    : Number(entry.fee) > 0 && `fee ${money(entry.fee, entry.currency)}`;
  const isUnknown = !entry.total && ["buy", "sell", "swap", "income", "gift-received", "fee"].includes(entry.kind);
  const value = entry.price
    ? `at ${money(entry.price, entry.currency)}`
    : entry.total
      ? `for ${money(entry.total, entry.currency)} in all`
      : isUnknown && (entry.kind === "buy" || entry.kind === "sell" ? "price not known" : "no value of its own");
  return [value, fee].flatMap((words) => words || []);
}

/** The fields of an entry, each with the kinds that have it; without kinds, all of them. */
function parts({ token, price, isNew }) {
  const more = (field) => Object.assign(field, { isMore: true });
  const all = kinds.map(([kind]) => kind);
  const valued = all.filter((kind) => kind !== "transfer" && kind !== "loss");
  const priced = valued.filter((kind) => kind !== "buy" && kind !== "sell");
  const received = isNew && tokenField({ name: "received_token", label: "Token received" });
  return [
    { field: selectField({ name: "kind", label: "What", value: "buy", options: kinds }) },
    { field: token },
    { field: numberField({ name: "amount", label: "Amount", isRequired: true, hint: "Such as 0.5" }) },
    { field: received, kinds: ["swap"] },
    { field: numberField({ name: "received_amount", label: "Amount received", isRequired: true }), kinds: ["swap"] },
    { field: selectField({ name: "income", label: "Source", value: "staking", options: sources }), kinds: ["income"] },
    { field: price, kinds: valued },
    { field: numberField({ name: "fee", label: "Total fee" }), kinds: all.filter((kind) => kind !== "fee") },
    { field: dateField({ name: "day", label: "Day" }) },
    { field: textField({ name: "place", label: "Place", hint: "The wallet or exchange; of a transfer, where it began." }) },
    { field: textField({ name: "destination", label: "To", hint: "The wallet or exchange where it ended." }), kinds: ["transfer"] },
    { field: more(numberField({ name: "total", label: "Value of all", hint: "Instead of the price per token." })), kinds: valued },
    {
      field: isNew && more(checkField({ name: "unknown_price", label: "The price is not known", hint: "Its gain is not known either." })),
      kinds: valued.filter((kind) => !priced.includes(kind)),
    },
    { field: more(textField({ name: "fee_token", label: "Coin of the fee", hint: "Empty if the fee is money." })) },
    { field: more(numberField({ name: "fee_value", label: "Value of the fee", hint: "What a fee in a coin was worth." })) },
    { field: more(textField({ name: "time", label: "Time", hint: "Such as 08:26. It orders the entries of a day." })) },
    {
      field: more(textField({ name: "currency", label: "Currency", hint: "Such as eur; leave empty for the currency in the settings." })),
    },
    { field: more(textField({ name: "portfolio", label: "Portfolio" })) },
    { field: more(textField({ name: "note", label: "Note", isLong: true })) },
    { field: more(chipsField({ name: "tags", label: "Tags", offers: () => tagsInUse() })) },
  ].filter(({ field }) => field);
}

const tagsInUse = async () => (await getJSON("/api/market/trades/tags")).map(({ tag }) => tag);

/**
 * Shows the fields that the chosen kind has, and returns what is to be sent: a field out of sight has no value.
 * @param {{ field: Hub.Field, kinds?: string[] }[]} all
 * @returns {(values: Record<string, any>) => Record<string, any>}
 */
function followKind(all) {
  const kind = all[0].field;
  const isShown = (part) => !part.kinds || part.kinds.includes(kind.read());
  const draw = () => {
    for (const part of all) part.field.element.hidden = !isShown(part);
  };
  kind.input().addEventListener("change", draw);
  draw();
  return (values) => {
    const sent = all.filter(isShown).map(({ field }) => field.name);
    return { ...Object.fromEntries(Object.entries(values).filter(([name]) => sent.includes(name))), decimal_mark: decimalMark };
  };
}

const priceField = () => numberField({ name: "price", label: "Price per token" });

/** Says what was stored, and goes back to the portfolio. */
function saved({ body, operation }) {
  tell(
    `${[`${entryName(body)}${body.price ? ` ${entryValue(body)[0]}` : ""}`, ...entryValue(body).slice(body.price ? 1 : 0)].join(", ")}.`,
    {
      operation,
    },
  );
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
        price.write(typedNumber(now ?? ""));
        price.focus?.();
      };
    },
  });
  const all = parts({ token, price, isNew: true });
  const form = makeForm({
    label: "New entry",
    words: "Save",
    values: { token: state.token ?? "", kind: state.kind ?? "buy", fee: "", day: todayText() },
    noun: "the entry",
    fields: all.map(({ field }) => field),
    save: (values) => sendJSON("POST", "/api/market/trades", sent(values)),
    saved,
    cancel: () => history.back(),
  });
  const sent = followKind(all);
  showForm("New entry", form, back());
  token.look();
}

async function drawEdit(id) {
  const url = `/api/market/trades/${encodeURIComponent(id)}`;
  const read = async () => {
    const entry = await getJSON(url);
    const { kind, date: day, currency, revision, symbol } = entry;
    const texts = ["time", "income", "place", "destination", "portfolio", "note"].map((name) => [name, entry[name] ?? ""]);
    const numbers = [
      ["amount", entry.amount],
      ["price", entry.price],
      // The total of a price per token follows from it.
      ["total", entry.price ? null : entry.total],
      ["received_amount", entry.received_amount],
      ["fee", entry.fee_amount ?? entry.fee],
      ["fee_value", entry.fee_value],
    ].map(([name, number]) => [name, number ? typedNumber(number) : ""]);
    const more = {
      kind,
      day,
      currency,
      fee_token: entry.fee_token ?? "",
      received_token: entry.received_token ?? "",
      tags: entry.tags ?? [],
    };
    return { symbol, revision, values: { ...more, ...Object.fromEntries([...texts, ...numbers]) } };
  };
  const { symbol, ...start } = await read();
  const all = parts({ token: null, price: priceField(), isNew: false });
  const form = makeForm({
    ...start,
    label: "Edit entry",
    words: "Save",
    noun: "the entry",
    fields: all.map(({ field }) => field),
    save: (values, revision) =>
      sendJSON("PUT", url, { ...sent(values), received_token: start.values.received_token || undefined }, { revision }),
    reload: read,
    saved,
    cancel: () => history.back(),
  });
  const sent = followKind(all);
  showForm(`Entry of ${symbol}`, form, back());
}
