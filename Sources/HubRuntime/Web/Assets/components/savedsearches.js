// Saved searches of a list: words of its search field, such as @family, and entries of its filter menu.
import { textField } from "/assets/components/fields.js";
import { answered } from "/assets/components/questions.js";
import { undoable } from "/assets/components/undoable.js";

/**
 * A condition of a query in words, such as `tag:"two words"`; empty without a value.
 * @param {string} field
 * @param {string | null | undefined} value
 * @returns {string}
 */
export const condition = (field, value) => (value ? `${field}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', " ")}"` : value}` : "");

/**
 * The entries for saved searches in the filter menu of a list on `page`. `path` is that of the routes, `searches` are those there
 * are, `query` is what is shown now as one query, and `changed` is called after each change.
 * @param {Hub.SavedSearchesProperties} properties
 * @returns {Hub.MenuItems}
 */
export function savedSearchItems({ path, searches, page, query, names, changed }) {
  const { state } = page;
  const shown = searches.find(({ name }) => state.q === `@${name}`);
  const none = Object.fromEntries(names.map((name) => [name, ""]));
  const open = (q) => page.go({ id: state.id, ...none, q });
  const one = (name) => `${path}/${encodeURIComponent(name)}`;

  async function save() {
    const field = nameField({ hint: `Then @name finds: ${query}` });
    if (!(await answered("saving-search", "Save this search", [field]))) return;
    const saved = await undoable("POST", path, { name: field.read().trim(), query }, ({ name }) => `Saved as @${name}.`);
    if (saved !== null) changed();
  }

  async function rename(old) {
    const field = nameField({ value: old });
    if (!(await answered("renaming-search", `Rename @${old}`, [field], "Rename"))) return;
    const renamed = await undoable("PUT", one(old), { name: field.read().trim() }, ({ name }) => `Renamed to @${name}.`);
    if (renamed === null) return;
    await open(`@${renamed.name}`);
    changed();
  }

  async function remove(name) {
    if ((await undoable("DELETE", one(name), {}, `Deleted the search @${name}.`)) === null) return;
    await open("");
    changed();
  }

  const items = [
    ...searches.map(({ name }) => ({ words: `@${name}`, act: () => open(`@${name}`), isChecked: name === shown?.name })),
    ...(query && !shown ? [{ words: "Save this search…", picture: "add", act: save }] : []),
    ...(shown
      ? [
          { words: `Rename @${shown.name}…`, picture: "edit", act: () => rename(shown.name) },
          { words: `Delete the search @${shown.name}`, picture: "trash", act: () => remove(shown.name) },
        ]
      : []),
  ];
  return items.length ? [null, ...items] : [];
}

const nameField = (properties) => textField({ name: "name", label: "Name", autocapitalize: "none", ...properties });
