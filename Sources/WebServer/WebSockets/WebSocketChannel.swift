import Glibc
import Synchronization
package import WebSocket

/// One WebSocket of a server. The handler receives and sends; the thread of the ``WebSocketLoop`` moves the bytes.
package final class WebSocketChannel: Sendable {
    private struct State {
        var engine: WebSocketConnection
        var inbox: [WebSocketConnection.Message] = []
        var receiver: CheckedContinuation<WebSocketConnection.Message?, Never>?
        var output: [UInt8] = []
        var sent = 0
        /// Who waits until everything is sent.
        var flusher: CheckedContinuation<Void, Never>?
        /// Nothing more is received; what waits is still sent.
        var isOver = false
        /// The client has lost its access: what it sends is not delivered.
        var isRevoked = false
        /// The client is given up: nothing more is sent either.
        var isDropped = false
        var isFlushAsked = false
        var deadline: ContinuousClock.Instant?
        var heard = ContinuousClock.now
        var isPinged = false
        /// When the client last took in bytes, or had none to take in.
        var progress = ContinuousClock.now
    }

    /// What the loop has to wait for.
    struct Interest: Equatable {
        var reads: Bool
        var writes: Bool
    }

    let socket: Int32
    private let limits: WebSocketLimits
    private let state: Mutex<State>
    private let askForFlush: @Sendable (WebSocketChannel) -> Void

    /// Takes over `socket`; `first` are bytes that came with the handshake. `askForFlush` is called when bytes wait for the
    /// thread of the loop.
    init(
        socket: Int32, first: [UInt8], limits: WebSocketLimits,
        askForFlush: @escaping @Sendable (WebSocketChannel) -> Void
    ) {
        self.socket = socket
        self.limits = limits
        self.askForFlush = askForFlush
        state = Mutex(State(engine: WebSocketConnection(role: .server, limits: limits.message)))
        // Else a message that closely follows another waits until the client has confirmed that one, which it may put off for 40 ms.
        var isOn: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        if !first.isEmpty { take(first) }
    }
}

/// For the handler.
extension WebSocketChannel {
    /// Returns the next message; nil when the WebSocket is over or the task is cancelled. One task receives.
    package func receive() async -> WebSocketConnection.Message? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (answer, wasFull) = state.withLock { state -> (WebSocketConnection.Message??, Bool) in
                    let wasFull = state.inbox.count >= limits.waitingMessages
                    if !state.inbox.isEmpty { return (.some(state.inbox.removeFirst()), wasFull) }
                    if state.isOver || state.isDropped || state.isRevoked || Task.isCancelled {
                        return (.some(nil), false)
                    }
                    state.receiver = continuation
                    return (nil, false)
                }
                if let answer { continuation.resume(returning: answer) }
                if wasFull { flush() }
            }
        } onCancel: {
            state.withLock { $0.receiver.take() }?.resume(returning: nil)
        }
    }

    /// Sends messages without waiting. Returns false when the WebSocket is closing; a client for which too much waits already
    /// is dropped.
    @discardableResult
    package func send(_ messages: [WebSocketConnection.Message]) -> Bool {
        send { state in messages.allSatisfy { add(state.engine.send($0), &state) } }
    }

    /// Sends messages that others get as well, in the same way.
    @discardableResult
    package func send(_ broadcast: WebSocketConnection.Broadcast) -> Bool {
        send { state in add(state.engine.isOpen ? broadcast.frames : nil, &state) }
    }

    /// Sends what `add` adds to the output; false says that the rest cannot be sent.
    private func send(_ add: (inout State) -> Bool) -> Bool {
        let (isSent, isDone) = state.withLock { state in
            let isSent = add(&state)
            // Mostly the system takes everything at once, and the thread of the loop need not wake. The socket is open: the loop gives it
            // back only when one of these is set.
            if !state.isOver, !state.isDropped { push(&state) }
            return (isSent, state.sent == state.output.count && !state.isDropped)
        }
        if !isDone { flush() }
        return isSent
    }

    /// Adds the bytes of messages to the output, if they can still be sent.
    private func add(_ bytes: [UInt8]?, _ state: inout State) -> Bool {
        guard !state.isDropped, let bytes else { return false }
        guard state.output.count - state.sent + bytes.count <= limits.waitingBytes else {
            state.isDropped = true
            return false
        }
        Self.append(bytes, &state)
        return true
    }

    /// Sends a message without waiting; see ``send(_:)-([WebSocketConnection.Message])``.
    @discardableResult
    package func send(_ message: WebSocketConnection.Message) -> Bool { send([message]) }

    /// Begins to close the WebSocket; what was sent before still arrives.
    package func close(_ code: WebSocketCloseCode = .normal, reason: String = "") {
        state.withLock { state in
            guard let bytes = state.engine.close(code, reason: reason) else { return }
            state.deadline = .now + limits.closeTime
            Self.append(bytes, &state)
        }
        flush()
    }

    /// Closes the WebSocket of a client that has lost its access: messages that wait, or that still come, are not delivered.
    func revoke() {
        state.withLock { state in
            state.isRevoked = true
            state.inbox = []
            return state.receiver.take()
        }?.resume(returning: nil)
        close(.policyViolation, reason: "logged out")
    }

    /// Returns when the system has taken everything that was sent, or the WebSocket is over. One task waits.
    package func flushed() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.sent < state.output.count, !state.isDropped, !Task.isCancelled else { return false }
                    state.flusher = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.flusher.take() }?.resume()
        }
    }

    private func flush() {
        let isNew = state.withLock { state in
            defer { state.isFlushAsked = true }
            return !state.isFlushAsked
        }
        if isNew { askForFlush(self) }
    }

    /// Gives the system what it takes of the output; a client whose socket fails is dropped.
    private func push(_ state: inout State) {
        while state.sent < state.output.count, !state.isDropped {
            let count = state.output.withUnsafeBytes { bytes in
                Glibc.send(
                    socket, bytes.baseAddress.map { $0 + state.sent }, bytes.count - state.sent,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                state.sent += count
                state.progress = .now
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                state.isDropped = true
            }
        }
        if state.sent == state.output.count { state.flusher.take()?.resume() }
    }

    private static func append(_ bytes: [UInt8], _ state: inout State) {
        if state.sent == state.output.count {
            state.output.removeAll(keepingCapacity: true)
            state.sent = 0
            state.progress = .now
        }
        state.output += bytes
    }
}

