// What is entered for a task on a day: done, a value, a skip, a note.
import { ask, makeDialog } from "/assets/dialog.js";
import { textField } from "/assets/components/fields.js";
import { decimalMark } from "/assets/components/format.js";
import { keys } from "/assets/components/keys.js";
import { create, h } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { deliver } from "/assets/components/outbox.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { ofGoal, pathOf, plannedWords } from "/mintee/words.js";

// What was done, in one sentence.
function said({ name, goal, value, state, streak, skip, note }, change) {
  if (change.do === "skip") return `${name} skipped${skip ? `: ${skip}` : ""}.`;
  if (change.do === "note")
    return note ? `Note for ${name} saved: “${note.length > 60 ? `${note.slice(0, 60)}…` : note}”` : `Note for ${name} removed.`;
  if (change.do === "clear") return `${name} cleared.`;
  if (change.do === "unskip") return `${name} is not skipped any more.`;
  const run = state === "reached" && streak > 1 ? ` Streak: ${streak} days.` : "";
  if (!goal) return state === "reached" ? `${name} done.${run}` : `${name} not done.`;
  const how = { reached: ", reached.", over: ", over the target." }[state] ?? ".";
  return `${name}: ${ofGoal(value, goal)}${how}${run}`;
}

/**
 * Sends a change of a day, and says what was done; while hub cannot be reached, the change waits in this browser. Gives the words
 * of a mistake in the value; null when there is none.
 * @param {{ id: string, name: string }} task
 * @param {string} date
 * @param {Mintee.EntryChange} change
 * @returns {Promise<string | null>}
 */
export async function enter(task, date, change) {
  try {
    const body = { ...change, decimal_mark: decimalMark };
    const answer = await deliver("POST", pathOf(task.id, date), body, plannedWords(task.name, change));
    if (answer) tell(said(answer.body, change), { operation: answer.operation });
    return null;
  } catch (error) {
    const problem = error.problems?.find(({ field }) => field === "value");
    if (problem) return problem.message;
    tellError(error);
    return null;
  }
}

// A small form in front of the view; null when it was left.
async function askFor(title, field, words) {
  const form = create(
    h(
      "form",
      {
        class: "form",
        method: "dialog",
        onkeydown: keys((event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          // Otherwise the key would press what gets the focus back.
          event.preventDefault();
          form.requestSubmit(form.querySelector("button.main"));
        }),
      },
      field.element,
      h(
        "div",
        { class: "actions" },
        h("button", { value: "save", class: "main", ...keyed("Mod+Enter") }, words),
        h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );
  const dialog = makeDialog("entry", title, form);
  field.input().autofocus = true;
  return (await ask(dialog)) === "save" ? field.read().trim() : null;
}

/**
 * The reason for skipping a day of a task, which may be empty; null when it is not to be skipped.
 * @param {string} name
 * @returns {Promise<string | null>}
 */
export const askReason = (name) =>
  askFor(
    `Skip ${name}`,
    textField({ label: "Reason", hint: "A skipped day counts neither as reached nor as missed.", maxlength: 10000 }),
    "Skip",
  );

/**
 * The note of a day; null when it is to stay as it is.
 * @param {string} name
 * @param {string | null} note
 * @returns {Promise<string | null>}
 */
export const askNote = (name, note) =>
  askFor(`Note for ${name}`, textField({ label: "Note", value: note ?? "", isLong: true, maxlength: 10000 }), "Save");

/**
 * The value of a day; null when it is to stay as it is.
 * @param {string} name
 * @param {string} value
 * @param {string} goal
 * @returns {Promise<string | null>}
 */
export const askValue = (name, value, goal) => askFor(name, textField({ label: `Value (${goal})`, value, inputmode: "decimal" }), "Save");
