// The page of contacts: ?q=words&id=contact&view=edit.
import { makePage } from "/assets/page.js";

const page = makePage({
  path: "/contacts", title: "Contacts", article: document.getElementById("details"),
  fields: { q: "", id: null, view: null, days: null }, kept: ["q"],
});

export const { state, article, address, readAddress, begin, go, note, guardLeaving, onAddress } = page;

/** The heading of a view, with a link back to the list. */
export const heading = (words, options = {}) => page.heading(words, { back: { href: page.elsewhere(), words: "← All contacts" }, ...options });
