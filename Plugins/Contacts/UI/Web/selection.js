// What is done with several contacts at once.
import { download } from "/assets/components/download.js";
import { selectField, textField } from "/assets/components/fields.js";
import { counted, dayWords, sentence } from "/assets/components/format.js";
import { create, h } from "/assets/components/patch.js";
import { answered } from "/assets/components/questions.js";
import { tellError, undoable } from "/assets/components/undoable.js";
import { choose } from "/assets/dialog.js";
import { sendJSON } from "/assets/hub.js";
import { addressLines, fieldWords, lineWords } from "/contacts/labels.js";

/**
 * Asks for the book that contacts move to; gives whether it was done.
 * @param {string[]} ids
 * @param {Contacts.Book[]} books
 * @returns {Promise<boolean>}
 */
export async function moveSelected(ids, books) {
  const book = selectField({
    name: "book",
    label: "Address book",
    hint: "The next sync adds them to the new book and removes them from the old one.",
    value: "here",
    options: [["here", "No book, only on this computer"], ...books.filter((one) => !one.read_only).map(({ id, book: name }) => [id, name])],
  });
  if (!(await answered("moving", `Move ${counted(ids.length, "contact")}`, [book], "Move"))) return false;
  const place = book.words(book.read());
  return (
    (await undoable("POST", "/api/contacts/move", { ids, book: book.read() }, ({ count }) =>
      count ? `${counted(count, "contact")} moved: ${place}.` : "Nothing changed.",
    )) !== null
  );
}

/**
 * Asks for the group that contacts become members of, one that exists or a new one; gives whether it was done.
 * @param {string[]} ids
 * @param {{ id: string, group: string }[]} groups
 * @returns {Promise<boolean>}
 */
export async function addToGroup(ids, groups) {
  const name = textField({ name: "name", label: groups.length ? "Name of the new group" : "Name of the group" });
  const choice = selectField({
    name: "group",
    label: "Group",
    options: [...groups.map(({ id, group }) => [id, group]), ["", "New group…"]],
    value: groups[0]?.id ?? "",
    onchange: () => {
      name.element.hidden = choice.read() !== "";
    },
  });
  name.element.hidden = groups.length > 0;
  const fields = groups.length ? [choice, name] : [name];
  if (!(await answered("grouping", `Add ${counted(ids.length, "contact")} to a group`, fields, "Add"))) return false;
  const group = groups.find(({ id }) => id === choice.read());
  const words = group?.group ?? name.read();
  return (
    (await undoable("POST", "/api/contacts/groups/add", group ? { ids, group: group.id } : { ids, name: words }, ({ count }) =>
      count || !group ? `${counted(count, "contact")} added to ${words}.` : `Already in ${words}.`,
    )) !== null
  );
}

// A value in one line; the parts of an address and of an organization are separated by semicolons.
const shown = (field, value) =>
  ["address", "org"].includes(field)
    ? addressLines(value).join(", ")
    : ["birthday", "anniversary"].includes(field)
      ? dayWords(value)
      : (value ?? "").split("\n")[0];

/**
 * What a merge adds and what it drops, in words.
 * @param {Pick<Contacts.Merge, "changes" | "conflicts">} merge
 * @returns {string[]}
 */
export function mergeWords({ changes, conflicts }) {
  return [
    ...changes.map(
      ({ field, kind, value }) =>
        `adds ${lineWords(field, kind).replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())}: ${shown(field, value)}`,
    ),
    ...conflicts.map(({ field, kept, dropped }) => `${fieldWords(field)} stays “${kept}”, not “${dropped}”`),
  ];
}

/**
 * Merges contacts into the first, after a look at what that means; gives whether it was done.
 * @param {string[]} ids
 * @param {(id: string) => Contacts.Item | null} itemOf
 * @returns {Promise<boolean>}
 */
export async function mergeSelected(ids, itemOf) {
  const [keep, ...drop] = ids;
  try {
    const { body } = await sendJSON("POST", "/api/contacts/merge", { keep, drop, dry_run: true });
    const lines = mergeWords(body);
    const answer = await choose({
      title: `Merge ${counted(ids.length, "contact")} into ${itemOf(keep)?.name ?? body.name}?`,
      id: "merge",
      content: [
        create(
          h(
            "ul",
            null,
            (lines.length ? lines : ["adds nothing new"]).map((line) => h("li", null, sentence(line))),
          ),
        ),
      ],
      choices: [
        { value: "", words: "Cancel" },
        { value: "merge", words: "Merge", class: "main" },
      ],
    });
    if (answer !== "merge") return false;
  } catch (error) {
    tellError(error);
    return false;
  }
  return (
    (await undoable(
      "POST",
      "/api/contacts/merge",
      { keep, drop },
      (merged) => `${counted(ids.length, "contact")} merged into ${merged.name}.`,
    )) !== null
  );
}

/**
 * Saves contacts as a file on this device.
 * @param {string[]} ids
 * @param {string} format
 * @param {string} ending
 * @param {string} [name]
 * @returns {Promise<void>}
 */
export const saveFile = (ids, format, ending, name = "contacts") =>
  download("/api/contacts/export", `${name}.${ending}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids, as: format }),
  });
