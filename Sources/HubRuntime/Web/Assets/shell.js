// The frame of all pages: search over everything, undo and redo, the menu, and the keys that work everywhere.
import "/assets/login.js";
import { makeDialog } from "/assets/dialog.js";
import { make } from "/assets/dom.js";
import { sendJSON } from "/assets/hub.js";
import { isTyping } from "/assets/keys.js";
import { openSearch } from "/assets/search.js";
import { tell, tellError } from "/assets/toast.js";

/** Whether single keys act on the page; the settings can turn them off (WCAG 2.2, 2.1.4). */
export const hasShortcuts = () => document.documentElement.dataset.shortcuts !== "off";

async function reverse(url, words, isUndo) {
  try {
    const { body, operation } = await sendJSON("POST", url);
    tell(`${words}: ${body.command.replace(/^page: /, "")}.`, { operation, isUndo });
    document.dispatchEvent(new Event("hub-undone"));
  } catch (error) {
    tellError(error);
  }
}

const act = {
  search: openSearch,
  undo: () => reverse("/api/undo/last", "Undone", true),
  redo: () => reverse("/api/redo", "Redone", false),
};

const keys = [
  ["/ or Ctrl K", "search everything"], ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"], ["?", "keyboard shortcuts"],
  ["Esc", "close, or go back"],
];

// A page with keys of its own has a dialog that lists them all.
function showKeys() {
  const own = document.getElementById("help");
  if (own) return own.showModal();
  const rows = keys.flatMap(([names, words]) => [
    make("dt", {}, ...names.split(" ").flatMap((name) => (name === "or" ? [" or "] : [make("kbd", { text: name }), " "]))),
    make("dd", { text: words })]);
  const dialog = makeDialog("help", "Keyboard shortcuts", make("dl", {}, ...rows),
    make("form", { method: "dialog", class: "actions" }, make("button", { autofocus: true, text: "Close" })));
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const name = event.target.closest("[data-shell]")?.dataset.shell;
  if (name) act[name]();
});
document.getElementById("show-help").addEventListener("click", () => {
  document.getElementById("menu").hidePopover();
  showKeys();
});

// A page's own keys come first.
window.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey || document.querySelector("dialog[open]")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const isInField = isTyping(document.activeElement);
  let does = null;
  if (isCommand && key === "k") does = act.search;
  else if (isCommand && key === "z" && !isInField) does = event.shiftKey ? act.redo : act.undo;
  else if (isCommand && key === "y" && !isInField) does = act.redo;
  else if (!isCommand && !isInField && hasShortcuts()) does = { "/": act.search, "?": showKeys }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});
