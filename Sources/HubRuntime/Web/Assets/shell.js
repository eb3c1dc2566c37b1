// The frame of all pages: search over everything, undo and redo, the menu, and the keys that work everywhere.
import "/assets/login.js";
import { shortcuts, showHelp } from "/assets/components/shortcuts.js";
import { redo, undo } from "/assets/components/undoable.js";
import { openSearch } from "/assets/search.js";

const act = { search: openSearch, undo, redo };

document.addEventListener("click", (event) => {
  const name = event.target.closest("[data-shell]")?.dataset.shell;
  if (name) act[name]();
});
document.getElementById("show-help").addEventListener("click", () => {
  document.getElementById("menu").hidePopover();
  showHelp();
});

shortcuts("Everywhere", [
  { key: "/", words: "Search everything", act: openSearch },
  { key: "Mod+k", words: "Search everything", act: openSearch, inFields: true },
]);
