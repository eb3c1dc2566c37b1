// Changes that could not be sent, because hub could not be reached: they are kept in this browser and sent in their order.
import { counted, momentWords } from "/assets/components/format.js";
import { icon } from "/assets/components/icons.js";
import { create, h, patch } from "/assets/components/patch.js";
import { makeQueue } from "/assets/components/queue.js";
import { tell } from "/assets/components/undoable.js";
import { ask, makeDialog } from "/assets/dialog.js";
import { sendJSON } from "/assets/hub.js";
import { toast } from "/assets/toast.js";

const retryAfter = 5000;
const queue = makeQueue({
  storage: localStorage,
  send: ({ method, url, value, operation, words }) => sendJSON(method, url, value, { operation, words }),
  changed: () => document.dispatchEvent(new Event("hub-outbox")),
  done: ({ words }, { operation }) => tell(words, { operation }),
  refused: ({ words }, problem) => toast(`${words} Not done: ${problem}`, { isError: true }),
});

/** All that waits, oldest first. */
export const { waiting } = queue;

/**
 * Sends a change that may wait: `words` say what it is. Gives the answer; null when it is kept here, which has been told then.
 * Other errors are thrown.
 * @param {string} method
 * @param {string} url
 * @param {object} value
 * @param {string} words
 * @returns {Promise<Hub.Answer | null>}
 */
export async function deliver(method, url, value, words) {
  const answer = await queue.deliver(method, url, value, words);
  if (answer) return answer;
  toast(`${words} It is kept here and sent as soon as hub can be reached.`);
  return null;
}

// One tab sends at a time.
async function flush() {
  if (!waiting().some(({ problem }) => problem === null)) return;
  const act = async () => {
    const count = await queue.flush();
    if (count > 1) toast(`${counted(count, "change")} sent that waited.`);
    if (count) document.dispatchEvent(new Event("hub-undone"));
  };
  if (!navigator.locks) return act();
  await navigator.locks.request("hub-outbox", { ifAvailable: true }, async (lock) => {
    if (lock) await act();
  });
}

/** @param {string} operation */
function tryAgain(operation) {
  queue.retry(operation);
  flush();
}

/** Shows what waits, with the state of each. */
async function show() {
  const list = create(h("ul", { class: "item-list waiting-list" }));
  const draw = () =>
    patch(
      list,
      waiting().map(({ operation, words, at, problem }) =>
        h(
          "li",
          { key: operation },
          icon(problem ? "warning" : "clock"),
          h(
            "span",
            { class: "words" },
            h("strong", null, words),
            h("span", { class: "hint" }, problem ?? `Waits since ${momentWords(at)}`),
          ),
          problem && h("button", { type: "button", onclick: () => tryAgain(operation) }, "Try again"),
          h(
            "button",
            { type: "button", class: "quiet", "aria-label": `Discard: ${words}`, onclick: () => queue.discard(operation) },
            "Discard",
          ),
        ),
      ),
    );
  draw();
  document.addEventListener("hub-outbox", draw);
  const close = create(h("form", { method: "dialog", class: "actions" }, h("button", { class: "main", autofocus: true }, "Close")));
  await ask(makeDialog("outbox", "Changes that wait", list, close));
  document.removeEventListener("hub-outbox", draw);
}

/** Shows in the bar how much waits, and sends it when hub can be reached again. */
export function startOutbox() {
  const box = create(h("span", { id: "hub-outbox", role: "status" }));
  document.querySelector(".tools")?.prepend(box);
  const draw = () => {
    const all = waiting();
    const isWrong = all.some(({ problem }) => problem !== null);
    patch(
      box,
      all.length > 0 &&
        h(
          "button",
          { type: "button", class: `quiet waiting-count${isWrong ? " wrong" : ""}`, "aria-label": `${all.length} waiting`, onclick: show },
          icon(isWrong ? "warning" : "clock", { size: "small" }),
          h("span", null, `${all.length}`, h("span", { class: "word" }, " waiting")),
        ),
    );
  };
  draw();
  document.addEventListener("hub-outbox", draw);
  addEventListener("storage", ({ key }) => {
    if (key === "hub-outbox") document.dispatchEvent(new Event("hub-outbox"));
  });
  document.addEventListener("hub-reached", (event) => {
    if (/** @type {CustomEvent} */ (event).detail && !isTrying) again();
  });
  let isTrying = false;
  async function again() {
    isTrying = true;
    try {
      await flush();
    } finally {
      isTrying = false;
    }
  }
  setInterval(again, retryAfter);
  again();
}
