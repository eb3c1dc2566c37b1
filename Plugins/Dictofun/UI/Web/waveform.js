// The waveform of a record, in which a person moves by pointer, finger and keys.
import { keys } from "/assets/components/keys.js";
import { h } from "/assets/components/patch.js";
import { getJSON } from "/assets/hub.js";
import { clock, lengthWords } from "/dictofun/words.js";

const maximumKept = 20;
const svg = "http://www.w3.org/2000/svg";
// The distance of two bars in pixels.
const pitch = 4;
const read = new Map();

function columnsOf(id) {
  const found =
    read.get(id) ?? getJSON(`/api/dictofun/records/${encodeURIComponent(id)}/waveform?columns=600`).then(({ columns }) => columns);
  read.delete(id);
  read.set(id, found);
  found.catch(() => read.delete(id));
  if (read.size > maximumKept) read.delete(read.keys().next().value);
  return found;
}

/**
 * The waveform of `record`, at `place` in milliseconds; `seek(place)` moves there.
 * @param {Dictofun.Playable} record
 * @param {() => number} place
 * @param {(place: number) => unknown} seek
 * @returns {Hub.Description}
 */
export function waveform(record, place, seek) {
  const length = record.length_ms;
  const to = (wanted) => seek(Math.max(0, Math.min(length, wanted)));
  const steps = { ArrowRight: 5000, ArrowUp: 5000, ArrowLeft: -5000, ArrowDown: -5000, PageUp: 30_000, PageDown: -30_000 };
  const at = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    to(((event.clientX - left) / width) * length);
  };
  return h("div", {
    class: "wave",
    key: `wave ${record.id}`,
    keep: true,
    role: "slider",
    tabindex: "0",
    "aria-label": "Position in the record",
    "aria-valuemin": "0",
    "aria-valuemax": Math.round(length / 1000),
    created: (element) => {
      fill(element, record.id);
      showPlace(element, place(), length);
    },
    onkeydown: keys((event) => {
      const now = place();
      const wanted = event.key in steps ? now + steps[event.key] : { Home: 0, End: length }[event.key];
      if (wanted === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      to(wanted);
    }),
    onpointerdown: (event) => {
      if (event.button) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      at(event);
    },
    onpointermove: (event) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) at(event);
    },
  });
}

/**
 * Shows the place on a waveform.
 * @param {HTMLElement} element
 * @param {number} place
 * @param {number} length
 */
export function showPlace(element, place, length) {
  element.style.setProperty("--played", `${length ? Math.min(100, (place / length) * 100) : 0}%`);
  const seconds = String(Math.round(place / 1000));
  if (element.getAttribute("aria-valuenow") === seconds) return;
  element.setAttribute("aria-valuenow", seconds);
  element.setAttribute("aria-valuetext", `${lengthWords(place)} of ${lengthWords(length)}`);
  element.title = clock(place);
}

async function fill(element, id) {
  const paths = ["rest", "played"].map((name) => {
    const picture = document.createElementNS(svg, "svg");
    picture.setAttribute("class", name);
    picture.setAttribute("preserveAspectRatio", "none");
    picture.setAttribute("aria-hidden", "true");
    picture.append(document.createElementNS(svg, "path"));
    element.append(picture);
    return picture;
  });
  const columns = await columnsOf(id).catch(() => []);
  const draw = () => {
    const count = Math.max(1, Math.min(columns.length, Math.floor(element.clientWidth / pitch)));
    let line = "";
    for (let bar = 0; bar < count && columns.length; bar++) {
      const [from, to] = [Math.floor((bar * columns.length) / count), Math.ceil(((bar + 1) * columns.length) / count)];
      const half = Math.max(1, Math.max(...columns.slice(from, to)) * 0.46);
      line += `M${bar + 0.5} ${50 - half}V${50 + half}`;
    }
    for (const picture of paths) {
      picture.setAttribute("viewBox", `0 0 ${count} 100`);
      picture.firstElementChild?.setAttribute("d", line);
    }
  };
  new ResizeObserver(() => {
    if (element.isConnected) draw();
  }).observe(element);
}
