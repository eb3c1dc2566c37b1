// The WebSocket of one open note: requests with their answers, and the frames that come without being asked for. docs/notes-protocol.md
// explains them. While it is not open, edits go over HTTP.
const protocol = "hub.notes.v1";
// The longest waits for a connection and for an answer, in milliseconds.
const patience = 3000;
const answerPatience = 20_000;
// The waits before it connects again, and the duration of a connection that counts as good.
const [firstWait, longestWait, stable] = [1000, 120_000, 30_000];

const failure = (code, message, status) => Object.assign(new Error(message), { code, status, details: [], problems: [] });
const connectionLost = () => failure("connection-lost", "The connection was lost.", 0);
// The codes of refusals whose cause lies at the server, or is a note that is gone, as statuses of HTTP.
const statuses = { "not-found": 404, unavailable: 503 };

/**
 * The connection of `agent`, once it is started. `received(frame)` is called for each frame that answers no request, `changed()` when the
 * connection was opened, was lost or could not be opened.
 * @param {{ agent: string, received: (frame: any) => void, changed: () => void }} properties frames differ by their `t`
 * @returns {Notes.Socket}
 */
export function noteSocket({ agent, received, changed }) {
  const answers = new Map();
  let socket = null;
  let state = { isOpen: false, user: "", at: 0 };
  let [number, failures, isClosed] = [0, 0, false];
  /** @type {number | undefined} */
  let timer;
  let attempt = Promise.withResolvers();

  function connect() {
    clearTimeout(timer);
    attempt = Promise.withResolvers();
    try {
      socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/api/notes/live", [
        protocol,
        "hub-key." + (localStorage.getItem("hub-key") ?? ""),
      ]);
    } catch {
      return lost();
    }
    const own = socket;
    const limit = setTimeout(() => drop(own), patience);
    own.onopen = () => own.send(JSON.stringify({ t: "hello", agent, mode: "edits" }));
    own.onclose = () => {
      clearTimeout(limit);
      if (own === socket) lost();
    };
    own.onmessage = ({ data }) => {
      if (own !== socket) return;
      const frame = JSON.parse(data);
      if (frame.t === "welcome") {
        clearTimeout(limit);
        state = { isOpen: true, user: frame.user, at: performance.now() };
        attempt.resolve(true);
        changed();
      } else if (frame.t === "ack") answer(frame.n, (request) => request.resolve());
      else if (frame.t === "no")
        answer(frame.n, (request) => request.reject(failure(frame.code, frame.message, statuses[frame.code] ?? 400)));
      else received(frame);
    };
  }

  function lost() {
    const wasOpen = state.isOpen;
    failures = wasOpen && performance.now() - state.at >= stable ? 1 : failures + 1;
    state = { ...state, isOpen: false };
    socket = null;
    attempt.resolve(false);
    for (const n of [...answers.keys()]) answer(n, (request) => request.reject(connectionLost()));
    if (isClosed) return;
    timer = setTimeout(connect, Math.min(longestWait, firstWait * 2 ** (failures - 1)) * (0.5 + Math.random() / 2));
    changed();
  }

  function drop(own) {
    if (own === socket) lost();
    end(own);
  }

  // A browser complains about one that is closed before it is open.
  function end(own) {
    if (own.readyState === WebSocket.CONNECTING) own.onopen = () => own.close();
    else own.close();
  }

  function answer(n, act) {
    const request = answers.get(n);
    if (!request) return;
    answers.delete(n);
    clearTimeout(request.limit);
    act(request);
  }

  // A connection that is being closed takes nothing more, and the browser complains.
  const isOpen = () => state.isOpen && socket.readyState === WebSocket.OPEN;

  function send(frame) {
    if (!isOpen()) return false;
    socket.send(JSON.stringify(frame));
    return true;
  }

  function ask(frame) {
    if (!isOpen()) return Promise.reject(connectionLost());
    const own = socket;
    // A server that does not answer is as good as one that is away.
    const request = { ...Promise.withResolvers(), limit: setTimeout(() => drop(own), answerPatience) };
    answers.set(++number, request);
    send({ ...frame, n: number });
    return request.promise;
  }

  return {
    /** Sends a frame that is not answered; returns false when there is no connection. */
    send,
    get isOpen() {
      return isOpen();
    },
    /** Whether it could not be opened again at the first attempt. */
    get isMissing() {
      return !isOpen() && failures > 1;
    },
    /** The name of the person at this page. */
    get user() {
      return state.user;
    },
    /** Connects, at once if it waits to do so again. */
    connect() {
      if (!isClosed && socket === null) connect();
    },
    /** Returns whether it is open, after an attempt that is under way. */
    ready: () => (socket === null ? Promise.resolve(false) : attempt.promise),
    /** Sends requests; the promise is fulfilled when all are answered, and rejected when one is refused or the connection is lost. */
    ask: (frames) => Promise.all(frames.map(ask)),
    close() {
      isClosed = true;
      clearTimeout(timer);
      if (socket) end(socket);
    },
  };
}
