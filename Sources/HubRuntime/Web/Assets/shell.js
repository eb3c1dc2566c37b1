// The frame of all pages: search over everything, undo and redo, the menu, and the keys that work everywhere.
import "/assets/login.js";
import { shortcuts, showHelp } from "/assets/components/shortcuts.js";
import { startOutbox } from "/assets/components/outbox.js";
import { redo, undo } from "/assets/components/undoable.js";
import { openAdd } from "/assets/add.js";
import { startPush } from "/assets/push.js";
import { startRecent } from "/assets/recent.js";
import { openSearch } from "/assets/search.js";

const act = { add: () => openAdd(), search: openSearch, undo, redo };

document.addEventListener("click", (event) => {
  const name = event.target?.closest?.("[data-shell]")?.dataset.shell;
  if (name) act[name]();
});
document.getElementById("show-help")?.addEventListener("click", () => {
  document.getElementById("menu")?.hidePopover();
  showHelp();
});

shortcuts("Everywhere", [
  { key: "c", words: "Add a note, a contact, a task …", act: () => openAdd() },
  { key: "/", words: "Search everything", act: openSearch },
  { key: "Mod+k", words: "Search everything", act: openSearch, inFields: true },
]);

startOutbox();
startPush();
startRecent();

// A shortcut of the installed app opens the dialog at once.
const wanted = new URLSearchParams(location.search).get("add");
if (wanted !== null && location.pathname === "/") {
  history.replaceState(history.state, "", "/");
  openAdd(wanted);
}

// Keeps the pages and the last answers, for the time when hub cannot be reached. Browsers allow it on this machine and over TLS.
if (isSecureContext) navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
