// The form for new and existing contacts.
import { chipsField, dateField, textField } from "/assets/components/fields.js";
import { makeForm } from "/assets/components/form.js";
import { listed } from "/assets/components/format.js";
import { rowsField } from "/assets/components/rows.js";
import { tell } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { fieldWords, offered } from "/contacts/labels.js";
import { inUse, refreshList } from "/contacts/people.js";
import { article, go, guardLeaving, heading, show, state } from "/contacts/page.js";

// The last part of an address takes what there is more.
const split = (value) => {
  const texts = value.split(";").map((text) => text.trim());
  return [...texts.slice(0, 3), texts.slice(3).filter(Boolean).join(", ")];
};
const join = (texts) => {
  const words = texts.map((text) => text.replaceAll(";", ","));
  while (words.length && !words.at(-1)) words.pop();
  return words.join("; ");
};

const more = (field) => Object.assign(field, { isMore: true });
/**
 * @type {(name: string, addLabel: string, kinds: string[], input: { usual?: string, [attribute: string]: string | undefined }) =>
 * Hub.Field<Hub.Row[]>}
 */
const rows = (name, addLabel, kinds, { usual, ...input }) =>
  rowsField({ name, usual, label: fieldWords(name), addLabel, kinds: offered(kinds), parts: [{ label: fieldWords(name), ...input }] });

function makeFields() {
  return [
    textField({ name: "name", label: "Name", autocomplete: "off", autocapitalize: "words" }),
    textField({ name: "org", label: "Organization", hint: "With a department: Company; Department" }),
    rows("phone", "Add phone", ["mobile", "home", "work", "work fax"], { inputmode: "tel", usual: "mobile" }),
    rows("email", "Add e-mail", ["home", "work"], { inputmode: "email", spellcheck: "false" }),
    rowsField({
      name: "address",
      label: "Address",
      addLabel: "Add address",
      kinds: offered(["home", "work"]),
      split,
      join,
      parts: ["Street", "Postal code and town", "Region", "Country"].map((label) => ({ label })),
    }),
    dateField({ name: "birthday", label: "Birthday", isYearOptional: true }),
    chipsField({
      name: "tag",
      label: "Tags",
      hint: "Enter or a comma adds one.",
      offers: async () => inUse().tags?.map(({ tag }) => tag) ?? [],
    }),
    textField({ name: "note", label: "Note", isLong: true }),
    more(textField({ name: "nickname", label: "Nicknames", hint: "Separate them with commas." })),
    more(textField({ name: "title", label: "Title" })),
    more(textField({ name: "role", label: "Role" })),
    more(dateField({ name: "anniversary", label: "Anniversary", isYearOptional: true })),
    more(rows("url", "Add web page", ["home", "work"], { inputmode: "url", spellcheck: "false" })),
    more(rows("im", "Add messenger", ["jabber", "matrix", "signal", "skype", "telegram"], { inputmode: "email", spellcheck: "false" })),
    more(rows("date", "Add date", ["first met"], { placeholder: "2020-01-31" })),
    more(rows("relation", "Add relation", ["spouse", "partner", "child", "parent", "friend"], { autocapitalize: "words" })),
    more(textField({ name: "gender", label: "Gender", hint: "F, M, O, N or U, or in your own words." })),
    more(textField({ name: "pronouns", label: "Pronouns" })),
    more(textField({ name: "language", label: "Languages", hint: "Such as de, pt-BR.", autocapitalize: "none" })),
    more(rows("custom", "Add field", ["hobby"], {})),
  ];
}

/** The values of the fields, from the lines that hub sends. */
function valuesOf(fields, lines) {
  return Object.fromEntries(
    fields.map(({ name, isList }) => {
      const own = lines.filter((line) => line.field === name);
      if (name === "tag")
        return [
          name,
          own.flatMap(({ value }) =>
            value
              .split(",")
              .map((word) => word.trim())
              .filter(Boolean),
          ),
        ];
      return [name, isList ? own.map(({ kind, value }) => ({ kind, value })) : (own[0]?.value ?? "")];
    }),
  );
}

/** The lines that hub reads, from the values of the fields. */
function linesOf(values) {
  return Object.entries(values).flatMap(([field, value]) => {
    if (field === "tag") return value.length ? [{ field, kind: "", value: value.join(", ") }] : [];
    return (Array.isArray(value) ? value : [{ kind: "", value }]).filter((item) => item.value).map((item) => ({ field, ...item }));
  });
}

/**
 * hub names a line; a field counts its own values.
 * @param {Hub.Failure} error
 * @param {Contacts.Line[]} lines
 * @returns {never}
 */
function locate(error, lines) {
  for (const problem of error.problems ?? []) {
    const line = problem.index !== undefined && lines[problem.index];
    if (line) problem.index = lines.slice(0, problem.index).filter(({ field }) => field === line.field).length;
  }
  throw error;
}

let open = null;

/**
 * Whether a form is shown that is not saved yet.
 * @returns {boolean}
 */
export const isOpen = () => open?.isOpen() ?? false;

const read = (id) => getJSON("/api/contacts/" + encodeURIComponent(id));

/** Shows an empty form, or one with the contact of the address. */
export function drawForm() {
  const id = state.view === "edit" ? state.id : null;
  open = null;
  show({
    read: () => (id ? read(id) : { form: [], revision: null, name: "" }),
    draw: (contact) => {
      open ??= start(id, contact);
      return [heading(id ? `Edit ${contact.name}` : "New contact", { back: null, takesFocus: false }), open.element];
    },
  });
}

function start(id, contact) {
  const fields = makeFields();
  const form = makeForm({
    fields,
    values: valuesOf(fields, contact.form),
    revision: contact.revision,
    noun: "this contact",
    label: id ? "Contact" : "New contact",
    save: async (values, revision) => {
      const lines = linesOf(values);
      const sent = id
        ? sendJSON("PUT", "/api/contacts/" + encodeURIComponent(id), { form: lines }, { revision })
        : sendJSON("POST", "/api/contacts", { form: lines });
      return sent.catch((error) => locate(error, lines));
    },
    reload:
      id &&
      (async () => {
        const now = await read(id);
        return { values: valuesOf(fields, now.form), revision: now.revision };
      }),
    saved: async ({ body, operation }) => {
      tellSaved(id, body, operation);
      await go({ id: body.id }, { isSure: true });
      refreshList();
    },
    cancel: () => go({ id: state.id }),
  });
  guardLeaving(form.isDirty);
  queueMicrotask(() => {
    article.scrollTop = 0;
    form.focus();
  });
  return form;
}

function tellSaved(id, saved, operation) {
  if (id && !saved.changes.length) return tell(`${saved.name}: nothing changed.`);
  const fields = [...new Set(saved.changes.map((change) => fieldWords(change.split(" ")[0]).toLowerCase()))];
  const alike = saved.lookalikes.length
    ? ` ${listed(saved.lookalikes)} ${saved.lookalikes.length === 1 ? "has" : "have"} the same address or number.`
    : "";
  tell((id ? `${saved.name}: ${listed(fields)} changed.` : `${saved.name} added.`) + alike, { operation });
}
