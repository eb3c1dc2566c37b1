// The phones, programs and machines that use this hub: when they were here, what waits, what was refused, and new ones.
import { ago, counted } from "/assets/components/format.js";
import { create, h } from "/assets/components/patch.js";
import { empty } from "/assets/components/states.js";
import { tell, tellError } from "/assets/components/undoable.js";
import { view } from "/assets/components/view.js";
import { ask, choose, makeDialog } from "/assets/dialog.js";
import { getJSON, sendJSON } from "/assets/hub.js";

/**
 * @typedef {{ name: string, scopes: string[], is_read_only: boolean, seen_at: string | null, program: string, refused: number }} Device
 * @typedef {{ name: string, is_home: boolean, seen_at: string | null, waiting: number | null, refused: number | null,
 *   failure: string }} Machine
 * @typedef {{ number: number, at: string, device: string, item: string, reason: string }} Refusal
 * @typedef {{ address: string | null, devices: Device[], machines: Machine[], refused: Refusal[] }} State
 * @typedef {{ name: string, address: string, password: string | null, line: string | null, code: string | null,
 *   fingerprint: string | null, is_alone: boolean }} Added
 */

const scopes = {
  contacts: "Contacts",
  "each-book": "Each address book by itself",
  tasks: "Tasks",
  notes: "Notes",
  records: "Records",
  files: "Files of other programs",
};
const root = /** @type {HTMLElement} */ (document.getElementById("devices"));

const shown = view(root, {
  topics: ["*"],
  read: (signal) => getJSON("/api/devices", { signal }),
  draw: (/** @type {State} */ state) => (state.address ? [devices(state), machines(state), refused(state)] : off()),
});

const off = () =>
  empty("Phones and other machines are not served yet", {
    picture: "settings",
    words: "Choose the address of this machine in your network: hub config set hub.dav.listen 192.168.1.20:4843. Then add phones here.",
  });

const seen = ({ seen_at: at }) => (at ? `Seen ${ago(at)}` : "Not here yet");

/** @type {(id: string, title: string, ...content: Hub.Child[]) => Hub.Description} */
const section = (id, title, ...content) =>
  h("section", { "aria-labelledby": id, key: id }, h("h2", { id, tabindex: "-1" }, title), ...content);

/** @type {(name: string, details: (string | false | null)[], warning: string, actions: Hub.Child) => Hub.Description} */
const row = (name, details, warning, actions) =>
  h(
    "li",
    { key: name },
    h(
      "span",
      { class: "about" },
      h("strong", { dir: "auto" }, name),
      h("span", { class: "hint" }, details.filter(Boolean).join(" · ")),
      warning && h("span", { class: "hint problem" }, warning),
    ),
    actions,
  );

/** @type {(name: string, words: string) => Hub.Description} */
const removal = (name, words) =>
  h("button", { type: "button", "aria-label": `Remove ${name}`, onclick: () => remove(name, words) }, "Remove");

/** @param {State} state */
function devices({ devices: all, address }) {
  const rows = all.map((device) =>
    row(
      device.name,
      [seen(device), device.program, device.scopes.map((scope) => scopes[scope] ?? scope).join(", "), device.is_read_only && "reads only"],
      device.refused ? `${counted(device.refused, "change")} not stored as sent; see below` : "",
      removal(device.name, "Its password ends at once. What it has changed stays."),
    ),
  );
  return section(
    "phones",
    "Phones and programs",
    h("p", { class: "hint" }, "They find this hub at ", h("bdi", null, address), "."),
    rows.length > 0 && h("ul", { class: "sessions" }, rows),
    h("p", { class: "actions" }, h("button", { type: "button", class: "main", onclick: addDevice }, "Add a phone or program…")),
  );
}

/** @param {State} state */
function machines({ machines: all }) {
  const rows = all.map((machine) =>
    row(
      machine.name,
      [
        seen(machine),
        machine.is_home ? "this machine has joined it" : machine.seen_at ? "has joined this machine" : "its line waits to be used",
        machine.waiting !== null && (machine.waiting ? `${counted(machine.waiting, "change")} to be sent` : "nothing waits"),
      ],
      machine.failure || (machine.refused ? `${counted(machine.refused, "document")} not exchanged: hub machines refused` : ""),
      !machine.is_home && removal(machine.name, "It gets nothing more of this hub. What has come from it stays."),
    ),
  );
  return section(
    "machines",
    "Your other machines",
    rows.length > 0 && h("ul", { class: "sessions" }, rows),
    h("p", { class: "actions" }, h("button", { type: "button", onclick: addMachine }, "Add a machine with hub…")),
  );
}

/** @param {State} state */
function refused({ refused: all }) {
  if (!all.length) return null;
  return section(
    "refused",
    "Not stored as sent",
    h("p", { class: "hint" }, "hub has merged what it could. The whole item as it was sent: hub devices refused NUMBER."),
    h(
      "ul",
      { class: "sessions" },
      all.map((one) => row(`${one.number}: ${one.reason}`, [one.device, ago(one.at), one.item], "", null)),
    ),
  );
}

