// The recorders: battery, storage, what is on its way, and pairing.
import { textField } from "/assets/components/fields.js";
import { ago, counted, fileSize, number, sentence } from "/assets/components/format.js";
import { icon, labelledButton } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { create, h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { tellError } from "/assets/components/undoable.js";
import { ask, choose, makeDialog } from "/assets/dialog.js";
import { follow, getJSON, sendJSON } from "/assets/hub.js";
import { toast } from "/assets/toast.js";
import { heading, refresh, show } from "/dictofun/page.js";

const retryAfter = 2000;
const doing = { scanning: "Looking for recorders…", pairing: "Pairing…", unpairing: "Unpairing…", syncing: "Looking for the recorder…" };
const phases = { connecting: "Connecting…", listing: "Looking for new records…", receiving: "Fetching", finishing: "Finishing…" };
/** @type {Dictofun.Activity} */
let activity = { kind: "idle" };

const isBusy = () => Object.hasOwn(doing, activity.kind);

/** Shows the recorders, and follows what is done with them. */
export function drawRecorders() {
  const closing = new AbortController();
  const shown = show({
    topics: ["app.dictofun/*"],
    read: (signal) => getJSON("/api/dictofun/devices", { signal }),
    draw: (devices) => [
      heading("Recorders", { actions: !isBusy() && devices.length > 0 && labelledButton("search", "Find recorders", scan) }),
      devices.length > 0 && h("p", { class: "hint", key: "about" }, "New records are fetched as soon as a recorder is in range."),
      work(),
      found(devices),
      devices.length > 0 && h("ul", { class: "cards", key: "devices" }, devices.map(card)),
      !devices.length && !isBusy() && !activity.found?.length && nothing(),
    ],
    closed: () => closing.abort(),
  });
  listen(shown, closing.signal);
}

// What is done goes on in hub; this only looks.
async function listen(shown, signal) {
  while (!signal.aborted) {
    await follow(
      "/api/dictofun/activity",
      signal,
      () => {},
      (data) => {
        const before = activity;
        activity = JSON.parse(data);
        const hasEnded = Object.hasOwn(before, "ended") && before.ended !== activity.ended;
        if (hasEnded && activity.result) toast(sentence(activity.result));
        // The service listens and pauses in turn.
        const isSame = [before, activity].every(({ kind }) => kind === "idle" || kind === "listening");
        if (hasEnded || (before.kind !== activity.kind && !isSame)) shown.refresh();
        else shown.redraw();
      },
    );
    if (!signal.aborted)
      await new Promise((wake) => {
        setTimeout(wake, retryAfter);
      });
  }
}

const nothing = () =>
  empty("No recorder is paired", {
    picture: "microphone",
    words:
      "Press the button of your Dictofun recorder, then find it here: it is visible for some seconds after a recording. " +
      "hub then fetches new records automatically.",
    actions: [labelledButton("search", "Find recorders", scan, { class: "main" })],
  });

async function begin(what, value = {}) {
  try {
    await sendJSON("POST", `/api/dictofun/${what}`, value);
  } catch (error) {
    tellError(error);
  }
}

const scan = () => begin("scan");

// Current activity, or why it failed.
function work() {
  if (!isBusy()) {
    const { error } = activity;
    return (
      error &&
      h(
        "div",
        { class: "callout", key: "error" },
        h("p", null, h("strong", null, sentence(error.message ?? ""))),
        error.hint && h("p", null, sentence(error.hint)),
      )
    );
  }
  const { progress, device } = activity;
  const isMoving = progress?.phase === "receiving";
  const words = !progress
    ? doing[activity.kind]
    : isMoving
      ? `Fetching record ${number(Math.min(progress.received + 1, progress.new))} of ${number(progress.new)}`
      : phases[progress.phase];
  return h(
    "section",
    { class: "panel transfer", key: "work", "aria-label": "Current activity" },
    h("p", null, h("strong", null, words), device && h("span", { class: "hint" }, device)),
    isMoving && progress.total_bytes > 0
      ? h("progress", { key: "share", max: progress.total_bytes, value: progress.bytes, "aria-label": "Transfer" })
      : h("progress", { key: "wait", "aria-label": words }),
    h(
      "div",
      { class: "toolbar" },
      h("span", { class: "hint grow" }, isMoving && `${fileSize(progress.bytes)} of ${fileSize(progress.total_bytes)}`),
      h("button", { type: "button", onclick: () => begin("cancel") }, "Cancel"),
    ),
  );
}

function found(devices) {
  const others = activity.found?.filter(({ address }) => !devices.some((device) => device.address === address));
  if (!others || isBusy()) return null;
  if (!others.length)
    return devices.length || activity.result
      ? null
      : h("p", { class: "callout", key: "found" }, "No recorder was found. Press its button, then try again.");
  return h(
    "section",
    { key: "found", "aria-label": "Found recorders" },
    h("h3", null, "Found nearby"),
    h(
      "ul",
      { class: "cards" },
      others.map(({ address, name, signal }) =>
        h(
          "li",
          { class: "card with-button", key: address },
          icon("microphone"),
          h(
            "span",
            { class: "grow" },
            h("strong", null, name),
            h("span", { class: "hint" }, [address, signal !== null && `${number(signal)} dBm`].filter(Boolean).join(" · ")),
          ),
          h("button", { type: "button", class: "main", "aria-label": `Pair ${name}`, onclick: () => begin("pair", { address }) }, "Pair"),
        ),
      ),
    ),
  );
}

function card(device) {
  const { address, name, battery_percent: battery, storage_percent: storage, files, hardware, seen_at: seen, synced_at: synced } = device;
  const isLow = battery !== null && battery <= 12;
  return h(
    "li",
    { class: "card device", key: address },
    h(
      "header",
      null,
      icon("microphone"),
      h("h3", null, name),
      !isBusy() &&
        labelledButton("sync", "Fetch records", () => begin("sync", { address }), { "aria-label": `Fetch records from ${name}` }),
      !isBusy() &&
        menuButton({
          label: `Actions for ${name}`,
          items: () => [
            { words: "Rename…", picture: "edit", act: () => rename(device) },
            null,
            { words: "Unpair…", picture: "close", isDanger: true, act: () => unpair(device) },
          ],
        }),
    ),
    h(
      "dl",
      { class: "lines" },
      meter(
        "Battery",
        "battery",
        battery,
        battery === null ? "not known" : `${number(battery / 100, { style: "percent" })}${isLow ? ", low: charge it" : ""}`,
      ),
      meter(
        "Storage",
        "storage",
        storage,
        storage === null ? "not known" : `${number(storage / 100, { style: "percent" })} in use, ${counted(files, "file")}`,
      ),
      fact("Last seen", "clock", [seen ? ago(seen) : "never", synced && `all records fetched ${ago(synced)}`].filter(Boolean).join(", ")),
      fact("Recorder", "info", [hardware && `board ${hardware}`, address].filter(Boolean).join(", ")),
    ),
  );
}

const fact = (words, picture, value) => h("div", { class: "line", key: words }, h("dt", null, icon(picture), words), h("dd", null, value));

function meter(words, picture, percent, value) {
  return h(
    "div",
    { class: "line", key: words },
    h("dt", null, icon(picture), words),
    h("dd", null, value, percent !== null && h("progress", { max: "100", value: percent, "aria-label": words })),
  );
}

async function rename({ address, name }) {
  const field = textField({ name: "name", label: "Name", value: name, autocomplete: "off" });
  const form = create(
    h(
      "form",
      { method: "dialog", class: "form" },
      field.element,
      h(
        "div",
        { class: "actions" },
        h("button", { value: "", type: "button", onclick: (event) => event.target.closest("dialog").close("") }, "Cancel"),
        h("button", { value: "save", class: "main" }, "Save"),
      ),
    ),
  );
  field.input().autofocus = true;
  if ((await ask(makeDialog("rename", "Name of the recorder", form))) !== "save") return;
  try {
    await sendJSON("PUT", `/api/dictofun/devices/${encodeURIComponent(address)}`, { name: field.read() });
    await refresh();
  } catch (error) {
    tellError(error);
  }
}

async function unpair({ address, name }) {
  const answer = await choose({
    title: `Unpair ${name}?`,
    id: "unpair",
    text: "Its records are kept here. To use it again, pair it again.",
    choices: [
      { value: "", words: "Cancel" },
      { value: "unpair", words: "Unpair", class: "danger" },
    ],
  });
  if (answer === "unpair") await begin("unpair", { address });
}
