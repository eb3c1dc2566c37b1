// The settings of all pages. Each one is saved when it is changed.
import { age, make } from "/assets/dom.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { tell, tellError } from "/assets/toast.js";

const view = document.getElementById("settings");
const root = document.documentElement;
const schemes = { auto: "Automatic", light: "Light", dark: "Dark" };
const days = { mon: "Monday", tue: "Tuesday", wed: "Wednesday", thu: "Thursday", fri: "Friday", sat: "Saturday", sun: "Sunday" };

function apply({ scheme, theme, themes, shortcuts, week_start: weekStart }) {
  if (scheme === "auto") delete root.dataset.scheme;
  else root.dataset.scheme = scheme;
  root.dataset.theme = theme === themes[0] ? "" : (theme ?? "");
  if (shortcuts) delete root.dataset.shortcuts;
  else root.dataset.shortcuts = "off";
  root.dataset.weekStart = weekStart;
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
    await draw();
  }
}

function choice(name, value, words, isChosen, change, sample = null) {
  const input = make("input", { type: "radio", name, value, id: `${name}-${value.replaceAll(" ", "-")}`, change: () => change(value) });
  input.checked = isChosen;
  return make("label", { class: "option", for: input.id }, input, sample, make("span", { text: words }));
}

const sample = (theme, scheme) =>
  make(
    "span",
    { class: "sample house", "data-theme": theme, "data-scheme": scheme, "aria-hidden": "true" },
    make("span", { class: "sample-bar" }),
    make("span", { class: "sample-page" }, make("span", { class: "sample-button" })),
  );

const group = (legend, ...parts) => make("fieldset", { class: "options" }, make("legend", { text: legend }), ...parts);

function appearance(settings) {
  return make(
    "section",
    { "aria-labelledby": "appearance" },
    make("h2", { id: "appearance", text: "Appearance" }),
    group(
      "Light or dark",
      ...Object.entries(schemes).map(([value, words]) =>
        choice(
          "scheme",
          value,
          words,
          value === settings.scheme,
          (scheme) => save({ scheme }),
          value === "auto"
            ? make("span", { class: "samples", "aria-hidden": "true" }, sample("", "light"), sample("", "dark"))
            : sample("", value),
        ),
      ),
    ),
    settings.themes.length > 1
      ? group(
          "Theme",
          ...settings.themes.map((name, place) =>
            choice(
              "theme",
              name,
              place ? name : "Standard",
              name === settings.theme,
              (theme) => save({ theme }),
              sample(place ? name : "", null),
            ),
          ),
        )
      : null,
  );
}

function behaviour(settings) {
  const keys = make("input", {
    type: "checkbox",
    id: "shortcuts",
    role: "switch",
    "aria-describedby": "shortcuts-hint",
    change: () => save({ shortcuts: keys.checked }),
  });
  keys.checked = settings.shortcuts;
  const week = make(
    "select",
    { id: "week-start", change: () => save({ week_start: week.value }) },
    ...Object.entries(days).map(([value, words]) => make("option", { value, text: words })),
  );
  week.value = settings.week_start;
  return make(
    "section",
    { "aria-labelledby": "behaviour" },
    make("h2", { id: "behaviour", text: "Keyboard and calendar" }),
    make(
      "div",
      { class: "setting" },
      make("label", { for: "shortcuts", text: "Single-key shortcuts" }),
      keys,
      make("p", {
        class: "hint",
        id: "shortcuts-hint",
        text: "Letters such as n or / act on a page. Turn them off if you dictate, or press keys by accident. Keys with Ctrl always work.",
      }),
    ),
    make("div", { class: "setting" }, make("label", { for: "week-start", text: "First day of the week" }), week),
  );
}

async function end(session) {
  try {
    await sendJSON("DELETE", `/api/sessions/${session.id}`);
    tell(`${session.name} is logged out.`);
    await draw();
    document.getElementById("browsers")?.focus();
  } catch (error) {
    tellError(error);
  }
}

function browsers(sessions) {
  const row = (session) =>
    make(
      "li",
      {},
      make(
        "span",
        { class: "about" },
        make("strong", { text: session.name }),
        make("span", { class: "hint", text: session.is_current ? "This browser" : `Logged in ${age(session.since)}` }),
      ),
      session.is_current
        ? null
        : make("button", {
            type: "button",
            "aria-label": `Log out ${session.name}, logged in ${age(session.since)}`,
            click: () => end(session),
            text: "Log out",
          }),
    );
  const everywhere = make(
    "form",
    {
      class: "logout",
      method: "post",
      action: "/logout",
      formdata: (event) => event.formData.set("key", localStorage.getItem("hub-key") ?? ""),
    },
    make("button", { name: "everywhere", value: "yes", class: "danger", text: "Log out all browsers" }),
  );
  return make(
    "section",
    { "aria-labelledby": "browsers" },
    make("h2", { id: "browsers", tabindex: "-1", text: "Logged-in browsers" }),
    make("ul", { class: "sessions" }, ...sessions.map(row)),
    sessions.length > 1 ? everywhere : null,
  );
}

async function draw() {
  try {
    const [settings, sessions] = await Promise.all([getJSON("/api/settings"), getJSON("/api/sessions")]);
    view.replaceChildren(appearance(settings), behaviour(settings), browsers(sessions));
  } catch (error) {
    view.replaceChildren(make("p", { class: "empty", text: error.message }));
  } finally {
    view.removeAttribute("aria-busy");
  }
}

draw();
