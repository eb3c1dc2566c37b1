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
const sound = /** @type {HTMLAudioElement} */ (document.querySelector("#sound"));
const bar = /** @type {HTMLElement} */ (document.getElementById("now"));
const listeners = new Set();
/** @type {Dictofun.Playable | null} */
let record = null;
let speed = speeds.includes(Number(localStorage.getItem(kept))) ? Number(localStorage.getItem(kept)) : 1;
// The records whose files this browser cannot play: hub sends them as WAV.
const needsWAV = new Set();
const isConverted = () => record !== null && needsWAV.has(record.id);
let hasPlayed = false;
// The element is paused when it cannot play a file: what was wanted is kept here.
let wantsToPlay = false;
// Whether Play has to be pressed once more when the sound is there.
let needsPress = false;
// The number of loads: what an earlier one still answers is ignored.
let loads = 0;

/**
 * Calls `moved(record, place, isPlaying)` while a record plays or when the place changes, and `changed()` when playing, record
 * or speed change.
 * @param {Dictofun.PlayerListener} listener
 */
export function onPlayer({ moved = () => {}, changed = () => {} }) {
  listeners.add({ moved, changed });
}

const isPlaying = () => record !== null && !sound.paused && !sound.ended;
const isOf = (other) => record?.id === other.id;

/**
 * The place in `other` in milliseconds; the beginning if it is not the one that plays.
 * @param {Dictofun.Playable} other
 * @returns {number}
 */
export const placeIn = (other) => (isOf(other) ? Math.min(sound.currentTime * 1000, other.length_ms) : 0);

/**
 * The record that is in the player, or null.
 * @returns {Dictofun.Playable | null}
 */
export const playedRecord = () => record;

const isConverting = () => isConverted() && sound.readyState === HTMLMediaElement.HAVE_NOTHING;

async function load(other, place) {
  const { id, length_ms, recorded_at, is_time_unknown } = other;
  record = { id, length_ms, recorded_at, is_time_unknown };
  const mine = ++loads;
  sound.pause();
  const url = await mediaAddress(`/api/dictofun/records/${encodeURIComponent(id)}/sound`);
  if (mine !== loads) return false;
  sound.src = isConverted() ? `${url}&converted=1` : url;
  sound.currentTime = place / 1000;
  sound.playbackRate = sound.defaultPlaybackRate = speed;
  if (isConverting()) change();
  return true;
}

// The element says in an event of its own that it cannot play a file, which is then loaded in another form.
async function play() {
  wantsToPlay = true;
  const mine = loads;
  try {
    await sound.play();
  } catch (error) {
    if (mine !== loads || ["AbortError", "NotSupportedError"].includes(error.name)) return;
    if (error.name !== "NotAllowedError" || !isConverted()) return tellFailure(error);
    needsPress = true;
    if (!isConverting()) askForPress();
  }
}

// Some browsers allow no sound when the press of Play is too long ago.
function askForPress() {
  needsPress = false;
  change();
  toast("The sound is ready. Press Play.");
  /** @type {HTMLElement | null} */
  const button = document.querySelector("#now:not([hidden]) .play, .player-buttons .play");
  button?.focus();
}

function begin(other) {
  hasPlayed = needsPress = wantsToPlay = false;
  return load(other, 0);
}

/**
 * Plays `other`, or pauses it.
 * @param {Dictofun.Playable} other
 * @returns {Promise<void>}
 */
export async function toggle(other) {
  try {
    if (isOf(other) && isPlaying()) {
      wantsToPlay = false;
      return sound.pause();
    }
    if (isOf(other) || (await begin(other))) await play();
  } catch (error) {
    tellFailure(error);
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
    if (!isOf(other) && !(await begin(other))) return;
    sound.currentTime = place / 1000;
    move();
    if (plays && !isPlaying()) await play();
  } catch (error) {
    tellFailure(error);
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
  loads += 1;
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

function tellFailure(error) {
  loads += 1;
  record = null;
  change();
  toast(`The sound cannot be played. ${sentence(reasons[error.name] ?? error.message)}`, { isError: true });
}

// A ticket ends when hub is started again: then the same is loaded once more. Some codecs are not known.
sound.addEventListener("error", async () => {
  if (!record || !sound.getAttribute("src")) return;
  if (!hasPlayed && isConverted()) return tellFailure(new Error(reasons.NotSupportedError));
  if (!hasPlayed) needsWAV.add(record.id);
  hasPlayed = false;
  const plays = wantsToPlay;
  try {
    if ((await load(record, sound.currentTime * 1000)) && plays) await play();
  } catch (error) {
    tellFailure(error);
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
  hasPlayed = true;
  run();
});
sound.addEventListener("loadedmetadata", () => {
  if (needsPress) askForPress();
});
sound.addEventListener("pause", () => {
  if (hasPlayed && !sound.error) wantsToPlay = false;
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
    convertingNote(other, "Converting the sound for this browser…"),
  );
}

function convertingNote(other, converting) {
  const words = isOf(other) && isConverting() ? converting : "";
  return h("p", { class: "hint converting", role: "status" }, words, words && h("progress", { "aria-label": "Converting" }));
}

/** The player while another record, or another view, is shown. */
export function drawBar() {
  const isOpen = state.id === record?.id && (state.view === null || state.view === "edit");
  const away = isOpen ? null : record;
  bar.hidden = !away;
  if (!away) return patch(bar);
  patch(
    bar,
    iconButton(playWords(away) === "Pause" ? "pause" : "play", playWords(away), () => record && toggle(record), {
      class: "icon-button play",
    }),
    h(
      "a",
      { href: address({ id: away.id, view: null }) },
      h("span", { class: "title" }, recordedWords(away)),
      h("span", { class: "hint" }, h("span", { "data-plays": away.id }, clock(placeIn(away))), ` of ${lengthClock(away.length_ms)}`),
    ),
    convertingNote(away, "Converting…"),
    iconButton("close", "Stop", () => record && drop(record.id)),
  );
}
