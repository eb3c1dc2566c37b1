import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

/// Accepts connections on a listening socket and hands each on, as long as fewer than the limit are open.
final class Acceptor: Sendable {
    /// Takes over an accepted socket and says whether it becomes a connection.
    typealias Deliver = @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool

    private struct State {
        var source: ReadSource?
        var open = 0
        /// The open ones that read no further request.
        var closing = 0
        var isPaused = false
        var silence: AsyncStream<Void>.Continuation?

        func checkSilence() {
            if open == closing { silence?.finish() }
        }
    }

    private let limit: Int
    private let queue = DispatchQueue(label: "hub.web.accept")
    private let state = Mutex(State())
    private let closed = AsyncStream.makeStream(of: Void.self)

    private let makeRoom: @Sendable () -> Bool

    /// `makeRoom` is called when one more waits than `limit` allows; it may end a connection, and says whether it did.
    init(limit: Int, makeRoom: @escaping @Sendable () -> Bool) {
        self.limit = limit
        self.makeRoom = makeRoom
    }

    /// Begins to accept on `socket`, which is its own from now on.
    func start(_ socket: Int32, _ deliver: @escaping Deliver) {
        state.withLock { state in
            state.source = ReadSource(
                socket, on: queue, isReady: { [self] in accept(socket, deliver) },
                isCancelled: { [self] in
                    Glibc.close(socket)
                    closed.continuation.finish()
                })
        }
    }

    /// A connection that was handed on reads no further request.
    func connectionCloses() {
        state.withLock { state in
            state.closing += 1
            state.checkSilence()
        }
    }

    /// A connection that was handed on is over, so another one may come.
    func connectionEnded(wasClosing: Bool) {
        state.withLock { state in
            state.open -= 1
            if wasClosing { state.closing -= 1 }
            state.checkSilence()
        }
        proceed()
    }

    /// Closes the listening socket; when this returns, nothing is delivered any more and the port is free.
    func close() async {
        state.withLock { state in
            guard let source = state.source.take() else { return }
            source.cancel()
            if state.isPaused { source.resume() }
        }
        for await _ in closed.stream {}
    }

    /// Waits until none of the connections that were handed on reads a request, or `time` is over. Only after ``close()``.
    func waitForSilence(for time: Duration) async {
        let (silence, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            state.silence = continuation
            state.checkSilence()
        }
        await wait(for: time, orUntil: silence)
    }

    private enum Outcome { case delivered, refused, failed(Int32) }

    private func accept(_ socket: Int32, _ deliver: Deliver) {
        // It is called because a connection is waiting.
        if state.withLock({ $0.source != nil && $0.open >= limit }) {
            pause()
            return waitForRoom()
        }
        while state.withLock({ $0.source != nil && $0.open < limit }) {
            switch acceptOne(socket, deliver) {
            case .delivered: state.withLock { $0.open += 1 }
            case .refused, .failed(ECONNABORTED), .failed(EINTR): continue
            case .failed(EAGAIN): return
            case .failed:
                // Out of descriptors or memory: others must end first.
                pause()
                queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.proceed() }
                return
            }
        }
    }

    private func acceptOne(_ socket: Int32, _ deliver: Deliver) -> Outcome {
        var peer = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return withUnsafeMutablePointer(to: &peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let connection = microhttpd_accept(socket, address, &length)
                guard connection >= 0 else { return .failed(errno) }
                return deliver(connection, address, length) ? .delivered : .refused
            }
        }
    }

    private func pause() {
        state.withLock { state in
            guard !state.isPaused, let source = state.source else { return }
            state.isPaused = true
            source.suspend()
        }
    }

    /// Makes room now, or soon when no connection may be dropped yet; a connection that ends by itself makes room
    /// too.
    private func waitForRoom() {
        guard state.withLock({ $0.isPaused && $0.source != nil && $0.open >= limit }), !makeRoom() else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.waitForRoom() }
    }

    private func proceed() {
        state.withLock { state in
            guard state.isPaused, state.open < limit, let source = state.source else { return }
            state.isPaused = false
            source.resume()
        }
    }
}
