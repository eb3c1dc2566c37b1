// The entities of the plugin whose page this is, as hub describes them, and what is done with their items.
import { chipsField } from "/assets/components/fields.js";
import { counted, dayWords, momentWords, number } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { answered } from "/assets/components/questions.js";
import { undoable } from "/assets/components/undoable.js";

/**
 * The entities of the plugin, the one that its page is about first.
 * @type {Hub.Entity[]}
 */
export const entities = JSON.parse(document.body.dataset.entities ?? "[]");

/**
 * The plugin whose page this is.
 * @type {string}
 */
export const plugin = document.body.dataset.place ?? "";

/**
 * The address of a route of an item.
 * @param {Hub.Entity} entity
 * @param {string} id
 * @param {string} [rest]
 * @returns {string}
 */
export const itemURL = ({ path }, id, rest = "") => `${path}/${encodeURIComponent(id)}${rest}`;

/**
 * The name of an item, or words for none.
 * @param {{ name?: string }} item
 * @returns {string}
 */
export const nameOf = ({ name }) => name || "(no name)";

/**
 * A count with the noun of an entity: 3 contacts.
 * @param {Hub.Entity} entity
 * @param {number} count
 * @returns {string}
 */
export const countOf = ({ one, many }, count) => counted(count, one, many);

/**
 * A value of a field as people read it; null for nothing.
 * @param {unknown} value
 * @returns {string | null}
 */
export function valueWords(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return value.map(valueWords).filter(Boolean).join(", ") || null;
  if (typeof value !== "string" || value === "") return null;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return momentWords(value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? dayWords(value) : value;
}

/**
 * Moves items to the trash; gives whether it was done. `name` is that of a single one.
 * @param {Hub.Entity} entity
 * @param {string[]} ids
 * @param {string | null} [name]
 * @returns {Promise<boolean>}
 */
export const removeItems = async (entity, ids, name = null) =>
  (await undoable("POST", `${entity.path}/trash`, { ids }, ({ count }) => `${name ?? countOf(entity, count)} moved to the trash.`)) !==
  null;

/**
 * Restores items from the trash; gives whether it was done. `name` is that of a single one.
 * @param {Hub.Entity} entity
 * @param {string[]} ids
 * @param {string | null} [name]
 * @returns {Promise<boolean>}
 */
export const restoreItems = async (entity, ids, name = null) =>
  (await undoable("POST", `${entity.path}/restore`, { ids }, ({ count }) => `${name ?? countOf(entity, count)} restored.`)) !== null;

/**
 * What stands above an item that is in the trash: since when, `more` words, and the way back.
 * @param {Hub.Entity} entity
 * @param {{ id: string, name?: string, deleted_at?: string | null }} item
 * @param {{ restored?: () => unknown, more?: Hub.Child }} options
 * @returns {Hub.Child}
 */
export const trashed = (entity, item, { restored = () => {}, more = null } = {}) =>
  item.deleted_at &&
  h(
    "div",
    { class: "callout", key: "trash" },
    h("p", null, `In the trash since ${momentWords(item.deleted_at)}.`),
    more,
    h(
      "button",
      { type: "button", class: "main", onclick: () => restoreItems(entity, [item.id], nameOf(item)).then(restored) },
      icon("restore"),
      "Restore",
    ),
  );

/**
 * Asks which tags to add to some items and which to take away.
 * @param {Hub.Entity} entity
 * @param {string[]} ids
 * @param {Hub.Tag[]} [known]
 * @returns {Promise<void>}
 */
export async function tagItems(entity, ids, known = []) {
  const offers = async () => known.map(({ tag }) => tag);
  const [add, remove] = [
    chipsField({ name: "add", label: "Add tags", offers }),
    chipsField({ name: "remove", label: "Remove tags", offers }),
  ];
  if (!(await answered("tagging", `Tags of ${countOf(entity, ids.length)}`, [add, remove]))) return;
  await undoable("POST", `${entity.path}/tags`, { ids, add: add.read(), remove: remove.read() }, ({ count }) =>
    count ? `Tags of ${countOf(entity, count)} changed.` : `These ${entity.many} already had these tags.`,
  );
}

/**
 * Asks for the tags of one item.
 * @param {Hub.Entity} entity
 * @param {{ id: string, name?: string, tags: string[] }} item
 * @param {Hub.Tag[]} [known]
 * @returns {Promise<void>}
 */
export async function editTags(entity, item, known = []) {
  const field = chipsField({
    name: "tags",
    label: "Tags",
    hint: "Enter or a comma adds one.",
    value: item.tags,
    offers: async () => known.map(({ tag }) => tag),
  });
  if (!(await answered("tagging", `Tags of ${nameOf(item)}`, [field]))) return;
  const now = field.read();
  const [add, remove] = [now.filter((tag) => !item.tags.includes(tag)), item.tags.filter((tag) => !now.includes(tag))];
  if (add.length || remove.length) await undoable("POST", `${entity.path}/tags`, { ids: [item.id], add, remove }, "Tags changed.");
}
