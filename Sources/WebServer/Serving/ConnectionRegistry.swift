import Glibc
import Synchronization

/// The open connections of a server, and how many requests are being worked on.
final class ConnectionRegistry: Sendable {
    private struct State {
        var connections: [UInt64: Connection] = [:]
        var lastNumber: UInt64 = 0
        var exchanges = 0
        var isStopping = false
        var isEndingAll = false
        var idle: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// A connection begins.
    func add(_ handle: ConnectionHandle, socket: Int32) -> Connection {
        state.withLock { state in
            state.lastNumber += 1
            let connection = Connection(number: state.lastNumber, handle: handle, socket: socket)
            state.connections[connection.number] = connection
            if state.isEndingAll { Self.end(connection) }
            return connection
        }
    }

    /// A connection has ended.
    func remove(_ connection: Connection) {
        state.withLock { _ = $0.connections.removeValue(forKey: connection.number) }
    }

    /// Ends connections whose next request has not arrived as a whole since `deadline`, or whose first one has no head
    /// since `headDeadline`, be it byte by byte.
    func cut(waitingSince deadline: ContinuousClock.Instant, headlessSince headDeadline: ContinuousClock.Instant) {
        state.withLock { state in
            for connection in state.connections.values {
                let isLate = connection.waitingSince.map { $0 < deadline } == true
                let isHeadless = connection.headlessSince.map { $0 < headDeadline } == true
                if isLate || isHeadless { Self.end(connection) }
            }
        }
    }

    /// Ends the oldest connection of a client that is not known, among those that have waited for a request since
    /// `deadline`. Returns whether there was one.
    func dropOldestStranger(waitingSince deadline: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            let strangers = state.connections.values.filter { connection in
                !connection.isKnown && connection.waitingSince.map { $0 <= deadline } == true
            }
            guard let oldest = strangers.min(by: { $0.number < $1.number }) else { return false }
            Self.end(oldest)
            return true
        }
    }

    /// Only under the lock: the descriptor is closed after ``remove(_:)``, which waits for it.
    private static func end(_ connection: Connection) { shutdown(connection.socket, Int32(SHUT_RDWR)) }

    /// Sends `message` as far as the socket takes it at once, and ends the connection for writing.
    func refuse(_ connection: Connection, with message: [UInt8]) {
        state.withLock { state in
            guard state.connections[connection.number] != nil else { return }
            _ = send(connection.socket, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            shutdown(connection.socket, Int32(SHUT_WR))
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

    /// Counts a request that begins. Returns false when the server stops.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.exchanges += 1
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

    /// Ends all connections, and each that is still to begin.
    func endAll() {
        state.withLock { state in
            state.isEndingAll = true
            state.connections.values.forEach(Self.end)
        }
    }

    /// Waits until no request is being worked on, or `time` is over.
    func waitUntilIdle(for time: Duration) async {
        let (idle, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            state.idle = continuation
            if state.exchanges == 0 { continuation.finish() }
        }
        await wait(for: time, orUntil: idle)
    }
}

/// Waits until `end` finishes, or `time` is over.
func wait(for time: Duration, orUntil end: AsyncStream<Void>) async {
    await withTaskGroup(of: Void.self) { group in
        group.addTask { for await _ in end {} }
        group.addTask { try? await Task.sleep(for: time) }
        await group.next()
        group.cancelAll()
    }
}