/// For the thread of the loop.
extension WebSocketChannel {
    private static let chunk = 64 << 10

    /// Reads what has come.
    func read() {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, initialized in
            repeat {
                count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        if count > 0 { return take(bytes) }
        if count < 0, errno == EAGAIN { return }
        end()
    }

    /// The stream has ended.
    func end() {
        state.withLock { state in
            _ = state.engine.streamEnded()
            state.isOver = true
            (state.output, state.sent) = ([], 0)
            state.flusher.take()?.resume()
            return state.receiver.take()
        }?.resume(returning: nil)
    }

    /// Whether the client is given up: it takes nothing in, or did not answer.
    var isDropped: Bool { state.withLock(\.isDropped) }

    /// Sends what the client takes in. Returns what to wait for; nil when the socket is done with.
    func write() -> Interest? {
        state.withLock { state in
            state.isFlushAsked = false
            push(&state)
            let waits = state.sent < state.output.count
            if state.isDropped || state.isOver && !waits { return nil }
            return Interest(reads: !state.isOver && state.inbox.count < limits.waitingMessages, writes: waits)
        }
    }

    /// Looks at the clock: pings a silent client, and gives up one that does not answer. Returns whether there is something to
    /// write, or the socket is done with.
    func beat(_ now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            let isStuck = state.sent < state.output.count && now - state.progress > limits.heartbeat
            let isLate = state.deadline.map { now > $0 } == true
            let silence = now - state.heard
            if isStuck || isLate || silence > limits.heartbeat * 2 {
                state.isDropped = true
                return true
            }
            guard silence > limits.heartbeat, !state.isPinged, let bytes = state.engine.ping() else { return false }
            state.isPinged = true
            Self.append(bytes, &state)
            return true
        }
    }

    private func take(_ bytes: [UInt8]) {
        let (receiver, message) = state.withLock {
            state -> (CheckedContinuation<WebSocketConnection.Message?, Never>?, WebSocketConnection.Message?) in
            state.heard = .now
            state.isPinged = false
            for action in state.engine.receive(bytes) {
                switch action {
                case .deliver(let message): if !state.isRevoked { state.inbox.append(message) }
                case .send(let bytes): Self.append(bytes, &state)
                case .pong: break
                case .closed: state.isOver = true
                }
            }
            guard state.receiver != nil, !state.inbox.isEmpty || state.isOver else { return (nil, nil) }
            return (state.receiver.take(), state.inbox.isEmpty ? nil : state.inbox.removeFirst())
        }
        receiver?.resume(returning: message)
    }
}
