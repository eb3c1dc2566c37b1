/// The continuation of the task that waits for the reply to a call; resumed exactly once.
typealias CallReply = CheckedContinuation<Result<[DBusValue], DBusError>, Never>

/// A request of another thread to the connection's own thread, which alone calls libdbus.
enum Request: Sendable {
    case call(DBusMethodCall, id: UInt64, deadline: ContinuousClock.Instant, CallReply)
    case cancel(id: UInt64)
    case subscribe(DBusMatchRule, id: UInt64, AsyncThrowingStream<DBusSignal, any Error>.Continuation)
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
