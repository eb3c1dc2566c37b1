// The settings of all pages. Each one is saved when it is changed.
import { ago } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, sendJSON } from "/assets/hub.js";

const { dataset } = document.documentElement;
const schemes = { auto: "Automatic", light: "Light", dark: "Dark" };
const days = { mon: "Monday", tue: "Tuesday", wed: "Wednesday", thu: "Thursday", fri: "Friday", sat: "Saturday", sun: "Sunday" };

const shown = view(document.getElementById("settings"), {
  read: (signal) => Promise.all([getJSON("/api/settings", { signal }), getJSON("/api/sessions", { signal })]),
  draw: ([settings, sessions]) => [appearance(settings), behaviour(settings), browsers(sessions)],
});

function apply({ scheme, theme, themes, shortcuts, week_start: weekStart }) {
  if (scheme === "auto") delete dataset.scheme;
  else dataset.scheme = scheme;
  dataset.theme = theme === themes[0] ? "" : (theme ?? "");
  if (shortcuts) delete dataset.shortcuts;
  else dataset.shortcuts = "off";
  dataset.weekStart = weekStart;
}

// One after the other: of two quick changes the later one holds.
let saved = Promise.resolve();

function save(change) {
  saved = saved.then(() => send(change));
}

async function send(change) {
  try {
    const { body } = await sendJSON("PUT", "/api/settings", change);
    apply(body);
    tell("Saved.");
  } catch (error) {
    tellError(error);
  }
  // What could not be saved is as it was before.
  await shown.refresh();
}

function choice(name, value, words, isChosen, change, sample = null) {
  const id = `${name}-${value.replaceAll(" ", "-")}`;
  return h(
    "label",
    { class: "option", for: id },
    h("input", { type: "radio", name, value, id, checked: isChosen, onchange: () => change(value) }),
    sample,
    h("span", null, words),
  );
}

const sample = (theme, scheme) =>
  h(
    "span",
    { class: "sample house", "data-theme": theme, "data-scheme": scheme, "aria-hidden": "true" },
    h("span", { class: "sample-bar" }),
    h("span", { class: "sample-page" }, h("span", { class: "sample-button" })),
  );

const group = (legend, ...parts) => h("fieldset", { class: "options" }, h("legend", null, legend), parts);
const both = () => h("span", { class: "samples", "aria-hidden": "true" }, sample("", "light"), sample("", "dark"));

function appearance(settings) {
  return h(
    "section",
    { "aria-labelledby": "appearance", key: "appearance" },
    h("h2", { id: "appearance" }, "Appearance"),
    group(
      "Light or dark",
      Object.entries(schemes).map(([value, words]) =>
        choice(
          "scheme",
          value,
          words,
          value === settings.scheme,
          (scheme) => save({ scheme }),
          value === "auto" ? both() : sample("", value),
        ),
      ),
    ),
    settings.themes.length > 1 &&
      group(
        "Theme",
        settings.themes.map((name, place) =>
          choice(
            "theme",
            name,
            place ? name : "Standard",
            name === settings.theme,
            (theme) => save({ theme }),
            sample(place ? name : "", null),
          ),
        ),
      ),
  );
}

function behaviour(settings) {
  return h(
    "section",
    { "aria-labelledby": "behaviour", key: "behaviour" },
    h("h2", { id: "behaviour" }, "Keyboard and calendar"),
    h(
      "div",
      { class: "setting" },
      h("label", { for: "shortcuts" }, "Single-key shortcuts"),
      h("input", {
        type: "checkbox",
        id: "shortcuts",
        role: "switch",
        "aria-describedby": "shortcuts-hint",
        checked: settings.shortcuts,
        onchange: (event) => save({ shortcuts: event.target.checked }),
      }),
      h(
        "p",
        { class: "hint", id: "shortcuts-hint" },
        "Letters such as n or / act on a page. Turn them off if you dictate, or press keys by accident. Keys with Ctrl always work.",
      ),
    ),
    h(
      "div",
      { class: "setting" },
      h("label", { for: "week-start" }, "First day of the week"),
      h(
        "select",
        { id: "week-start", value: settings.week_start, onchange: (event) => save({ week_start: event.target.value }) },
        Object.entries(days).map(([value, words]) => h("option", { value }, words)),
      ),
    ),
  );
}

async function end(session) {
  try {
    await sendJSON("DELETE", `/api/sessions/${session.id}`);
    tell(`${session.name} is logged out.`);
    await shown.refresh();
    document.getElementById("browsers")?.focus();
  } catch (error) {
    tellError(error);
  }
}

const keyOf = () => localStorage.getItem("hub-key") ?? "";

function browsers(sessions) {
  const row = (session) =>
    h(
      "li",
      { key: session.id },
      h(
        "span",
        { class: "about" },
        h("strong", null, session.name),
        h("span", { class: "hint" }, session.is_current ? "This browser" : `Logged in ${ago(session.since)}`),
      ),
      !session.is_current &&
        h(
          "button",
          {
            type: "button",
            "aria-label": `Log out ${session.name}, logged in ${ago(session.since)}`,
            onclick: () => end(session),
          },
          "Log out",
        ),
    );
  const everywhere = h(
    "form",
    { class: "logout", method: "post", action: "/logout", onformdata: (event) => event.formData.set("key", keyOf()) },
    h("button", { name: "everywhere", value: "yes", class: "danger" }, "Log out all browsers"),
  );
  return h(
    "section",
    { "aria-labelledby": "browsers", key: "browsers" },
    h("h2", { id: "browsers", tabindex: "-1" }, "Logged-in browsers"),
    h("ul", { class: "sessions" }, sessions.map(row)),
    sessions.length > 1 && everywhere,
  );
}
