// Money and changes as people read them. Amounts are exact decimals as text; hub says how many digits a price is shown with.
import { locale } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";

const formats = new Map();

/**
 * @param {Intl.NumberFormatOptions} options
 * @returns {Intl.NumberFormat}
 */
function formatter(options) {
  const name = JSON.stringify(options);
  if (!formats.has(name)) formats.set(name, new Intl.NumberFormat(locale, options));
  return formats.get(name);
}

/**
 * Intl expects codes of ISO 4217, which have three letters; coins such as LINK have others.
 * @param {string | number} value
 * @param {string} currency
 * @param {Intl.NumberFormatOptions} options
 * @returns {string}
 */
function money(value, currency, options) {
  const code = currency.toUpperCase();
  if (code.length !== 3) return `${formatter(options).format(value)} ${code}`;
  return formatter({ style: "currency", currency: code, currencyDisplay: "narrowSymbol", ...options }).format(value);
}

/**
 * The digits of a currency's minor unit: none for the yen, and two for what Intl does not know.
 * @param {string} code
 * @returns {number}
 */
const minorDigits = (code) =>
  code.length === 3 ? (formatter({ style: "currency", currency: code.toUpperCase() }).resolvedOptions().maximumFractionDigits ?? 2) : 2;

/**
 * A price with so many digits after the point.
 * @param {Market.Decimal} value
 * @param {string} currency
 * @param {number} digits
 * @returns {string}
 */
export const price = (value, currency, digits) =>
  value === null
    ? "—"
    : money(value, currency, { minimumFractionDigits: Math.min(digits, minorDigits(currency)), maximumFractionDigits: digits });

/**
 * A sum of money as hub has rounded it.
 * @param {Market.Decimal} value
 * @param {string} currency
 * @param {{ isSigned?: boolean }} options
 * @returns {string}
 */
export function sum(value, currency, { isSigned = false } = {}) {
  if (value === null) return "—";
  const digits = value.split(".")[1]?.length ?? 0;
  return money(value, currency, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: isSigned ? "exceptZero" : "auto",
  });
}

/**
 * A large sum in few digits: $1.82T.
 * @param {Market.Decimal} value
 * @param {string} currency
 * @returns {string}
 */
export const large = (value, currency) =>
  value === null ? "—" : money(value, currency, { notation: "compact", minimumFractionDigits: 0, maximumSignificantDigits: 4 });

/**
 * A number of tokens with all its digits.
 * @param {string} value
 * @returns {string}
 */
export const amount = (value) => formatter({ maximumFractionDigits: 20 }).format(value);

/**
 * A value of a drawing, with as many digits as its size needs.
 * @param {number} value
 * @param {string} currency
 * @returns {string}
 */
export function drawn(value, currency) {
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 1 || size === 0 ? 2 : Math.min(3 - Math.floor(Math.log10(size)), 18);
  return money(value, currency, { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

/**
 * A value beside a drawing, in few letters.
 * @param {number} value
 * @param {string} currency
 * @returns {string}
 */
export const short = (value, currency) =>
  money(
    value,
    currency,
    Math.abs(value) >= 1e15
      ? { notation: "scientific", minimumFractionDigits: 0, maximumFractionDigits: 1 }
      : Math.abs(value) >= 1000
        ? { notation: "compact", minimumFractionDigits: 0, maximumFractionDigits: 2 }
        : { minimumFractionDigits: 0, maximumSignificantDigits: 4 },
  );

/**
 * A percentage with its sign.
 * @param {Market.Decimal | number} value
 * @param {number} [digits]
 * @returns {string}
 */
export const percent = (value, digits = 2) =>
  value === null
    ? "—"
    : formatter({ style: "percent", signDisplay: "exceptZero", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
        // As text it stays a decimal, and is rounded as one.
        typeof value === "number" ? value / 100 : `${value}e-2`,
      );

/**
 * Where a change points once it is rounded: up, down or flat.
 * @param {Market.Decimal | number} value
 * @param {number} [digits]
 * @returns {"up" | "down" | "flat"}
 */
export function direction(value, digits = 2) {
  const rounded = value === null ? 0 : Number(Number(value).toFixed(digits));
  return rounded > 0 ? "up" : rounded < 0 ? "down" : "flat";
}

/**
 * A change with a colour, and a shape that says the same.
 * @param {Market.Decimal} value
 * @param {number} [digits]
 * @returns {Hub.Description}
 */
export function change(value, digits = 2) {
  return h("span", { class: `change ${value === null ? "flat" : direction(value, digits)}` }, percent(value, digits));
}

/**
 * The drawing of seven days.
 * @param {number[]} levels
 * @param {Market.Decimal} value
 * @returns {Hub.Description | null}
 */
export function sparkline(levels, value) {
  if (levels.length < 2) return null;
  const path = levels.map((level, place) => `${place ? "L" : "M"}${place} ${((255 - level) / 255) * 20 + 2}`).join("");
  return h(
    "svg",
    { class: `spark ${direction(value)}`, viewBox: `0 0 ${levels.length - 1} 24`, preserveAspectRatio: "none", "aria-hidden": "true" },
    h("path", { d: path }),
  );
}
