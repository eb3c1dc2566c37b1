// The one player of the page: what it plays goes on while lists and views change.
import { sentence } from "/assets/components/format.js";
import { iconButton } from "/assets/components/icons.js";
import { menuButton } from "/assets/components/menu.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { mediaAddress } from "/assets/hub.js";
import { toast } from "/assets/toast.js";
import { address, state } from "/dictofun/page.js";
import { showPlace, waveform } from "/dictofun/waveform.js";
import { clock, lengthClock, recordedWords } from "/dictofun/words.js";

const step = 5000;
const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
const kept = "dictofun-speed";
/** @type {HTMLAudioElement} */
const sound = document.querySelector("#sound");
const bar = document.getElementById("now");
const listeners = new Set();
/** @type {Dictofun.Playable | null} */
let record = null;
let speed = speeds.includes(Number(localStorage.getItem(kept))) ? Number(localStorage.getItem(kept)) : 1;
let retries = 0;

/**
 * Calls `moved(record, place, isPlaying)` while a record plays or when the place changes, and `changed()` when playing, record
 * or speed change.
 * @param {Dictofun.PlayerListener} listener
 */
export function onPlayer({ moved = () => {}, changed = () => {} }) {
  listeners.add({ moved, changed });
}

const isPlaying = () => record !== null && !sound.paused && !sound.ended;
const isOf = (other) => other !== null && record?.id === other.id;

/**
 * The place in `other` in milliseconds; the beginning if it is not the one that plays.
 * @param {Dictofun.Playable | null} other
 * @returns {number}
 */
export const placeIn = (other) => (isOf(other) ? Math.min(sound.currentTime * 1000, other.length_ms) : 0);

/**
 * The record that is in the player, or null.
 * @returns {Dictofun.Playable | null}
 */
export const playedRecord = () => record;

// Of a file whose codec the browser does not know, hub sends WAV instead.
async function load(other, place, isConverted = false) {
  const { id, length_ms, recorded_at, is_time_unknown } = other;
  record = { id, length_ms, recorded_at, is_time_unknown };
  sound.pause();
  const url = await mediaAddress(`/api/dictofun/records/${encodeURIComponent(id)}/sound`);
  if (record?.id !== id) return false;
  sound.src = isConverted ? `${url}&converted=1` : url;
  sound.currentTime = place / 1000;
  sound.playbackRate = sound.defaultPlaybackRate = speed;
  return true;
}

/**
 * Plays `other`, or pauses it.
 * @param {Dictofun.Playable} other
 * @returns {Promise<void>}
 */
export async function toggle(other) {
  try {
    if (isOf(other)) {
      if (isPlaying()) return sound.pause();
    } else {
      retries = 0;
      if (!(await load(other, 0))) return;
    }
    await sound.play();
  } catch (error) {
    if (!isHandled(error)) tellFailure(error);
  }
}

/**
 * Moves to a place in milliseconds; `plays` also begins to play.
 * @param {Dictofun.Playable} other
 * @param {number} place
 * @param {{ plays?: boolean }} options
 * @returns {Promise<void>}
 */
export async function seek(other, place, { plays = false } = {}) {
  try {
    if (isOf(other)) sound.currentTime = place / 1000;
    else if (!(await load(other, place))) return;
    move();
    if (plays && !isPlaying()) await sound.play();
  } catch (error) {
    if (!isHandled(error)) tellFailure(error);
  }
}

/**
 * Moves on by some milliseconds, or back.
 * @param {Dictofun.Playable} other
 * @param {number} by
 * @returns {Promise<void>}
 */
export const skip = (other, by) => seek(other, Math.max(0, Math.min(other.length_ms, placeIn(other) + by)));

/**
 * Plays faster or slower by a number of steps.
 * @param {number} by
 */
export function changeSpeed(by) {
  setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(speed) + by))]);
}

function setSpeed(value) {
  speed = value;
  localStorage.setItem(kept, String(value));
  sound.playbackRate = sound.defaultPlaybackRate = value;
  change();
}

/**
 * Forgets the record when it is no longer there.
 * @param {string} id
 */
export function drop(id) {
  if (record?.id !== id) return;
  sound.pause();
  sound.removeAttribute("src");
  record = null;
  change();
}

