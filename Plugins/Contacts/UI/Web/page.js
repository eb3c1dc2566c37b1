// The page of contacts: what its address may say, and the view that is shown.
import { splitPage } from "/assets/components/split.js";
import { empty } from "/assets/components/states.js";

/** The page itself. */
export const page = splitPage({
  path: "/contacts",
  title: "Contacts",
  all: "All contacts",
  kept: ["q", "tag", "book", "group"],
  fields: { q: "", tag: "", book: "", group: "", id: null, view: null, days: null, all: null },
});

export const { state, article, address, elsewhere, note, guardLeaving, go, takeFocus, show, redraw, refresh, heading, arrange, setEmpty } =
  page;

/**
 * What is shown beside the list while no contact is chosen.
 * @param {boolean} isEmpty
 * @param {Hub.Child[]} actions
 * @returns {Hub.Description}
 */
export function nothingChosen(isEmpty, actions) {
  document.title = "Contacts";
  return isEmpty
    ? empty("Your contacts", {
        picture: "people",
        words: "Drop a file of contacts here, exported from a phone, Google, Outlook or a mail program. Or add your first contact.",
        actions,
      })
    : empty("No contact selected", { picture: "person", words: "Select one from the list, or press ? for all keys." });
}
