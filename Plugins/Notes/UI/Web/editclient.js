// One text that is edited here and elsewhere: edits are sent against the version that the server is known to have, and what is not
// confirmed is carried over what others do meanwhile. EditClient.swift is the reference, docs/notes-protocol.md explains it.
import { apply, compose, difference, fromEdits, isEmpty, moved, over, scalars, toEdits, unitsAfter } from "/notes/change.js";
import { carryTo, places } from "/notes/places.js";

/**
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * A text of a note; `field` is `title` or `content`. `snapshot` is what `snapshot()` gave before.
 * @param {string | null} note
 * @param {Notes.Name} field
 * @param {Notes.Snapshot | null} [snapshot]
 * @returns {Notes.EditClient}
 */
export function editClient(note, field, snapshot = null) {
  let { version, known, inFlight, buffered, sequence } = snapshot ?? {
    version: null,
    known: "",
    inFlight: null,
    buffered: [],
    sequence: 0,
  };
  // The selections of others in the text as it is shown, each as its two ends, by their agents.
  /** @type {Map<string, number[]>} */
  const selections = new Map();
  /** @type {(change: Notes.Change) => void} */
  const carry = (change) =>
    selections.forEach((ends, agent) =>
      selections.set(
        agent,
        ends.map((at) => moved(change, at)),
      ),
    );

  return {
    field,
    selections,
    /** The text as it is shown. */
    get text() {
      return apply(buffered, apply(inFlight ?? [], known));
    },
    /** Whether everything typed is confirmed. */
    get isSaved() {
      return isEmpty(inFlight ?? []) && isEmpty(buffered);
    },
    /** Whether edits were sent that are not confirmed. */
    get isWaiting() {
      return inFlight !== null;
    },
    /** The version that is known; null before the text was read. */
    get version() {
      return version;
    },
    /** What to keep so that nothing is lost by a reload. */
    snapshot: () => ({ version, known, inFlight, buffered, sequence }),
    /** Takes in a change of the shown text by its user. */
    type(change) {
      buffered = compose(buffered, change);
      carry(change);
    },
    /** Records the selection of another agent in the text that the server has, as two numbers of scalars. */
    showSelection(agent, ends) {
      const most = scalars(known);
      selections.set(
        agent,
        ends.map((count) => moved(buffered, moved(inFlight ?? [], unitsAfter(known, 0, Math.min(count, most))))),
      );
    },
    /** Forgets what is not confirmed, since it was stored in another way. */
    discard() {
      [inFlight, buffered] = [null, []];
    },
    /** Forgets the version, when the server does not know it; the whole text comes next. */
    forget() {
      version = null;
    },

    /** The frame with the edits to send, or to repeat; null when there are none. */
    request(n) {
      if (version === null) return null;
      if (inFlight === null) [inFlight, buffered] = [buffered, []];
      // What others did as well is in their edits.
      if (isEmpty(inFlight)) {
        inFlight = null;
        return null;
      }
      return { t: "edit", n, note, field, seq: sequence, base: version, edits: toEdits(inFlight, known) };
    },

    /** Takes in a `text` frame. Returns the change of the shown text; null when it does not follow what is known: open it again. */
    receive({ from = null, to, edits, ack }) {
      if (from !== null && !isSame(from, version)) return null;
      const next = apply(fromEdits(edits, from === null ? "" : known), from === null ? "" : known);
      let change = from === null ? difference(known, next) : fromEdits(edits, known);
      if (inFlight !== null && ack > sequence) {
        const sent = inFlight;
        inFlight = null;
        if (isSame(toEdits(sent, known), toEdits(change, known))) change = [];
        else {
          // Where the server puts the own edits beside others of the same place may differ from here.
          const shown = apply(buffered, apply(sent, known));
          buffered = carryTo(places(sent, change, known), buffered);
          change = difference(shown, apply(buffered, next));
        }
        [version, known] = [to, next];
        sequence = Math.max(sequence, ack);
        carry(change);
        return change;
      }
      if (inFlight !== null) {
        const carried = over(inFlight, change, false);
        change = over(change, inFlight, true);
        inFlight = carried;
      }
      const carried = over(buffered, change, false);
      change = over(change, buffered, true);
      [buffered, version, known] = [carried, to, next];
      sequence = inFlight === null ? Math.max(sequence, ack) : sequence;
      carry(change);
      return change;
    },
  };
}
