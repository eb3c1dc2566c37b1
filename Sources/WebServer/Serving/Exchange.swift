import CMicroHTTPD
import Glibc
import Synchronization
import WebSocket

/// One request and its response, shared by the daemon's thread and the handler's task.
///
/// The connection is suspended and resumed under the exchange's lock, and the lock is taken once more when the
/// connection has ended. So no thread is still inside `MHD_resume_connection` when the daemon is freed.
final class Exchange: Sendable {
    private struct Guarded {
        var state = ExchangeState()
        var head: (method: HTTPMethod, headers: HTTPHeaders)?
        var keptAnswer: KeptAnswer?
        var body = RequestBody()
        var task: Task<Void, Never>?
        var writer: CheckedContinuation<Void, Never>?
        var webSocket = WebSocketState.none
        var webSocketLimits = WebSocketLimits()
        var onEnd: (@Sendable () -> Void)?
        var hasEnded = false
        var isCancelled = false
        /// Whether the client may get nothing more.
        var isRevoked = false

        mutating func takeWriter() -> CheckedContinuation<Void, Never>? { writer.take() }
    }

    /// How far the connection is on the way to a WebSocket.
    private enum WebSocketState {
        case none
        /// The handler's task waits for the socket.
        case awaited(CheckedContinuation<WebSocketChannel?, Never>)
        case open(WebSocketChannel)
        case over
    }

    /// The target as it was sent.
    let target: String
    let connection: Connection
    private let server: ServerCore
    private let guarded = Mutex(Guarded())

    init(target: String, connection: Connection, server: ServerCore) {
        self.target = target
        self.connection = connection
        self.server = server
    }
}

/// Methods for the daemon's thread.
extension Exchange {
    /// The method and header fields, once they have arrived.
    var head: (method: HTTPMethod, headers: HTTPHeaders)? { guarded.withLock { $0.head } }

    /// The method and header fields have arrived.
    func setHead(_ method: HTTPMethod, _ headers: HTTPHeaders) {
        guarded.withLock { $0.head = (method, headers) }
    }

    /// The answer that was given to the same request before, and which it gets too.
    var keptAnswer: KeptAnswer? { guarded.withLock { $0.keptAnswer } }

    /// The header fields have arrived, and the request is answered like the same one before.
    func setKeptAnswer(_ answer: KeptAnswer) { guarded.withLock { $0.keptAnswer = answer } }

    /// Whether the handler has the request.
    var hasBegun: Bool { guarded.withLock { $0.task != nil } }

    /// Changes the body that is arriving.
    func withBody<Result>(_ change: (inout RequestBody) -> Result) -> Result {
        guarded.withLock { change(&$0.body) }
    }

    /// Begins the handler, `atOnce` on the daemon's own thread until it first waits, and returns the next step.
    func begin(_ request: HTTPRequest, atOnce: Bool) -> ExchangeState.Step {
        guarded.withLock { $0.state.begin() }
        let task =
            atOnce ? Task.immediate { await self.run(request) } : Task { await self.run(request) }
        let isCancelled = guarded.withLock { guarded in
            guarded.task = task
            return guarded.isCancelled
        }
        if isCancelled { task.cancel() }
        return next()
    }

    /// Returns the next step, and suspends the connection if that is to wait.
    func next() -> ExchangeState.Step {
        guarded.withLock { guarded in
            let step = guarded.state.next()
            if case .wait = step { server.library.suspend(connection.handle) }
            return step
        }
    }

    /// Copies the next bytes of a streamed body; returns what a content reader returns.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (result, writer) = guarded.withLock { guarded in
            let (piece, wake) = guarded.state.read(into: buffer)
            let writer = wake ? guarded.takeWriter() : nil
            switch piece {
            case .bytes(let count): return (count, writer)
            case .end: return (MicroHTTPD.endOfStream, writer)
            case .failed: return (MicroHTTPD.endWithError, writer)
            case .wait:
                server.library.suspend(connection.handle)
                return (0, writer)
            }
        }
        writer?.resume()
        return result
    }

    /// The library has handed the socket over, for a WebSocket.
    func upgraded(_ descriptor: Int32, _ handle: OpaquePointer, first: [UInt8]) {
        let socket = UpgradedSocket(descriptor: descriptor, handle: handle, exchange: self)
        guard let channel = server.channel(for: socket, first: first, limits: guarded.withLock(\.webSocketLimits))
        else {
            return socket.close()
        }
        let waiter = guarded.withLock { guarded -> CheckedContinuation<WebSocketChannel?, Never>? in
            defer { guarded.webSocket = .open(channel) }
            if case .awaited(let waiter) = guarded.webSocket { return waiter }
            return nil
        }
        waiter?.resume(returning: channel)
    }

    /// The connection has ended the request, whichever way.
    func connectionEnded() {
        connection.requestEnded()
        endWebSocket()
        let (task, writer, onEnd, isFinished) = guarded.withLock { guarded in
            guarded.body.release(server.bodyBudget)
            guarded.hasEnded = true
            let (wake, isFinished) = guarded.state.connectionEnded()
            // A kept answer needs no handler.
            return (
                guarded.task, wake ? guarded.takeWriter() : nil, guarded.onEnd.take(),
                isFinished || guarded.keptAnswer != nil
            )
        }
        onEnd?()
        writer?.resume()
        task?.cancel()
        if isFinished { server.registry.exchangeEnded() }
    }
}

