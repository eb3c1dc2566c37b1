/// The state of one request and its response: a pure state machine. The daemon's thread, the handler's task and a
/// stopping server pass it events and perform the steps it returns.
struct ExchangeState {
    private enum Phase {
        /// The request is on its way in.
        case receiving
        /// The handler has it; the connection is suspended, once the daemon has looked for a response.
        case handling
        /// The handler's response waits for the daemon to take it.
        case answered(HTTPResponse)
        /// The daemon has the response and asks for the bytes of its stream.
        case sending
        /// The connection has ended the request, or the server gave it up.
        case over
    }

    private enum Ending { case complete, failed }

    /// The next step of the daemon's thread.
    enum Step {
        /// Suspend the connection until it is resumed.
        case wait
        case reply(HTTPResponse)
        /// Close the connection.
        case cut
    }

    /// A piece of a streamed body for the daemon's thread.
    enum Piece {
        case bytes(Int)
        /// Nothing yet: suspend the connection.
        case wait
        case end
        case failed
    }

    /// The result of queueing bytes from the handler's task.
    enum Offer: Equatable {
        /// They are kept; `resume` says whether the connection waits for them.
        case accepted(resume: Bool)
        /// There are too many unsent bytes; try again when there is room.
        case full
        /// The client is gone.
        case gone
    }

    /// Unsent bytes above which a writer has to wait.
    private let highWaterMark: Int
    private var phase = Phase.receiving
    private var isSuspended = false
    private var unsent: [UInt8] = []
    private var sent = 0
    private var ending: Ending?
    private var isWriterWaiting = false
    private var isConnectionDone = false
    private var isTaskDone = false

    init(highWaterMark: Int = 64 * 1024) { self.highWaterMark = highWaterMark }

    /// Whether neither the connection nor the task needs the exchange any more.
    var isFinished: Bool { isConnectionDone && isTaskDone }

    /// Whether a response without an end of its own is being sent.
    private(set) var isEndless = false
}

/// Events from the daemon's thread.
extension ExchangeState {
    /// The whole request has arrived and its handler begins.
    mutating func begin() {
        if case .receiving = phase { phase = .handling }
    }

    /// The daemon looks at the request, the first time just after its handler has begun.
    mutating func next() -> Step {
        switch phase {
        case .receiving, .sending, .over: return .cut
        case .handling:
            isSuspended = true
            return .wait
        case .answered(let response):
            phase = .sending
            return .reply(response)
        }
    }

    /// Copies unsent bytes into `buffer`; `wake` says whether the writer can go on.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> (piece: Piece, wake: Bool) {
        guard case .sending = phase else { return (.failed, false) }
        guard sent < unsent.count else {
            switch ending {
            case .complete: return (.end, false)
            case .failed: return (.failed, false)
            case nil:
                isSuspended = true
                return (.wait, false)
            }
        }
        let count = min(buffer.count, unsent.count - sent)
        unsent.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count])) }
        sent += count
        guard sent == unsent.count else { return (.bytes(count), false) }
        unsent.removeAll(keepingCapacity: unsent.count <= highWaterMark)
        sent = 0
        return (.bytes(count), takeWriter())
    }

    /// The connection has ended the request; `wake` says whether a writer waits to hear it.
    mutating func connectionEnded() -> (wake: Bool, isFinished: Bool) {
        phase = .over
        isConnectionDone = true
        unsent = []
        return (takeWriter(), isFinished)
    }
}

/// Events from the handler's task.
extension ExchangeState {
    /// The handler has answered. Returns whether to resume the connection.
    mutating func answer(_ response: HTTPResponse) -> Bool {
        guard case .handling = phase else { return false }
        phase = .answered(response)
        switch response.body {
        case .endless, .webSocket: isEndless = true
        case .bytes, .stream: break
        }
        return takeSuspension()
    }

    /// The task wants to send `bytes`.
    mutating func offer(_ bytes: [UInt8]) -> Offer {
        switch phase {
        case .answered, .sending: break
        case .receiving, .handling, .over: return .gone
        }
        guard unsent.isEmpty || unsent.count - sent + bytes.count <= highWaterMark else { return .full }
        unsent.append(contentsOf: bytes)
        return .accepted(resume: !unsent.isEmpty && takeSuspension())
    }

    /// Registers the task as waiting for room. Returns false when it need not wait.
    mutating func waitForRoom() -> Bool {
        if case .over = phase { return false }
        isWriterWaiting = !unsent.isEmpty
        return isWriterWaiting
    }

    /// The task no longer waits, because it was cancelled. Returns whether it did.
    mutating func takeWriter() -> Bool {
        defer { isWriterWaiting = false }
        return isWriterWaiting
    }

    /// The body is complete, or will never be. Returns whether to resume the connection.
    mutating func endBody(failed: Bool) -> Bool {
        ending = failed ? .failed : .complete
        return takeSuspension()
    }

    /// The task has ended. Returns whether the exchange is finished with it.
    mutating func taskEnded() -> Bool {
        isTaskDone = true
        return isFinished
    }
}

/// Events from a stopping server.
extension ExchangeState {
    /// The server does not wait any longer. Returns whether to resume the connection, which is then cut.
    mutating func abandon() -> (resume: Bool, wake: Bool) {
        guard !isConnectionDone else { return (false, false) }
        phase = .over
        return (takeSuspension(), takeWriter())
    }

    private mutating func takeSuspension() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }
}
