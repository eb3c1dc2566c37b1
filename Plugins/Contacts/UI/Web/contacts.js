// The page of contacts: which view is drawn when, and how a person gets from one to another.
import { onTopics } from "/assets/hub.js";
import { drawBirthdays } from "/contacts/birthdays.js";
import { drawConflicts, readConflicts } from "/contacts/conflicts.js";
import { drawDetails } from "/contacts/details.js";
import { drawDuplicates } from "/contacts/duplicates.js";
import { drawForm, isOpen } from "/contacts/form.js";
import "/contacts/keys.js";
import { markOpen, readList, showWords } from "/contacts/list.js";
import { article, onAddress, readAddress, state } from "/contacts/page.js";

const views = { new: drawForm, edit: drawForm, duplicates: drawDuplicates, conflicts: drawConflicts, birthdays: drawBirthdays };

function drawArticle() {
  const isDetails = !Object.hasOwn(views, state.view ?? "");
  document.body.classList.toggle("reading", state.id !== null || !isDetails);
  // A contact is read out when it is opened from the list; other views get the focus themselves.
  article.setAttribute("aria-live", isDetails ? "polite" : "off");
  for (const link of document.querySelectorAll(".views a")) {
    if (new URLSearchParams(link.search).get("view") === state.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  markOpen();
  return isDetails ? drawDetails() : views[state.view]();
}

// What is being typed is not drawn over, nor is a choice between duplicates.
async function drawNews() {
  readList();
  if (state.view !== "conflicts") await readConflicts();
  if (!isOpen() && state.view !== "duplicates") drawArticle();
}

let shownWords = null;
onAddress(() => {
  showWords();
  if (shownWords !== state.q) readList();
  shownWords = state.q;
  return drawArticle();
}, (link, left) => {
  if (link.closest("#list") && !document.getElementById("list").checkVisibility()) article.focus();
  if (link.matches(".back")) document.querySelector(`#list a[data-id="${CSS.escape(left.id ?? "")}"]`)?.focus();
});

document.addEventListener("hub-undone", () => {
  if (state.view === "duplicates") drawDuplicates();
  else drawNews();
});

readAddress();
showWords();
shownWords = state.q;
readList();
readConflicts().then(drawArticle);
onTopics(["domain.contacts/*"], drawNews);
