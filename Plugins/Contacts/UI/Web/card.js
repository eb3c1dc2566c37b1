// A contact as a card: picture, name, what one can do, and all that is known of it in words.
import { avatar } from "/assets/components/avatar.js";
import { itemURL, nameOf, trashed } from "/assets/components/entities.js";
import { ago, counted, dayWords, listed, yearsSince } from "/assets/components/format.js";
import { icon, iconButton } from "/assets/components/icons.js";
import { itemLinks } from "/assets/components/links.js";
import { menuButton } from "/assets/components/menu.js";
import { h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { failed } from "/assets/components/states.js";
import { once, undoable } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";
import { hasConflict } from "/contacts/conflicts.js";
import { addressLines, capital, fieldWords, genderWords, kindWords, lineWords, linkOf } from "/contacts/labels.js";
import { contactEntity, inUse, isEmpty, list, photoOf, removing } from "/contacts/people.js";
import { choosePicture, removePicture } from "/contacts/photo.js";
import { addToGroup, moveSelected, saveFile } from "/contacts/selection.js";
import { firstSteps } from "/contacts/importing.js";
import { address, elsewhere, go, nothingChosen, redraw, show, state, takeFocus } from "/contacts/page.js";

const pictures = {
  phone: "phone",
  email: "mail",
  address: "map",
  url: "globe",
  im: "message",
  birthday: "cake",
  anniversary: "heart",
  date: "clock",
  gender: "person",
  pronouns: "person",
  language: "globe",
  custom: "info",
  org: "building",
  title: "person",
  role: "person",
  nickname: "person",
  note: "note",
};
// What is at the head of the card, or at its end.
const apart = new Set(["name", "tag", "org", "title", "role"]);
let shown = null;

/**
 * The contact that is shown, or null.
 * @returns {Contacts.Contact | null}
 */
export const openContact = () => shown;

/** Shows the contact of the address, or what to do when there is none. */
export function drawCard() {
  shown = null;
  if (state.id === null) return show({ draw: () => nothingChosen(isEmpty(), firstSteps()) });
  const { id } = state;
  return show({
    topics: ["domain.contacts/*"],
    read: (signal) => getJSON("/api/contacts/" + encodeURIComponent(id), { signal }),
    draw: (contact) => {
      shown = contact;
      document.title = `${contact.name || "(no name)"} · Contacts`;
      return h(
        "div",
        { class: "contact", key: contact.id },
        head(contact),
        contact.deleted_at
          ? trashed(contactEntity, contact, {
              more:
                contact.merged_into &&
                h("p", null, h("a", { href: address({ id: contact.merged_into }) }, "It was merged into another contact.")),
            })
          : actions(contact),
        conflictMark(contact),
        panel("How to reach", lines(contact, ["phone", "email", "im", "url", "address"])),
        panel("Dates", lines(contact, ["birthday", "anniversary", "date"])),
        members(contact),
        panel("People", linked(contact)),
        panel("About", lines(contact, ["nickname", "pronouns", "gender", "language", "note", "custom"])),
        others(contact),
        !contact.deleted_at && elsewhereNamed(contact.id, contact.revision),
        foot(contact),
      );
    },
    onError: (error) => (error.status === 404 ? gone() : failed(error, drawCard)),
  });
}

/** Notes, memos and tasks that name the contact. */
const elsewhereNamed = itemLinks("contacts", () => redraw());

const gone = () =>
  h(
    "div",
    { class: "state", key: "state" },
    icon("person", { size: "large" }),
    h("p", { class: "state-title" }, "This contact no longer exists."),
    h(
      "div",
      { class: "actions" },
      h("a", { class: "button", href: elsewhere() }, "All contacts"),
      h("a", { class: "button", href: address({ id: null, view: "trash" }) }, "Trash"),
    ),
  );

function head(contact) {
  const work = [contact.title, ...(contact.organization ?? [])].filter(Boolean);
  const picture = h(
    "button",
    {
      type: "button",
      class: "picture",
      "aria-label": contact.photo ? "Change picture" : "Set picture",
      title: contact.photo ? "Change picture" : "Set picture",
      disabled: Boolean(contact.deleted_at),
      onclick: () => choosePicture(contact),
    },
    avatar(contact.name, { photo: photoOf(contact), size: "large", sign: sign(contact) }),
    h("span", { class: "sign" }, icon("camera")),
  );
  return h(
    "header",
    { class: "contact-head" },
    h("a", { class: "icon-button back", href: elsewhere(), "aria-label": "All contacts", title: "All contacts" }, icon("back")),
    picture,
    h(
      "div",
      { class: "who" },
      h("h2", { tabindex: "-1", dir: "auto", key: contact.id, created: (element) => takeFocus(element) }, contact.name || "(no name)"),
      work.length > 0 && h("p", { class: "work" }, work.join(" · ")),
      contact.tags.length > 0 &&
        h(
          "ul",
          { class: "chips", "aria-label": "Tags" },
          contact.tags.map((tag) =>
            h("li", null, h("a", { class: "chip", href: address({ id: null, view: null, tag, book: "", q: "" }) }, tag)),
          ),
        ),
    ),
    !contact.deleted_at &&
      h(
        "div",
        { class: "head-actions" },
        h("a", { class: "button", href: address({ view: "edit" }), ...keyed("e") }, icon("edit"), h("span", null, "Edit")),
        menuButton({ label: "More actions", items: () => menu(contact) }),
      ),
  );
}

const sign = (contact) =>
  contact.kind === "group" ? icon("people", { size: "large" }) : contact.kind === "org" ? icon("building", { size: "large" }) : null;

function menu(contact) {
  /** @type {(Hub.MenuItem | null | false)[]} */
  const items = [
    { words: contact.photo ? "Change picture…" : "Set picture…", picture: "camera", act: () => choosePicture(contact) },
    Boolean(contact.photo) && { words: "Remove picture", picture: "close", act: () => removePicture(contact) },
    contact.kind !== "group" && {
      words: "Add to a group…",
      picture: "people",
      act: () => addToGroup([contact.id], inUse().groups ?? []),
    },
    inUse().books?.length > 0 && { words: "Move to a book…", picture: "book", act: () => moveSelected([contact.id], inUse().books) },
    { words: "Save as vCard", picture: "download", act: () => saveFile([contact.id], "vcard", "vcf", contact.name) },
    { words: "History", picture: "clock", act: () => go({ id: contact.id, view: "history" }) },
    null,
    { words: "Delete", picture: "trash", isDanger: true, act: () => remove(contact.id) },
  ];
  return /** @type {Hub.MenuItems} */ (items.filter((item) => item !== false));
}

// The first of each kind is one press away.
function actions(contact) {
  const first = (field) => contact.form.find((line) => line.field === field)?.value;
  const [phone, email, place] = ["phone", "email", "address"].map(first);
  const everybody = contact.linked
    .filter(isMember)
    .map((member) => member.email ?? (/^mailto:/.test(member.name) ? plainName(member.name) : null))
    .filter(Boolean);
  const action = (words, picture, href, properties = {}) =>
    href && h("a", { class: "round-action", href, ...properties }, h("span", { class: "round" }, icon(picture)), words);
  const found = [
    action("Call", "phone", phone && linkOf("phone", phone)),
    action("Message", "message", phone && "sms:" + phone.replace(/[^\d+]/g, "")),
    action("E-mail", "mail", email && linkOf("email", email)),
    action("E-mail all", "mail", everybody.length > 0 && `mailto:${everybody.map((one) => linkOf("email", one)?.slice(7)).join(",")}`),
    action("Map", "map", place && linkOf("address", place), { target: "_blank", rel: "noreferrer" }),
  ].filter(Boolean);
  return found.length > 0 && h("nav", { class: "round-actions", "aria-label": "Reach" }, found);
}

function conflictMark(contact) {
  return (
    hasConflict(contact.id) &&
    h(
      "p",
      { class: "callout", key: "conflict" },
      "Changed in two places in different ways. ",
      h("a", { href: address({ id: null, view: "conflicts" }) }, "Choose between both versions"),
    )
  );
}

const panel = (words, content) =>
  content.length > 0 && h("section", { class: "panel", key: words, "aria-label": words }, h("dl", { class: "lines" }, content));

function line(picture, words, value, action, key) {
  return h(
    "div",
    { class: "line", key },
    h("dt", null, icon(picture), words),
    h("dd", null, value),
    action && h("dd", { class: "line-actions" }, action),
  );
}

function lines(contact, fields) {
  return fields.flatMap((field) =>
    contact.form
      .filter((entry) => entry.field === field && !apart.has(field) && !isForeign(entry))
      .map((entry, place) => line(pictures[field], lineWords(field, entry.kind), valueOf(entry), copyButton(entry), `${field} ${place}`)),
  );
}

// A property of other programs, which says little to a person.
const isForeign = ({ field, kind }) => field === "custom" && /^x-/i.test(kind);

function valueOf({ field, value }) {
  if (field === "birthday" || field === "anniversary" || field === "date") {
    const years = yearsSince(value);
    const age = field === "birthday" ? years !== null && years < 130 && ` (${years} years old)` : years !== null && ` (${years} years)`;
    return [dayWords(value), age];
  }
  if (field === "note") return links(value);
  if (field === "gender") return genderWords(value);
  const words = field === "address" ? addressLines(value).join("\n") : shortened(field, value);
  const href = linkOf(field, value);
  return href ? h("a", { href, ...(/^https?:/.test(href) ? { target: "_blank", rel: "noreferrer" } : {}) }, words) : words;
}

// A scheme says nothing to a person; where the link leads and what is copied has it.
function shortened(field, value) {
  if (field !== "url" && field !== "im") return value;
  return value.replace(/^(https?:\/\/|(xmpp|sips?|skype|irc|tg|matrix):)(?=.)/i, "").replace(/(?<=[^/])\/$/, "");
}

// Web addresses in a text are links.
const links = (text) =>
  text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
    .map((part, place) => (place % 2 ? h("a", { href: part, target: "_blank", rel: "noreferrer" }, part) : part));

function copyButton({ field, value }) {
  if (!["phone", "email", "address", "im", "url"].includes(field)) return null;
  const words = field === "address" ? addressLines(value).join(", ") : value;
  return iconButton("copy", `Copy ${words}`, async (event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    await navigator.clipboard.writeText(words);
    button.title = "Copied";
  });
}

const isMember = ({ role }) => role === "member";
const plainName = (name) => name.replace(/^mailto:/, "");

// Whom a group has, as a list of people.
function members(contact) {
  const found = contact.linked.filter(isMember);
  if (contact.kind !== "group") return null;
  return h(
    "section",
    { class: "panel group-members", key: "members" },
    h("h3", null, counted(found.length, "member")),
    h(
      "ul",
      { class: "plain-list" },
      found.map(({ name, id, photo }, place) => {
        const words = [avatar(plainName(name), { photo: id && photoOf({ id, photo }), size: "small" }), h("span", null, plainName(name))];
        return h(
          "li",
          { key: id ?? place },
          id ? h("a", { href: address({ id }) }, words) : h("span", { class: "unknown" }, words),
          id && !contact.deleted_at && iconButton("close", `Remove ${plainName(name)} from the group`, () => leave(contact, id, name)),
        );
      }),
    ),
    h("p", { class: "hint" }, "To add members, select them in the list."),
  );
}

const leave = (group, id, name) =>
  once(`leave ${group.id} ${id}`, () =>
    undoable("POST", "/api/contacts/groups/remove", { ids: [id], group: group.id }, `${name} removed from ${group.name}.`),
  );

function linked(contact) {
  return contact.linked
    .filter((one) => !isMember(one))
    .map(({ role, kind, name, id }, place) =>
      line(
        "people",
        kindWords(kind || "relation"),
        id ? h("a", { href: address({ id }) }, name) : plainName(name),
        null,
        `${role} ${place}`,
      ),
    );
}

// What hub has no field for, as it is in the card.
function others(contact) {
  const foreign = contact.form.filter(isForeign).map(({ kind, value }) => ({ words: fieldWords(kind), value }));
  const found = [
    ...foreign,
    ...contact.others.map(({ name, kind, value }) => ({
      words: [fieldWords(name), kind && `(${kindWords(kind)})`].filter(Boolean).join(" "),
      value,
    })),
  ];
  if (!found.length) return null;
  return h(
    "details",
    { class: "panel more", key: "others" },
    h("summary", null, `Other fields (${found.length})`),
    h(
      "dl",
      { class: "lines" },
      found.map(({ words, value }, place) => line("info", words, value, null, place)),
    ),
  );
}

function foot(contact) {
  const book = contact.book && inUse().books?.find(({ id }) => id === contact.book)?.book;
  return h(
    "footer",
    { class: "contact-foot" },
    h(
      "p",
      null,
      listed(
        [book && `In ${book}`, `changed ${ago(contact.changed_at)}`, `created ${ago(contact.created_at)}`].filter(Boolean),
        "unit",
      ).replace(/^./, capital),
      ". ",
      h("a", { href: address({ view: "history" }) }, "History"),
    ),
  );
}

/**
 * Moves a contact to the trash at once; the next of the list takes its place.
 * @param {string} id
 * @returns {Promise<void>}
 */
export const remove = (id) =>
  once(`delete ${id}`, async () => {
    const seen = shown?.id === id ? shown : list.itemOf(id);
    const showNext = removing(id);
    const revision = shown?.id === id ? shown.revision : null;
    const words = `${seen ? nameOf(seen) : "The contact"} moved to the trash.`;
    if ((await undoable("DELETE", itemURL(contactEntity, id), {}, words, { revision })) === null) return drawCard();
    await showNext();
  });
