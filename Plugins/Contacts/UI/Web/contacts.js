// The page of contacts: its views and the navigation between them.
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
  // A contact opened from the list is announced to screen readers; other views take the focus.
  article.setAttribute("aria-live", isDetails ? "polite" : "off");
  for (const link of document.querySelectorAll(".views a")) {
    if (new URLSearchParams(link.search).get("view") === state.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  markOpen();
  return isDetails ? drawDetails() : views[state.view]();
}

// A form or a selection of duplicates is not redrawn while it is edited.
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
