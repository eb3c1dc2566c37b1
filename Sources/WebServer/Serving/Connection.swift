import Synchronization

/// One connection, from its accepting to its closing, and the request that it is in.
final class Connection: Sendable {
    private struct State {
        var exchange: Exchange?
        var waitingSince: ContinuousClock.Instant? = .now
        var hasHead = false
    }

    let number: UInt64
    let handle: ConnectionHandle
    /// The socket's descriptor; it is open as long as the connection is in the ``ConnectionRegistry``.
    let socket: Int32
    /// The numeric IP address of the client; empty when it is gone already.
    let peer: String
    /// Held by a thread while it gives the connection back to the library, and taken once more before that frees it:
    /// libmicrohttpd 0.9.75 may free it while the thread is still inside.
    let handover = Mutex(())
    private let state = Mutex(State())
    private let isKnownClient = Atomic(false)
    private let readsNoMore = Atomic(false)

    init(number: UInt64, handle: ConnectionHandle, socket: Int32) {
        self.number = number
        self.handle = handle
        self.socket = socket
        peer = SocketAddress(peerOf: socket)?.host ?? ""
    }

    /// The request that has begun and not yet ended on this connection; HTTP/1.1 answers them one by one.
    var exchange: Exchange? { state.withLock(\.exchange) }

    /// Since when the next request has not been there as a whole; `nil` while one is being answered.
    var waitingSince: ContinuousClock.Instant? { state.withLock(\.waitingSince) }

    /// Since when the head of the first request has not been there; `nil` when it has arrived.
    var headlessSince: ContinuousClock.Instant? {
        state.withLock { $0.hasHead ? nil : $0.waitingSince }
    }

    /// Whether a handler has said of an answer on it that the client is known.
    var isKnown: Bool { isKnownClient.load(ordering: .relaxed) }

    /// The client is known from now on.
    func clientIsKnown() { isKnownClient.store(true, ordering: .relaxed) }

    /// Whether it reads no further request, and is still to end.
    var isClosing: Bool { readsNoMore.load(ordering: .relaxed) }

    /// It reads no further request.
    func closes() { readsNoMore.store(true, ordering: .relaxed) }

    /// The header fields of a request are there.
    func headArrived() {
        state.withLock { $0.hasHead = true }
    }

    /// A request begins to arrive.
    func requestBegan(_ exchange: Exchange) {
        state.withLock { $0.exchange = exchange }
    }

    /// The request is there as a whole.
    func requestArrived() {
        state.withLock { $0.waitingSince = nil }
    }

    /// The request is answered, or given up.
    func requestEnded() {
        // Further requests on an open connection may start late; the idle time limits that.
        state.withLock { $0 = State(hasHead: true) }
    }
}
