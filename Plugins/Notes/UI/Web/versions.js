// The versions of a note's text: a slider through time, what changed in each, and Restore.
import { momentWords, number } from "/assets/components/format.js";
import { iconButton } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { undoable } from "/assets/components/undoable.js";
import { getJSON } from "/assets/hub.js";
import { backLink, go, heading, show, state } from "/notes/page.js";

// The unchanged lines around a change.
const context = 3;

/**
 * Shows the versions of the note of the address, the last one first.
 * @param {string} id
 */
export function drawVersions(id) {
  const url = `/api/notes/${encodeURIComponent(id)}/versions`;
  /** @type {{ change: number, at: string, person: string }[]} */
  let versions = [];
  // The place of the version that is shown, first the last one.
  let at = Infinity;
  let isWhole = false;

  const shown = show({
    read: async (signal) => {
      versions = await getJSON(url, { signal });
      if (!versions.length) return null;
      at = Math.min(at, versions.length - 1);
      return getJSON(`${url}/${versions[at].change}`, { signal });
    },
    draw: (version) => [
      heading("History", { back: backLink({ id: state.id, words: "Back to the note" }) }),
      version === null
        ? empty("No history yet", { picture: "clock", words: "Each version of the text is kept here from the first word on." })
        : [
            slider(),
            h(
              "div",
              { class: "version", key: "version" },
              title(version),
              h("div", { class: "diff", role: "group", "aria-label": "Text" }, lines(version.lines)),
            ),
            h(
              "div",
              { class: "form-bar", key: "bar" },
              h(
                "div",
                { class: "actions" },
                h(
                  "button",
                  { type: "button", class: "main", disabled: at === versions.length - 1, onclick: restore },
                  "Restore this version",
                ),
                h(
                  "button",
                  {
                    type: "button",
                    "aria-pressed": String(isWhole),
                    onclick: () => {
                      isWhole = !isWhole;
                      shown.redraw();
                    },
                  },
                  isWhole ? "Show changes" : "Show whole text",
                ),
              ),
            ),
          ],
    ],
  });

  function slider() {
    const { at: moment, person } = versions[at];
    const words = `${momentWords(moment)}${person && person !== "you" ? ` by ${person}` : ""}`;
    return h(
      "div",
      { class: "slider", key: "slider" },
      iconButton("left", "Previous version", () => move(at - 1), { disabled: at === 0 }),
      h(
        "label",
        { class: "grow" },
        h("span", { class: "visually-hidden" }, "Version"),
        h("input", {
          type: "range",
          min: 0,
          max: versions.length - 1,
          value: at,
          "aria-valuetext": words,
          oninput: (event) => move(Number(event.target.value)),
        }),
      ),
      iconButton("right", "Next version", () => move(at + 1), { disabled: at === versions.length - 1 }),
      h(
        "output",
        { class: "slider-words" },
        h("strong", null, words),
        h("span", { class: "hint" }, ` ${number(at + 1)} of ${number(versions.length)}`),
      ),
    );
  }

  function move(to) {
    at = Math.max(0, Math.min(to, versions.length - 1));
    shown.refresh();
  }

  async function restore() {
    if (await undoable("POST", `${url}/${versions[at].change}`, {}, `Text of ${momentWords(versions[at].at)} restored.`))
      go({ id: state.id });
  }

  const title = ({ title: now, title_before: before }) =>
    h(
      "p",
      { class: "diff-title" },
      now !== before && before && !isWhole && [h("del", null, before), " "],
      now !== before && before && !isWhole ? h("ins", null, now) : h("strong", null, now || "Untitled"),
    );

  function lines(all) {
    if (isWhole) return all.filter(({ kind }) => kind !== "removed").map((line, place) => h("div", { key: place }, line.text || "\u00a0"));
    const near = new Set(
      all.flatMap(({ kind }, place) => (kind ? Array.from({ length: 2 * context + 1 }, (_, step) => place + step - context) : [])),
    );
    const parts = [];
    all.forEach(({ kind, text }, place) => {
      if (!near.has(place)) {
        if (place > 0 && near.has(place - 1)) parts.push(h("div", { class: "gap" }, "⋯"));
      } else if (kind)
        parts.push(
          h(
            kind === "added" ? "ins" : "del",
            null,
            h("span", { class: "visually-hidden" }, kind === "added" ? "Added: " : "Removed: "),
            text || "\u00a0",
          ),
        );
      else parts.push(h("div", null, text || "\u00a0"));
    });
    return parts.length ? parts : [h("p", { class: "hint" }, "The text did not change.")];
  }
}
