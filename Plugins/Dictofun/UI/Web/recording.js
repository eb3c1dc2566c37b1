// Recording with the microphone of the computer or phone on which the page is shown.
import { saveFile } from "/assets/components/download.js";
import { sendFile, uploadID } from "/assets/components/files.js";
import { dayWords, sentence } from "/assets/components/format.js";
import { icon, iconButton, labelledButton } from "/assets/components/icons.js";
import { h, patch } from "/assets/components/patch.js";
import { keyed } from "/assets/components/shortcuts.js";
import { tell } from "/assets/components/undoable.js";
import { choose } from "/assets/dialog.js";
import { toast } from "/assets/toast.js";
import { forget, hold, keep, keepPiece, leftRecordings, soundOf } from "/dictofun/keptrecordings.js";
import { oggOfWebM } from "/dictofun/oggopus.js";
import { go, state } from "/dictofun/page.js";
import { clock } from "/dictofun/words.js";

// Ogg is what every library reads; WebM is made Ogg.
const formats = ["audio/ogg;codecs=opus", "audio/webm;codecs=opus", "audio/mp4"];
const endings = { "audio/ogg": "ogg", "audio/webm": "webm", "audio/mp4": "m4a" };
const bitsPerSecond = 48_000;
/** The time after which what was recorded is kept. */
const pieceTime = 1000;
/** The time without any sound after which the page says so. */
const silenceTime = 4000;
// In decibels.
const quietest = -60;

const bar = /** @type {HTMLElement} */ (document.querySelector("#recording"));

/**
 * What is being recorded.
 * @type {Dictofun.Session | null}
 */
let current = null;
let isBeginning = false;
/** The number of recordings that are being sent. */
let sending = 0;

/**
 * Whether a recording is under way.
 * @returns {boolean}
 */
export const isRecording = () => current !== null;

addEventListener("beforeunload", (event) => {
  if (current || sending) event.preventDefault();
});

// Beginning

/** Begins a recording, or says why that is not possible. */
export async function record() {
  if (current || isBeginning) return focusBar();
  isBeginning = true;
  try {
    await begin();
  } catch (error) {
    await explain(error);
  } finally {
    isBeginning = false;
  }
}

async function begin() {
  // Browsers give the microphone to encrypted pages, and to those of the same computer.
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("", isSecureContext ? "NotSupportedError" : "SecurityError");
  if (!window.MediaRecorder) throw new DOMException("", "NotSupportedError");
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  try {
    await beginWith(stream);
  } catch (error) {
    // The microphone is not left open.
    for (const track of stream.getTracks()) track.stop();
    throw error;
  }
}

async function beginWith(stream) {
  const mimeType = formats.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: bitsPerSecond });
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 2048 });
  context.createMediaStreamSource(stream).connect(analyser);
  const kept = { id: uploadID(), began: localTime(new Date()), type: recorder.mimeType || mimeType || "" };
  const release = (await hold(kept.id)) ?? (() => {});
  const now = performance.now();
  /** @type {Dictofun.Session} */
  const session = {
    ...{ kept, recorder, stream, context, analyser, release, wakeLock: null, pieces: [], isDiscarded: false },
    ...{ isKept: true, elapsed: 0, resumedAt: now, heardAt: now },
    writing: keep(kept).catch(() => notKept(session)),
  };
  current = session;
  recorder.addEventListener("dataavailable", ({ data }) => data.size > 0 && take(session, data));
  recorder.addEventListener("stop", () => end(session), { once: true });
  // A microphone that is unplugged ends the recording, which is saved.
  for (const track of stream.getTracks()) track.addEventListener("ended", stop);
  recorder.start(pieceTime);
  keepAwake(session);
  draw();
  follow(session);
  focusBar();
}

