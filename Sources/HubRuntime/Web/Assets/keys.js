// The keyboard does everything.

/** Whether keys are input for this element. */
export const isTyping = (element) => element.matches("input:not([type=checkbox], [type=radio], [type=color]), textarea, select");

/** Shows all keys. */
export const showHelp = () => document.getElementById("help").showModal();

// Single letters can be turned off in the settings (WCAG 2.2, 2.1.4).
const isOff = (event) => document.documentElement.dataset.shortcuts === "off" && !event.ctrlKey && (event.key.length === 1 || event.key === "Delete");

/** `handler(event)` gives what a key does, or null when it does nothing here. */
export function onKeys(handler) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.isComposing || document.querySelector("dialog[open]") || isOff(event)) return;
    const does = handler(event);
    if (!does) return;
    event.preventDefault();
    does();
  });
}
