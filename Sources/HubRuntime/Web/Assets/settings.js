// The settings of all pages. Each one is saved when it is changed.
import { ago, sentence } from "/assets/components/format.js";
import { h } from "/assets/components/patch.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { disablePush, enablePush, pushSupport } from "/assets/push.js";

const { dataset } = document.documentElement;
const schemes = { auto: "Automatic", light: "Light", dark: "Dark" };
const days = { mon: "Monday", tue: "Tuesday", wed: "Wednesday", thu: "Thursday", fri: "Friday", sat: "Saturday", sun: "Sunday" };

const clocks = { auto: "As the language has it", "12h": "9:05 PM", "24h": "21:05" };
// Languages and countries whose formats are offered; hub config set takes any.
const locales = [
  "ar_EG cs_CZ da_DK de_AT de_CH de_DE el_GR en_AU en_CA en_GB en_IE en_IN en_US es_ES es_MX et_EE fi_FI fr_CA fr_CH fr_FR he_IL",
  "hi_IN hr_HR hu_HU it_IT ja_JP ko_KR lt_LT lv_LV nb_NO nl_BE nl_NL pl_PL pt_BR pt_PT ro_RO sk_SK sl_SI sv_SE tr_TR uk_UA zh_CN zh_TW",
].flatMap((line) => line.split(" "));

const shown = view(/** @type {HTMLElement} */ (document.getElementById("settings")), {
  read: (signal) => Promise.all(["/api/settings", "/api/sessions", "/api/push"].map((url) => getJSON(url, { signal }))),
  draw: ([settings, sessions, push]) => [appearance(settings), formats(settings), behaviour(settings), messages(push), browsers(sessions)],
});

function apply({ scheme, theme, themes, shortcuts, clock, locale, week_start: weekStart }) {
  if (scheme === "auto") delete dataset.scheme;
  else dataset.scheme = scheme;
  dataset.theme = theme === themes[0] ? "" : (theme ?? "");
  if (shortcuts) delete dataset.shortcuts;
  else dataset.shortcuts = "off";
  dataset.weekStart = weekStart;
  if (clock === "auto") delete dataset.clock;
  else dataset.clock = clock;
  if (locale) dataset.locale = locale.replace("_", "-");
  else delete dataset.locale;
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

function choice(name, value, words, isChosen, change, sample) {
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

/** @type {(name: string) => string} */
const tagOf = (name) => name.replace("_", "-").split(/[.@]/)[0];

function localeWords(name) {
  const names = new Intl.DisplayNames(document.documentElement.lang || "en", { type: "language" });
  try {
    return sentence(names.of(tagOf(name)) ?? name).slice(0, -1);
  } catch {
    return name;
  }
}

// A date, a time and a number as they will be.
function example({ locale, clock }) {
  const tags = [tagOf(locale ?? ""), ...navigator.languages].filter(Boolean);
  const now = new Date(2026, 10, 28, 21, 5);
  try {
    const time = new Intl.DateTimeFormat(tags, { dateStyle: "long", timeStyle: "short", hourCycle: { "12h": "h12", "24h": "h23" }[clock] });
    return `${time.format(now)} · ${new Intl.NumberFormat(tags).format(1234567.5)}`;
  } catch {
    return "";
  }
}

/** @param {Hub.Child} [hint] what stands below the choice */
function chosen(id, label, value, options, change, hint = null) {
  return h(
    "div",
    { class: "setting" },
    h("label", { for: id }, label),
    h(
      "select",
      { id, value, "aria-describedby": hint && `${id}-hint`, onchange: (event) => change(event.target.value) },
      options.map(([option, words]) => h("option", { value: option }, words)),
    ),
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint),
  );
}

function formats(settings) {
  const offered = locales.map((name) => [name, localeWords(name)]).toSorted((one, other) => one[1].localeCompare(other[1]));
  const isOffered = !settings.locale || locales.includes(settings.locale);
  return h(
    "section",
    { "aria-labelledby": "formats", key: "formats" },
    h("h2", { id: "formats" }, "Dates and numbers"),
    chosen(
      "locale",
      "Language of dates and numbers",
      settings.locale ?? "",
      [["", "As this browser"], ...(isOffered ? [] : [[settings.locale, localeWords(settings.locale)]]), ...offered],
      (name) => save({ locale: name || null }),
      h("bdi", null, example(settings)),
    ),
    chosen("clock", "Hours", settings.clock, Object.entries(clocks), (clock) => save({ clock })),
    chosen("week-start", "First day of the week", settings.week_start, Object.entries(days), (day) => save({ week_start: day })),
  );
}

function behaviour(settings) {
  return h(
    "section",
    { "aria-labelledby": "behaviour", key: "behaviour" },
    h("h2", { id: "behaviour" }, "Keyboard"),
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
  );
}

const pushWords = {
  ready: "Reminders, birthdays, price alerts and requests for access, also while hub is closed here. They are encrypted on the way.",
  insecure: "This browser allows messages only over a connection that it trusts.",
  missing: "This browser has no messages for web pages. On an iPhone or iPad, add hub to the home screen first.",
  denied: "Messages of hub are blocked in the settings of this browser.",
};

async function changePush(isWanted) {
  try {
    if (!isWanted) {
      await disablePush();
      tell("No more messages on this device.");
    } else if (await enablePush()) {
      tell("Messages arrive on this device.");
    } else {
      tell("The browser does not allow messages of hub.");
    }
  } catch (error) {
    tellError(error);
  }
  await shown.refresh();
}

async function testPush() {
  try {
    await sendJSON("POST", "/api/push/test");
    tell("A message is on its way.");
  } catch (error) {
    tellError(error);
  }
}

function messages({ is_on: isOn }) {
  const support = pushSupport();
  return h(
    "section",
    { "aria-labelledby": "messages", key: "messages" },
    h("h2", { id: "messages" }, "Messages on this device"),
    h(
      "div",
      { class: "setting" },
      h("label", { for: "push" }, "Show messages"),
      h("input", {
        type: "checkbox",
        id: "push",
        role: "switch",
        "aria-describedby": "push-hint",
        checked: isOn,
        disabled: support !== "ready" && !isOn,
        onchange: (event) => changePush(event.target.checked),
      }),
      h(
        "p",
        { class: "hint", id: "push-hint" },
        pushWords[support],
        support === "insecure" && h("a", { href: "/phone" }, "How this device comes to trust hub"),
      ),
    ),
    isOn && h("button", { type: "button", onclick: testPush }, "Send a test message"),
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