/** @type {(name: string, text: string) => Promise<void>} */
async function remove(name, text) {
  const answer = await choose({
    id: "remove-device",
    title: `Remove ${name}?`,
    text,
    choices: [
      { value: "", words: "Cancel" },
      { value: "remove", words: "Remove", class: "danger" },
    ],
  });
  if (answer !== "remove") return;
  try {
    await sendJSON("DELETE", `/api/devices/${encodeURIComponent(name)}`);
    tell(`${name} is removed.`);
  } catch (error) {
    tellError(error);
  }
  await shown.refresh();
  document.getElementById("phones")?.focus();
}

const nameField = () =>
  h(
    "p",
    { class: "field" },
    h("label", { for: "device-name" }, "Name"),
    h("input", {
      id: "device-name",
      name: "name",
      required: true,
      pattern: "[a-z0-9][a-z0-9.\\-]*",
      maxlength: 32,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: false,
      "aria-describedby": "device-name-hint",
    }),
    h("span", { class: "hint", id: "device-name-hint" }, "Small letters, digits, - and full stops. It is also the user name."),
  );

/** @type {(name: string, words: string, isChosen: boolean) => Hub.Description} */
const box = (name, words, isChosen) =>
  h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: isChosen }), h("span", null, words));

/**
 * Asks for what a new device is, and adds it.
 * @param {string} title
 * @param {Hub.Child[]} fields
 * @param {(data: FormData) => object} body
 */
async function add(title, fields, body) {
  const form = /** @type {HTMLFormElement} */ (
    create(
      h(
        "form",
        { method: "dialog", class: "form" },
        nameField(),
        fields,
        h(
          "div",
          { class: "actions" },
          h("button", { value: "add", class: "main" }, "Add"),
          h("button", { value: "", formnovalidate: true }, "Cancel"),
        ),
      ),
    )
  );
  if ((await ask(makeDialog("add-device", title, form))) !== "add") return;
  try {
    const { body: added } = await sendJSON("POST", "/api/devices", body(new FormData(form)));
    await shown.refresh();
    await tellOnce(added);
  } catch (error) {
    tellError(error);
  }
  await shown.refresh();
}

const addDevice = () =>
  add(
    "Add a phone or program",
    [
      h(
        "fieldset",
        { class: "checks" },
        h("legend", null, "What it may use"),
        Object.entries(scopes).map(([scope, words]) => box(scope, words, scope === "contacts" || scope === "tasks")),
      ),
      box("is_read_only", "It may read, and change nothing", false),
    ],
    (data) => ({
      name: data.get("name"),
      scopes: Object.keys(scopes).filter((scope) => data.has(scope)),
      is_read_only: data.has("is_read_only"),
    }),
  );

const addMachine = () =>
  add("Add a machine with hub", [h("p", { class: "hint" }, "It gets all that this one has, and both are kept the same.")], (data) => ({
    name: data.get("name"),
    is_hub: true,
  }));

/** @type {(name: string, value: string) => Hub.Description[]} */
const fact = (name, value) => [h("dt", null, name), h("dd", null, h("code", { class: "secret" }, value))];

/**
 * Shows how the new one gets in; it is told this once.
 * @param {Added} added
 */
async function tellOnce({ name, address, password, line, code, fingerprint, is_alone: isAlone }) {
  const picture = code && URL.createObjectURL(new Blob([code], { type: "image/svg+xml" }));
  const how = line
    ? "Run this on the other machine within ten minutes. It holds for one machine."
    : "Enter this in a program for CardDAV, CalDAV or WebDAV. The password is shown this once.";
  const dialog = makeDialog(
    "device-added",
    `${name} is added`,
    create(h("p", null, how)),
    create(
      h(
        "dl",
        { class: "facts" },
        line ? fact("Command", line) : [fact("Address", address), fact("User", name), fact("Password", password ?? "")],
      ),
    ),
  );
  if (picture)
    dialog.append(
      create(
        h(
          "figure",
          { class: "code" },
          h("img", {
            src: picture,
            alt: line ? "The line as a code" : "Address, user and password as a code for DAVx5",
            width: 240,
            height: 240,
          }),
          h(
            "figcaption",
            { class: "hint" },
            line ? "The line as a code." : "Android: scan this with DAVx5. iPhone, iPad, Mac: run hub devices profile.",
          ),
        ),
      ),
    );
  if (fingerprint) dialog.append(create(h("p", { class: "hint" }, "Fingerprint of the certificate: ", h("code", null, fingerprint))));
  if (isAlone)
    dialog.append(
      create(h("p", { class: "hint problem" }, "No other machine reaches this address: hub.dav.listen is one of this machine alone.")),
    );
  dialog.append(create(h("form", { method: "dialog", class: "actions" }, h("button", { class: "main", autofocus: true }, "Done"))));
  await ask(dialog);
  if (picture) URL.revokeObjectURL(picture);
}