/// Methods for the handler's task.
extension Exchange {
    private func run(_ request: HTTPRequest) async {
        var response = await server.handler(request)
        if case .webSocket(let limits, _) = response.body {
            guarded.withLock { $0.webSocketLimits = limits }
            if !server.startWebSockets() { response = .plain(503, "The server cannot serve WebSockets now.") }
        }
        if response.isToKnownClient { connection.clientIsKnown() }
        let isTooLate = guarded.withLock { guarded in
            if !guarded.hasEnded { guarded.onEnd = response.onEnd }
            if guarded.state.answer(response) { server.library.resume(connection.handle) }
            return guarded.hasEnded
        }
        if isTooLate { response.onEnd?() }
        switch response.body {
        case .webSocket(_, let serve):
            if let channel = await openWebSocket() {
                let watch = watch(response.untilRevoked) { channel.revoke() }
                await serve(channel)
                watch?.cancel()
                channel.close(Task.isCancelled ? .goingAway : .normal)
            }
        case .stream(let produce), .endless(let produce):
            guard request.method != .head, response.mayHaveBody else { break }
            // Events have no end that could be missed, so they end as if there were no more. Anything else is cut.
            let watch = watch(response.untilRevoked) {
                let isEndless = self.guarded.withLock { guarded in
                    guarded.isRevoked = true
                    return guarded.state.isEndless
                }
                if !isEndless { self.abandon() }
            }
            await stream(produce)
            watch?.cancel()
        case .bytes: break
        }
        if guarded.withLock({ $0.state.taskEnded() }) { server.registry.exchangeEnded() }
    }

    /// Calls `revoke` and cancels the handler's task when `end` returns, unless the watch is cancelled before.
    private func watch(
        _ end: (@Sendable () async -> Void)?, _ revoke: @escaping @Sendable () -> Void
    ) -> Task<Void, Never>? {
        end.map { end in
            Task {
                await end()
                guard !Task.isCancelled else { return }
                revoke()
                cancel()
            }
        }
    }

    /// Waits for the socket of the WebSocket; nil when the connection ended before.
    private func openWebSocket() async -> WebSocketChannel? {
        await withCheckedContinuation { continuation in
            let channel = guarded.withLock { guarded -> WebSocketChannel?? in
                switch guarded.webSocket {
                case .open(let channel): return .some(channel)
                case .over: return .some(nil)
                case .none, .awaited:
                    guarded.webSocket = .awaited(continuation)
                    return nil
                }
            }
            if let channel { continuation.resume(returning: channel) }
        }
    }

    /// No WebSocket is going to be opened any more.
    private func endWebSocket() {
        let waiter = guarded.withLock { guarded -> CheckedContinuation<WebSocketChannel?, Never>? in
            defer { guarded.webSocket = .over }
            if case .awaited(let waiter) = guarded.webSocket { return waiter }
            return nil
        }
        waiter?.resume(returning: nil)
    }

    private func stream(_ produce: (borrowing BodyWriter) async throws -> Void) async {
        var isFailed = false
        do {
            try await produce(BodyWriter(exchange: self))
        } catch {
            isFailed = true
        }
        guarded.withLock { guarded in
            let isCut = isFailed && !guarded.isRevoked
            if guarded.state.endBody(failed: isCut) { server.library.resume(connection.handle) }
        }
    }

    /// Queues `bytes` for the daemon, or returns that the queue is full or the client has gone.
    func offer(_ bytes: [UInt8]) -> ExchangeState.Offer {
        guarded.withLock { guarded in
            let offer = guarded.state.offer(bytes)
            if offer == .accepted(resume: true) { server.library.resume(connection.handle) }
            return offer
        }
    }

    /// Returns when the daemon has sent the queued bytes, the task is cancelled, or the client has gone.
    func room() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = guarded.withLock { guarded in
                    guard !Task.isCancelled, guarded.state.waitForRoom() else { return false }
                    guarded.writer = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            guarded.withLock { $0.state.takeWriter() ? $0.takeWriter() : nil }?.resume()
        }
    }
}

/// Methods for others: the watch on peers, the thread of the WebSockets, and a stopping server.
extension Exchange {
    /// Gives the socket of a WebSocket that is over back to the library, which closes the connection, `closingAtOnce` or when
    /// the client has taken in what was sent.
    func giveBack(_ socket: UpgradedSocket, closingAtOnce: Bool) {
        connection.handover.withLock { _ in microhttpd_end_upgrade(server.library.functions, socket.handle) }
        // With TLS the socket is one end of a pair. libmicrohttpd 0.9.75 shuts it down before it notes that the connection is
        // to be closed: its thread, when it looks in between, waits for more. So each of its two sockets wakes it again.
        guarded.withLock { guarded in
            // Both are open until the request has ended.
            guard !guarded.hasEnded, socket.descriptor != connection.socket else { return }
            shutdown(socket.descriptor, Int32(SHUT_RDWR))
            shutdown(connection.socket, Int32(closingAtOnce ? SHUT_RDWR : SHUT_RD))
        }
    }

    /// Cancels the handler's task; its response is still sent if the client is there.
    func cancel() {
        guarded.withLock { guarded in
            guarded.isCancelled = true
            return guarded.task
        }?.cancel()
    }

    /// Cancels a response that would never end by itself.
    func cancelIfEndless() {
        guarded.withLock { $0.state.isEndless ? $0.task : nil }?.cancel()
    }

    /// Gives the request up: its connection is cut.
    func abandon() {
        endWebSocket()
        let writer = guarded.withLock { guarded in
            let (resume, wake) = guarded.state.abandon()
            if resume { server.library.resume(connection.handle) }
            return wake ? guarded.takeWriter() : nil
        }
        writer?.resume()
    }
}
