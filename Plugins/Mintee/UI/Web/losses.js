// Filled days that an edit would drop are shown before it is done.
import { choose } from "/assets/dialog.js";
import { make } from "/assets/dom.js";
import { count, longDate } from "/mintee/text.js";

/** Whether the person agrees that a task drops these days with what was entered for them. */
export async function agreeToLosses(name, dates) {
  return (await choose({
    title: `Drop ${count(dates.length, "filled day")}?`, id: "losses",
    text: `${name} would no longer be due on these days, and what was entered for them goes:`,
    content: [make("ul", { class: "losses", tabindex: "0", "aria-label": "Days that go" },
      ...dates.map((date) => make("li", { text: longDate(date) })))],
    choices: [{ value: "no", words: "No, keep editing" }, { value: "yes", words: "Yes, drop them", class: "danger" }],
  })) === "yes";
}
