// The words for fields and kinds, as people write them.
/** @type {Record<string, string>} */
const fields = {
  phone: "Phone",
  email: "E-mail",
  address: "Address",
  birthday: "Birthday",
  anniversary: "Anniversary",
  org: "Organization",
  tag: "Tags",
  note: "Note",
  nickname: "Nickname",
  title: "Title",
  role: "Role",
  url: "Web page",
  im: "Messenger",
  date: "Date",
  gender: "Gender",
  pronouns: "Pronouns",
  language: "Languages",
  custom: "Field",
  relation: "Relation",
  member: "Member",
  name: "Name",
};
/** @type {Record<string, string>} */
const kinds = {
  mobile: "Mobile",
  cell: "Mobile",
  home: "Home",
  work: "Work",
  "work fax": "Work fax",
  "home fax": "Home fax",
  fax: "Fax",
  pager: "Pager",
  main: "Main",
  other: "Other",
};

/**
 * @param {string} text
 * @returns {string}
 */
export const capital = (text) => (text ? text[0].toLocaleUpperCase() + text.slice(1) : text);

/**
 * A kind as a word: Mobile.
 * @param {string} kind
 * @returns {string}
 */
export const kindWords = (kind) => kinds[kind.toLowerCase()] ?? capital(kind);

/**
 * A field as a word: Organization.
 * @param {string} field
 * @returns {string}
 */
export const fieldWords = (field) => fields[field] ?? capital(field.replace(/^x-/i, "").replaceAll("-", " ").toLowerCase());

/**
 * A field with its kind: Work phone. A kind that says it all stands alone: Mobile, Work fax, Jabber.
 * @param {string} field
 * @param {string | null} kind
 * @returns {string}
 */
export function lineWords(field, kind) {
  const words = fieldWords(field);
  if (!kind) return words;
  const known = kind.toLowerCase();
  if (field === "phone" && /mobile|cell|fax|pager/.test(known)) return kindWords(kind);
  // The name of the service says it all.
  if (field === "im" && !(known in kinds)) return kindWords(kind);
  // The label says it all.
  if (["relation", "date", "custom"].includes(field)) return kindWords(kind);
  return `${kindWords(kind)} ${field === "email" || !/^[A-Z]{2}/.test(words) ? words.toLowerCase() : words}`;
}

/**
 * A field with its kind, as the history names them: `phone work` is Work phone.
 * @param {string} name
 * @returns {string}
 */
export function namedField(name) {
  const [field, ...kind] = name.split(" ");
  return lineWords(field, kind.join(" ") || null);
}

/** @type {Record<string, string>} */
const genders = { F: "Female", M: "Male", O: "Other", N: "Not applicable", U: "Unknown" };

/**
 * A gender in words: the letter of the card as a word, and the person's own words after it.
 * @param {string} value as the standard writes it: F, or O; fluid
 * @returns {string}
 */
export function genderWords(value) {
  const [letter, ...rest] = value.split(";").map((part) => part.trim());
  return [genders[letter.toUpperCase()] ?? letter, rest.join("; ")].filter(Boolean).join(", ");
}

/**
 * The kinds that are offered for a field, as pairs of value and words.
 * @param {string[]} names
 * @returns {Hub.Option[]}
 */
export const offered = (names) => names.map((name) => [name, kindWords(name)]);

/**
 * The lines of an address: its parts are separated by semicolons.
 * @param {string} value
 * @returns {string[]}
 */
export const addressLines = (value) =>
  value
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * Where a value leads: a phone, a mail program, a web page, a messenger, a map; null for nowhere.
 * @param {string} field
 * @param {string} value
 * @returns {string | null}
 */
export function linkOf(field, value) {
  if (field === "phone") return "tel:" + value.replace(/[^\d+]/g, "");
  if (field === "email") return "mailto:" + encodeURIComponent(value).replaceAll("%40", "@");
  if (field === "url") return /^https?:\/\//i.test(value) ? value : /^[\w-]+(\.[\w-]+)+(\/|$)/.test(value) ? "https://" + value : null;
  if (field === "im") return /^(xmpp|sip|sips|irc|matrix|skype|tg|https?):/i.test(value) ? value : null;
  if (field === "address") return "https://www.openstreetmap.org/search?" + new URLSearchParams({ query: addressLines(value).join(", ") });
  return null;
}
