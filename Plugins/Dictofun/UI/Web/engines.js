// The engines that turn speech into text: what is there, what each lacks, and how well one hears.
import { number, sentence } from "/assets/components/format.js";
import { iconButton } from "/assets/components/icons.js";
import { h } from "/assets/components/patch.js";
import { tellError } from "/assets/components/undoable.js";
import { getJSON, sendJSON } from "/assets/hub.js";
import { toast } from "/assets/toast.js";
import { heading, show } from "/dictofun/page.js";

// The one that is installed with a line comes first.
const names = {
  "faster-whisper": "faster-whisper",
  whisper: "whisper.cpp",
  pocketsphinx: "PocketSphinx",
  command: "Your command",
  http: "Web service",
};
const places = Object.keys(names);
const results = new Map();

/** Shows all engines. */
export function drawEngines() {
  const shown = show({
    read: (signal) => getJSON("/api/dictofun/engines", { signal }),
    draw: (engines) => [
      heading("Engines"),
      h(
        "p",
        { class: "hint", key: "about" },
        engines.some(({ is_ready: isReady }) => isReady)
          ? "New records are transcribed by the engine in use."
          : "No engine is installed yet. Any one of these can transcribe speech.",
      ),
      h(
        "ul",
        { class: "cards", key: "engines" },
        [...engines]
          .sort(
            (one, other) =>
              other.is_default - one.is_default || other.is_ready - one.is_ready || places.indexOf(one.name) - places.indexOf(other.name),
          )
          .map((engine) => card(engine, test)),
      ),
    ],
  });

  async function test({ name }) {
    results.set(name, { isBusy: true });
    shown.redraw();
    try {
      const { body } = await sendJSON("POST", "/api/dictofun/engines/test", { engine: name });
      results.set(name, body);
    } catch (error) {
      results.delete(name);
      tellError(error);
    }
    shown.redraw();
  }
}

// What an engine lacks, and the command that gives it.
function lacking(detail) {
  const [, reason, how] = detail.match(/^(.*?): (.+)$/s) ?? [null, detail, null];
  // The name of a program stays as it is written.
  const words = h("p", { class: "hint" }, /^\w+-/.test(reason) ? `${reason}.` : sentence(reason));
  if (how === null) return words;
  if (/^(hub|python3|apt) /.test(how)) {
    const copy = () => navigator.clipboard.writeText(how).then(() => toast("Command copied."), tellError);
    // A long name is broken between its parts.
    const parts = how.split(/(?<=[./])/).flatMap((part, place) => (place ? [h("wbr", null), part] : [part]));
    return [words, h("div", { class: "setup" }, h("code", null, parts), iconButton("copy", "Copy the command", copy))];
  }
  const place = how.search(/https:/);
  const link = place < 0 ? null : h("a", { href: how.slice(place), target: "_blank", rel: "noreferrer" }, how.slice(place));
  return [words, h("p", { class: "hint" }, link ? [sentence(how.slice(0, place).replace(/: $/, "")), " ", link] : sentence(how))];
}

function card(engine, test) {
  const { name, label, detail, is_ready: isReady, is_default: isDefault } = engine;
  const result = results.get(name);
  return h(
    "li",
    { class: "card engine", key: name },
    h("h3", null, names[name] ?? name, h("span", { class: "badge" }, isDefault ? "In use" : isReady ? "Ready" : "Not set up")),
    isReady && label !== name && h("p", null, label),
    isReady ? h("p", { class: "hint" }, sentence(detail)) : lacking(detail),
    h(
      "div",
      { role: "status" },
      result &&
        !result.isBusy && [
          h(
            "p",
            null,
            `${number(result.accuracy_percent / 100, { style: "percent" })} of the words right, ` +
              `${number(Number(result.speed))} times as fast as speech.`,
          ),
          h("p", { class: "hint" }, `Heard: “${result.heard}”`),
        ],
    ),
    isReady &&
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            "aria-busy": result?.isBusy ? "true" : null,
            disabled: result?.isBusy,
            "aria-label": `Test ${names[name] ?? name}`,
            onclick: () => test(engine),
          },
          result?.isBusy ? "Listening…" : "Test",
        ),
      ),
  );
}
