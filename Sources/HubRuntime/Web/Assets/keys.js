// The keyboard does everything.

/** Whether keys are input for this element. */
export const isTyping = (element) => element.matches("input:not([type=checkbox], [type=radio], [type=color]), textarea, select");

const help = document.getElementById("help");

/** Shows all keys. */
export const showHelp = () => help.showModal();

/** `handler(event)` gives what a key does, or null when it does nothing here. */
export function onKeys(handler) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.isComposing || document.querySelector("dialog[open]")) return;
    const does = handler(event);
    if (!does) return;
    event.preventDefault();
    does();
  });
}

document.getElementById("show-help").addEventListener("click", showHelp);
