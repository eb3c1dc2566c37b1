import Glibc
import Synchronization

/// The open connections of a server, and how many requests are being worked on.
final class ConnectionRegistry: Sendable {
    private struct State {
        var connections: [UInt64: Connection] = [:]
        var lastNumber: UInt64 = 0
        var exchanges = 0
        var isStopping = false
        var idle: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// A connection begins.
    func add(_ handle: ConnectionHandle, socket: Int32) -> Connection {
        state.withLock { state in
            state.lastNumber += 1
            let connection = Connection(number: state.lastNumber, handle: handle, socket: socket)
            state.connections[connection.number] = connection
            return connection
        }
    }

    /// A connection has ended.
    func remove(_ connection: Connection) {
        state.withLock { _ = $0.connections.removeValue(forKey: connection.number) }
    }

    /// Ends connections whose next request has not arrived as a whole since `deadline`, be it byte by byte.
    func cut(waitingSince deadline: ContinuousClock.Instant) {
        state.withLock { state in
            for connection in state.connections.values {
                // The descriptor is closed after `remove` only, which waits for the lock.
                if let since = connection.waitingSince, since < deadline {
                    shutdown(connection.socket, Int32(SHUT_RDWR))
                }
            }
        }
    }

    /// The request that connection `number` is in.
    func exchange(on number: UInt64) -> Exchange? {
        state.withLock { $0.connections[number] }?.exchange
    }

    /// All requests that a connection is in.
    var exchanges: [Exchange] {
        state.withLock { Array($0.connections.values) }.compactMap(\.exchange)
    }

    /// Begins a request with `start`, unless the server stops.
    ///
    /// `start` runs under the registry's lock, so after ``stopBeginning()`` no request is missing in ``exchanges``.
    func begin(_ start: () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.exchanges += 1
            start()
            return true
        }
    }

    /// A request that had begun is over for its connection and its handler.
    func exchangeEnded() {
        state.withLock { state in
            state.exchanges -= 1
            if state.exchanges == 0 { state.idle?.finish() }
        }
    }

    /// Lets no further request begin.
    func stopBeginning() {
        state.withLock { $0.isStopping = true }
    }

    /// Waits until no request is being worked on, or `time` is over.
    func waitUntilIdle(for time: Duration) async {
        let (idle, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            state.idle = continuation
            if state.exchanges == 0 { continuation.finish() }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in idle {} }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }
}
