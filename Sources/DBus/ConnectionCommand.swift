import Threading

/// The continuation of the task that waits for the reply to a call; resumed exactly once.
typealias CallReply = CheckedContinuation<Result<DBusReply, DBusError>, Never>

/// The reply to a call.
struct DBusReply: Sendable {
    /// The values that it returned.
    var values: [DBusValue] = []
    /// The number of messages that the connection had received with it, for its place among signals.
    let order: UInt64
}

/// What other threads ask of a connection's own thread, which alone calls libdbus.
enum ConnectionCommand: Sendable {
    case call(DBusMethodCall, id: UInt64, deadline: ContinuousClock.Instant, CallReply)
    case cancel(id: UInt64)
    case subscribe([DBusMatchRule], id: UInt64, AsyncThrowingStream<DBusSignal, any Error>.Continuation)
    case unsubscribe(id: UInt64)
    case learn(owner: String?, name: String)
    case emit(DBusSignal, CallReply)
    case export(path: String, DBusHandler?)
    case answer(id: UInt64, Result<[DBusValue], DBusError>)
    case close(CheckedContinuation<Void, Never>?)

    /// Resumes the waiting task with the error that the connection has ended.
    func abandon() {
        switch self {
        case .call(_, _, _, let reply), .emit(_, let reply): reply.resume(returning: .failure(.disconnected))
        case .subscribe(_, _, let stream): stream.finish(throwing: DBusError.disconnected)
        case .close(let closed): closed?.resume()
        case .cancel, .unsubscribe, .learn, .export, .answer: break
        }
    }
}

/// The commands that wait for a connection's thread, and the descriptor that wakes it.
struct ConnectionQueue: Sendable {
    /// Readable for poll(2) while commands wait.
    let wakeup: EventFD
    private let commands: CommandQueue<ConnectionCommand>

    /// Creates an empty queue; nil when no descriptor is left.
    init?() {
        guard let wakeup = EventFD() else { return nil }
        self.wakeup = wakeup
        commands = CommandQueue(wake: { wakeup.signal() }, abandon: { $0.abandon() })
    }

    /// Leaves `command` for the thread, or abandons it when the thread has ended.
    func send(_ command: ConnectionCommand) { commands.send(command) }

    /// Takes all commands, in the order in which they were sent.
    func takeAll() -> [ConnectionCommand] {
        // Drained first: a command that comes after that wakes the thread again.
        wakeup.drain()
        return commands.takeAll()
    }

    /// Abandons what still waits and everything that is sent later.
    func close() { commands.close() }
}
