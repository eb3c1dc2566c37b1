// The keyboard shortcuts: one table gives what a key does, its hint on a button, and the help.
import { ask, makeDialog } from "/assets/dialog.js";
import { isHeld, keyOf, keys } from "/assets/components/keys.js";
import { create, h } from "/assets/components/patch.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
// The time between two keys of a sequence such as "g t", in milliseconds.
const pause = 1500;
const tables = [];
let pending = { keys: "", at: 0 };

/**
 * Adds shortcuts below the heading `group` of the help. An entry has a `key` ("n", "Mod+Enter", "g t"), `words` for people,
 * `act()`, and may have `when()`, whether it holds now; `inFields` for a key that acts while one types; `isHidden` to leave it
 * out of the help. Later tables come first. Returns a function that removes them.
 * @param {string} group
 * @param {Hub.Shortcut[]} entries
 * @returns {() => void}
 */
export function shortcuts(group, entries) {
  const table = { group, entries };
  tables.unshift(table);
  return () => tables.splice(tables.indexOf(table), 1);
}

/**
 * Whether single letters act; the settings of hub turn them off (WCAG 2.2, 2.1.4). Keys with Ctrl, arrows, Enter and Esc always act.
 * @returns {boolean}
 */
const areLettersOn = () => document.documentElement.dataset.shortcuts !== "off";

/**
 * Whether keys are input for this element.
 * @param {HTMLElement} element
 * @returns {boolean}
 */
const isTyping = (element) =>
  element.isContentEditable ||
  element.matches("input:not([type=checkbox], [type=radio], [type=color], [type=button], [type=range]), textarea, select");

const isLetter = (key) => key.split(" ").every((part) => [...part].length === 1 || part === "Delete");

/**
 * The properties of a button or link that a key presses: the hint is shown on hover and focus.
 * @param {string} key
 * @returns {Hub.Properties}
 */
export function keyed(key) {
  if (isLetter(key) && !areLettersOn()) return {};
  return { "aria-keyshortcuts": key.replaceAll("Mod", isMac ? "Meta" : "Control"), "data-key": keyWords(key) };
}

/**
 * A key as people read it.
 * @param {string} key
 * @returns {string}
 */
function keyWords(key) {
  const names = {
    Mod: isMac ? "⌘" : "Ctrl",
    ArrowDown: "↓",
    ArrowUp: "↑",
    ArrowLeft: "←",
    ArrowRight: "→",
    Escape: "Esc",
    " ": "Space",
    Delete: "Del",
  };
  if (key === " ") return names[key];
  return key
    .split(" ")
    .map((part) =>
      part
        .split("+")
        .map((name) => names[name] ?? (name.length === 1 && part.length > 1 ? name.toUpperCase() : name))
        .join(" "),
    )
    .join(" then ");
}

function nameOf(event) {
  const hasModifier = event.ctrlKey || event.metaKey;
  const name = keyOf(event);
  const key = hasModifier && name.length === 1 ? name.toLowerCase() : name;
  return (hasModifier ? "Mod+" : "") + (event.shiftKey && (hasModifier || name.length > 1) ? "Shift+" : "") + key;
}

function find(key, isInField) {
  for (const { entries } of tables) {
    for (const entry of entries) {
      if (entry.key !== key || (isInField && !entry.inFields)) continue;
      if (isLetter(entry.key) && !areLettersOn()) continue;
      if (!entry.when || entry.when()) return entry;
    }
  }
  return null;
}

const beginsSequence = (key) => tables.some(({ entries }) => entries.some((entry) => entry.key.startsWith(key + " ") && key !== " "));

// A part of a page that takes a key itself comes first.
window.addEventListener("keydown", keys(onKey));

function onKey(event) {
  if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open], [popover]:popover-open")) return;
  const isInField = isTyping(/** @type {HTMLElement} */ (event.target));
  const key = nameOf(event);
  const isSoon = event.timeStamp - pending.at < pause;
  const entry = (pending.keys && isSoon && !isInField ? find(`${pending.keys} ${key}`, false) : null) ?? find(key, isInField);
  pending = { keys: "", at: 0 };
  if (entry) {
    event.preventDefault();
    // A held key acts once: what it deletes or undoes many times, cannot be followed.
    if (!isHeld(event)) entry.act(event);
  } else if (!isInField && areLettersOn() && beginsSequence(key)) {
    pending = { keys: key, at: event.timeStamp };
  }
}

/**
 * Shows all shortcuts.
 * @returns {Promise<string>}
 */
export function showHelp() {
  const groups = [...new Set(tables.map(({ group }) => group))].reverse();
  const content = groups.map((group) => {
    const words = new Map();
    for (const { entries } of tables.filter((table) => table.group === group)) {
      for (const entry of entries) {
        if (!entry.isHidden) words.set(entry.words, [...(words.get(entry.words) ?? []), entry.key]);
      }
    }
    if (!words.size) return null;
    return h(
      "section",
      null,
      h("h3", null, group),
      h(
        "dl",
        { class: "key-list" },
        [...words].map(([what, keys]) =>
          h(
            "div",
            null,
            h(
              "dt",
              null,
              keys.map((key, place) => [
                place ? " or " : null,
                keyWords(key)
                  .split(" ")
                  .map((part) => (part === "then" ? " then " : h("kbd", null, part))),
              ]),
            ),
            h("dd", null, what),
          ),
        ),
      ),
    );
  });
  return ask(
    makeDialog(
      "help",
      "Keyboard shortcuts",
      create(
        h(
          "div",
          { class: "scroll-box", role: "group", tabindex: "0", "aria-labelledby": "help-title" },
          h("div", { class: "key-groups" }, content.filter(Boolean)),
        ),
      ),
      create(
        h(
          "p",
          { class: "hint" },
          areLettersOn() ? "Single letters can be turned off in the settings." : "Single letters are turned off in the settings.",
        ),
      ),
      create(h("form", { method: "dialog", class: "actions" }, h("button", { autofocus: true }, "Close"))),
    ),
  );
}

shortcuts("Everywhere", [{ key: "?", words: "Show all shortcuts", act: showHelp }]);