// What the browser itself says is for programmers.
const reasons = {
  NotAllowedError: "the browser requires a click on the page first",
  NotSupportedError: "the browser does not support its format",
};

// Of a file that cannot be played the element tells too, and that is tried in another way.
const isHandled = (error) => error.name === "AbortError" || (error.name === "NotSupportedError" && sound.error !== null);

function tellFailure(error) {
  record = null;
  change();
  toast(`The sound cannot be played. ${sentence(reasons[error.name] ?? error.message)}`, { isError: true });
}

// A ticket ends when hub is started again, and some codecs are not known: once more with a new ticket, then as WAV.
sound.addEventListener("error", async () => {
  if (!record || !sound.getAttribute("src")) return;
  const [other, place, wasPlaying] = [record, sound.currentTime * 1000, !sound.paused];
  if (retries === 2) return tellFailure(new Error(reasons.NotSupportedError));
  retries += 1;
  try {
    if ((await load(other, place, retries === 2)) && wasPlaying) await sound.play();
  } catch (error) {
    if (!isHandled(error)) tellFailure(error);
  }
});

// Showing

function change() {
  drawBar();
  for (const { changed } of listeners) changed();
}

function move() {
  if (!record) return;
  const place = placeIn(record);
  for (const { moved } of listeners) moved(record, place, isPlaying());
}

function run() {
  move();
  if (isPlaying()) requestAnimationFrame(run);
}

for (const type of ["play", "pause", "ended", "loadedmetadata"]) sound.addEventListener(type, change);
sound.addEventListener("playing", () => {
  retries = 0;
  run();
});
for (const type of ["timeupdate", "seeked", "ended"]) sound.addEventListener(type, move);

onPlayer({
  moved: (played, place) => {
    for (const element of document.querySelectorAll(`[data-plays="${CSS.escape(played.id)}"]`)) {
      const words = clock(place);
      if (element.matches(".wave")) showPlace(element, place, played.length_ms);
      else if (element.textContent !== words) element.textContent = words;
    }
  },
});

const playWords = (other) => (isOf(other) && isPlaying() ? "Pause" : "Play");

/**
 * The waveform and the buttons of a record.
 * @param {Dictofun.Playable} other
 * @returns {Hub.Description}
 */
export function playerOf(other) {
  const wave = waveform(
    other,
    () => placeIn(other),
    (place) => seek(other, place),
  );
  Object.assign(wave.properties, { "data-plays": other.id });
  return h(
    "section",
    { class: "player", key: "player", "aria-label": "Player" },
    wave,
    h(
      "div",
      { class: "player-times" },
      h("span", { "data-plays": other.id }, clock(placeIn(other))),
      h("span", null, lengthClock(other.length_ms)),
    ),
    h(
      "div",
      { class: "player-buttons" },
      menuButton({
        label: "Speed",
        words: `${speed}×`,
        items: () => speeds.map((value) => ({ words: `${value}×`, act: () => setSpeed(value), isChecked: value === speed })),
        properties: { class: "quiet menu-button speed", "aria-label": `Speed ${speed}×` },
      }),
      iconButton("back-5", "Back 5 seconds", () => skip(other, -step)),
      iconButton(playWords(other) === "Pause" ? "pause" : "play", playWords(other), () => toggle(other), {
        class: "icon-button play",
        ...keyed(" "),
      }),
      iconButton("forward-5", "Forward 5 seconds", () => skip(other, step)),
      h("span", { class: "speed-space" }),
    ),
  );
}

/** The player while another record, or another view, is shown. */
export function drawBar() {
  const isAway = record !== null && (state.id !== record.id || (state.view !== null && state.view !== "edit"));
  bar.hidden = !isAway;
  if (!isAway) return patch(bar);
  patch(
    bar,
    iconButton(playWords(record) === "Pause" ? "pause" : "play", playWords(record), () => toggle(record), { class: "icon-button play" }),
    h(
      "a",
      { href: address({ id: record.id, view: null }) },
      h("span", { class: "title" }, recordedWords(record)),
      h("span", { class: "hint" }, h("span", { "data-plays": record.id }, clock(placeIn(record))), ` of ${lengthClock(record.length_ms)}`),
    ),
    iconButton("close", "Stop", () => drop(record.id)),
  );
}
