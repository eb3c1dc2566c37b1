// Who else has a note open and where they write, and the own selection, which is shown to them. docs/notes-protocol.md explains the frames.
import { scalars } from "/notes/change.js";

// The pause after which a selection is shown to others, in milliseconds, and the most of them that are shown here.
const pause = 100;
const maximum = 64;

/**
 * The others in one note. `clients` are its texts by their fields; `selection()` returns the field with the caret and the ends of
 * the selection `at`. `show({field, at, version})` shows the own one, in this version of the text, and returns false while that is
 * not possible.
 * @param {Notes.PeersProperties} properties
 * @returns {Notes.Peers}
 */
export function notePeers({ clients, selection, show }) {
  const people = new Map();
  /** @type {string | null} */
  let shown = null;
  /** @type {number | undefined} */
  let timer;

  /** @type {(agent: string) => void} */
  const forget = (agent) => Object.values(clients).forEach((client) => client.selections.delete(agent));

  function showSelection() {
    clearTimeout(timer);
    timer = undefined;
    const own = selection();
    // What is not confirmed has no place in the text of the server; this is called again when it is.
    if (own === null) return;
    const { isSaved, version } = clients[own.field];
    if (!isSaved || version === null) return;
    const { text } = clients[own.field];
    const place = { field: own.field, at: own.at.map((at) => scalars(text.slice(0, at))) };
    const words = JSON.stringify(place);
    if (words !== shown && show({ ...place, version })) shown = words;
  }

  return {
    /** The others by their agents: their name `who`, and how often they moved. */
    people,
    showSelection,
    /** Records that the selection is another. */
    selected() {
      timer ??= setTimeout(showSelection, pause);
    },
    /** Takes in an `at` frame. */
    receive({ who, agent, field = "content", at = null }) {
      const before = people.get(agent);
      forget(agent);
      if (at === null) return void people.delete(agent);
      if (!before && people.size === maximum) return;
      people.set(agent, { who, moves: (before?.moves ?? 0) + 1 });
      clients[field]?.showSelection(agent, at);
      if (before) return;
      // A client that has just come does not know who is here.
      shown = null;
      showSelection();
    },
    /** Forgets all, when the connection was opened or lost. */
    clear() {
      for (const agent of people.keys()) forget(agent);
      people.clear();
      shown = null;
    },
    close: () => clearTimeout(timer),
  };
}
