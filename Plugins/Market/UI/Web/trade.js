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

/** Shows the form of a new trade. */
export function drawTrade() {
  const price = numberField({ name: "price", label: "Price per token", isRequired: true });
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
  const back = state.token ? address({ view: null, id: state.token, token: null, kind: null }) : address({ view: "portfolio", kind: null });
  const form = makeForm({
    label: "New trade",
    words: "Save",
    values: { token: state.token ?? "", kind: state.kind ?? "buy", fee: "", day: todayText() },
    noun: "the trade",
    fields: [
      radioField({
        name: "kind",
        label: "What",
        value: "buy",
        options: [
          ["buy", "Bought"],
          ["sell", "Sold"],
        ],
      }),
      token,
      numberField({ name: "amount", label: "Amount", isRequired: true, hint: "Such as 0.5" }),
      price,
      numberField({ name: "fee", label: "Total fee" }),
      dateField({ name: "day", label: "Day" }),
      Object.assign(
        textField({ name: "currency", label: "Currency", hint: "Such as eur; leave empty for the currency in the settings." }),
        { isMore: true },
      ),
    ],
    save: (values) => sendJSON("POST", "/api/market/trades", { ...values, decimal_mark: decimalMark }),
    saved: ({ body, operation }) => {
      const money = (value) => priceWords(value, body.currency, value.split(".")[1]?.length ?? 0);
      const fee = Number(body.fee) > 0 ? `, fee ${money(body.fee)}` : "";
      const verb = body.kind === "buy" ? "Bought" : "Sold";
      tell(`${verb} ${amount(body.amount)} ${body.symbol} at ${money(body.price)}${fee}.`, { operation });
      return go({ view: "portfolio" }, { isSure: true });
    },
    cancel: () => history.back(),
  });
  showForm("New trade", form, back);
  token.look();
}