/** A time on the clock here, as in the names of files. */
function localTime(time) {
  const two = (part) => String(part).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(".")}`;
}

// A phone whose screen goes off ends what pages do. Not every browser can keep it on.
async function keepAwake(session) {
  const lock = await navigator.wakeLock?.request("screen").catch(() => null);
  if (current === session) session.wakeLock = lock ?? null;
  else await lock?.release();
}

document.addEventListener("visibilitychange", () => {
  if (current && !document.hidden) keepAwake(current);
});

const reasons = {
  SecurityError: [
    "Browsers give the microphone only to encrypted pages",
    "This page came over plain HTTP. Set hub.web.listen to an address of hub's machine in your network: hub encrypts the page then. " +
      "On the same machine, open it with hub web.",
  ],
  NotAllowedError: [
    "The microphone is not allowed for this page",
    "Allow it in the settings of this page, at the left of the address, and in those of the system. Then record again.",
  ],
  NotFoundError: ["No microphone was found", "Connect one, and record again."],
  NotReadableError: ["The microphone cannot be used", "Another program may be using it. Close that program, and record again."],
  NotSupportedError: ["This browser cannot record", "Record with another app, and drop the file here."],
};

async function explain(error) {
  const [title, text] = reasons[error.name] ?? ["The recording did not begin", sentence(error.message)];
  await choose({ id: "no-microphone", title, text, choices: [{ value: "", words: "Close" }] });
}

// Recording

function take(session, piece) {
  const number = session.pieces.push(piece);
  session.writing = session.writing.then(() => keepPiece(session.kept.id, number, piece)).catch(() => notKept(session));
}

// A private window may have no store, and a full disk no space.
function notKept(session) {
  session.isKept = false;
  draw();
}

const isPaused = ({ recorder }) => recorder.state === "paused";
const elapsed = ({ elapsed: before, resumedAt }) => before + (resumedAt === null ? 0 : performance.now() - resumedAt);

/** Pauses the recording, or continues it. */
export function pauseOrResume() {
  if (!current || current.recorder.state === "inactive") return;
  if (isPaused(current)) {
    current.recorder.resume();
    current.resumedAt = current.heardAt = performance.now();
  } else {
    // What was said until now is kept, however long the pause is.
    current.recorder.requestData();
    current.recorder.pause();
    [current.elapsed, current.resumedAt] = [elapsed(current), null];
  }
  draw();
}

/** Ends the recording, which is saved then. */
export function stop() {
  if (current && current.recorder.state !== "inactive") current.recorder.stop();
}

async function discard() {
  const answer = await choose({
    title: "Discard this recording?",
    id: "discard",
    choices: [
      { value: "", words: "Keep recording" },
      { value: "discard", words: "Discard", class: "danger" },
    ],
  });
  if (answer !== "discard" || !current) return;
  current.isDiscarded = true;
  stop();
}

async function end(session) {
  const { kept, pieces, release, stream, context } = session;
  for (const track of stream.getTracks()) track.stop();
  current = null;
  draw();
  void context.close();
  void session.wakeLock?.release().catch(() => {});
  await session.writing;
  if (session.isDiscarded) await drop(kept, release);
  else await save(kept, new Blob(pieces), release);
}

// Showing

function focusBar() {
  bar.querySelectorAll("button")[1]?.focus();
}

function draw() {
  const session = current;
  bar.hidden = session === null;
  if (!session) return patch(bar);
  const isResting = isPaused(session);
  patch(
    bar,
    h("span", { class: `lamp${isResting ? " off" : ""}`, "aria-hidden": "true" }),
    h("span", { class: "time", role: "timer", "aria-label": isResting ? "Paused" : "Recording" }, clock(elapsed(session))),
    h("span", { class: "level", "aria-hidden": "true" }, h("span", { keep: true })),
    h("span", { class: "hint", role: "status" }, hintWords(session)),
    h(
      "span",
      { class: "buttons" },
      iconButton("trash", "Discard", discard),
      iconButton(isResting ? "microphone" : "pause", isResting ? "Continue" : "Pause", pauseOrResume, keyed("b")),
      labelledButton("check", "Save", stop, { class: "main", ...keyed("n") }),
    ),
  );
}

function hintWords(session) {
  if (isPaused(session)) return "Paused";
  if (performance.now() - session.heardAt > silenceTime) return "Nothing is heard. Is the microphone muted?";
  return session.isKept ? "" : "This browser keeps nothing: do not close the page.";
}

/** The loudness of what is heard now, from 0 to 1. */
function level({ analyser }) {
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return power > 0 ? Math.min(1, Math.max(0, 1 - (10 * Math.log10(power)) / quietest)) : 0;
}

function follow(session) {
  if (current !== session) return;
  const loudness = isPaused(session) ? 0 : level(session);
  if (loudness > 0) session.heardAt = performance.now();
  bar.style.setProperty("--level", `${Math.round(loudness * 100)}%`);
  if (bar.querySelector(".time")?.textContent !== clock(elapsed(session))) draw();
  requestAnimationFrame(() => follow(session));
}

// Saving

const nameOf = (kept, ending) => `Recording ${kept.began}.${ending}`;

/** The file of a recording. */
async function fileOf(kept, sound) {
  const type = kept.type.split(";")[0];
  const ogg = type === "audio/webm" ? oggOfWebM(new Uint8Array(await sound.arrayBuffer())) : null;
  return new File([ogg ?? sound], nameOf(kept, ogg ? "ogg" : (endings[type] ?? "sound")));
}

/** Sends a recording to hub, and forgets it here once hub has it. */
async function save(kept, sound, release, { isLeft = false } = {}) {
  sending += 1;
  try {
    const file = await fileOf(kept, sound);
    const { body, operation } = await sendFile("/api/dictofun/import", file, {
      upload: kept.id,
      resumes: true,
      waiting: () => toast("The recording is saved as soon as hub responds. Until then it is kept in this browser."),
    });
    await drop(kept, release);
    tell(
      isLeft
        ? `The interrupted recording of ${dayWords(kept.began.slice(0, 10), { hasYear: false })} is saved.`
        : "The recording is saved.",
      {
        operation: body.outcome === "new" ? operation : null,
      },
    );
    // An edit of another text goes on.
    if (!isLeft && state.view !== "edit") await go({ id: body.id, view: null });
  } catch (error) {
    notSaved(error, kept, sound, release, isLeft);
  } finally {
    sending -= 1;
  }
}

async function drop(kept, release) {
  await forget(kept.id).catch(() => {});
  release();
}

function notSaved(error, kept, sound, release, isLeft) {
  const act = (words, run) => h("button", { type: "button", onclick: run }, words);
  toast(
    ["The recording is not saved; it is kept in this browser.", sentence(error.message), error.hint && sentence(error.hint)]
      .filter(Boolean)
      .join(" "),
    {
      isError: true,
      actions: [
        act("Try again", () => save(kept, sound, release, { isLeft })),
        act("Download", async () => {
          const file = await fileOf(kept, sound);
          saveFile(file, file.name);
        }),
        act("Discard", () => drop(kept, release).then(() => toast("The recording is discarded."))),
      ],
    },
  );
}

/** Sends what pages recorded that are closed: hub was absent, or the tab or the browser ended. */
export async function saveLeft() {
  for (const { release, ...kept } of await leftRecordings()) {
    const sound = await soundOf(kept.id);
    if (sound.size > 0) await save(kept, sound, release, { isLeft: true });
    else await drop(kept, release);
  }
}

/**
 * The button that begins a recording.
 * @param {Hub.Properties} [properties]
 * @returns {Hub.Description}
 */
export const recordButton = (properties = {}) =>
  h("button", { type: "button", class: "main", onclick: record, ...properties }, icon("microphone"), h("span", null, "Record"));
