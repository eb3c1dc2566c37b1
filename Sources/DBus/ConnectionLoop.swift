import CDBus
import Glibc

/// One connection and the thread that owns it: waits for the socket and for requests, and hands out what arrives.
///
/// libdbus is called from this thread alone, so nothing of it needs a lock.
final class ConnectionLoop {
    /// The maximum time that closing may take to write queued messages.
    static let flushTime = Duration.milliseconds(500)
    /// The longest message that is accepted, and how much may be received and not yet handed out, in bytes.
    static let maximumReceived = 8 << 20
    /// The maximum number of unanswered calls of exported objects.
    static let maximumIncoming = 64

    let connection: OpaquePointer
    let queue: ConnectionQueue
    var watches: [OpaquePointer] = []
    var pending = PendingCalls<CallReply>()
    var router = SignalRouter()
    var streams: [UInt64: AsyncThrowingStream<DBusSignal, any Error>.Continuation] = [:]
    var objects: [String: DBusHandler] = [:]
    var incoming: [UInt64: OpaquePointer] = [:]
    var incomingCount: UInt64 = 0
    /// The number of messages so far.
    var received: UInt64 = 0
    var isConnected = true
    private var flushDeadline: ContinuousClock.Instant?
    private var closers: [CheckedContinuation<Void, Never>] = []

    private init(connection: OpaquePointer, queue: ConnectionQueue) {
        self.connection = connection
        self.queue = queue
    }

    /// Connects to `address` and serves `queue` until it is closed or the bus disconnects; blocks all that time.
    static func run(address: DBusAddress, queue: ConnectionQueue, opened: (Result<Void, DBusError>) -> Void) {
        defer { queue.close() }
        var reason = [CChar](repeating: 0, count: 512)
        let connection = address.text.withCString { text in
            reason.withUnsafeMutableBufferPointer { cdbus_open(text, $0.baseAddress, $0.count) }
        }
        guard let connection else {
            let text = reason.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
            return opened(.failure(.noBus(text)))
        }
        cdbus_set_limits(connection, maximumReceived, maximumReceived)
        let loop = ConnectionLoop(connection: connection, queue: queue)
        if loop.startWatching() {
            opened(.success(()))
            loop.serve()
        } else {
            opened(.failure(.noMemory))
        }
        loop.end()
    }

    private func serve() {
        while isConnected, !isFlushed {
            for ready in wait() { handle(ready) }
            for command in queue.takeAll() { perform(command) }
            while let message = cdbus_pop(connection) { receive(message) }
            for reply in pending.expired(at: .now) { reply.resume(returning: .failure(.timedOut)) }
        }
    }

    /// Whether closing was asked for, and nothing is left to write or no time to write it.
    private var isFlushed: Bool {
        flushDeadline.map { !cdbus_has_messages_to_send(connection) || $0 <= .now } ?? false
    }

    /// The time at which the loop has to act even if nothing arrives.
    var nextDeadline: ContinuousClock.Instant? {
        [pending.nextDeadline, flushDeadline].compactMap(\.self).min()
    }

    private func perform(_ command: ConnectionCommand) {
        switch command {
        case .call(let call, let id, let deadline, let reply): send(call, id: id, deadline: deadline, reply: reply)
        case .cancel(let id): pending.cancelled(id: id)?.resume(returning: .failure(.cancelled))
        case .subscribe(let rules, let id, let stream):
            for rule in rules { router.add(rule, for: id) }
            streams[id] = stream
        case .unsubscribe(let id): unsubscribe(id)
        case .learn(let owner, let name): router.learn(owner: owner, of: name)
        case .emit(let signal, let reply): reply.resume(returning: Result { () throws(DBusError) in try emit(signal) })
        case .export(let path, let handler): objects[path] = handler
        case .answer(let id, let result): answer(id, result)
        case .close(let closed):
            flushDeadline = flushDeadline ?? .now + ConnectionLoop.flushTime
            if let closed { closers.append(closed) }
        }
    }

    /// Releases everything and resumes all waiting tasks.
    private func end() {
        for message in incoming.values { cdbus_release(message) }
        cdbus_close(connection)
        queue.close()
        for reply in pending.removeAll() { reply.resume(returning: .failure(.disconnected)) }
        for stream in streams.values { stream.finish(throwing: DBusError.disconnected) }
        for closer in closers { closer.resume() }
    }
}
