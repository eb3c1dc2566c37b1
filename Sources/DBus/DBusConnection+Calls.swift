extension DBusConnection {
    /// Calls a method and returns the values of its answer.
    ///
    /// A service that is not running is started by the bus if it knows how; `timeout` covers that too.
    package func call(
        _ destination: String, path: String, interface: String, member: String, _ arguments: [DBusValue] = [],
        timeout: Duration = .seconds(25)
    ) async throws(DBusError) -> [DBusValue] {
        let call = DBusMethodCall(
            destination: destination, path: path, interface: interface, member: member, arguments: arguments)
        return try await reply(to: call, timeout: timeout).values
    }

    /// Makes `call` and returns the whole reply.
    func reply(to call: DBusMethodCall, timeout: Duration) async throws(DBusError) -> DBusReply {
        try await queue.call(call, id: makeID(), deadline: .now + timeout)
    }

    /// Calls a method of the bus itself.
    func callBus(_ member: String, _ arguments: [DBusValue], timeout: Duration) async throws(DBusError) -> [DBusValue] {
        try await call(
            Bus.name, path: Bus.path, interface: Bus.name, member: member, arguments, timeout: timeout)
    }
}

extension ConnectionQueue {
    /// Has the connection's thread make `call`; ends early when the task is cancelled.
    func call(
        _ call: DBusMethodCall, id: UInt64, deadline: ContinuousClock.Instant
    ) async throws(DBusError) -> DBusReply {
        guard !Task.isCancelled else { throw .cancelled }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                send(.call(call, id: id, deadline: deadline, reply))
                // A cancellation may have come before there was anything to cancel.
                if Task.isCancelled { send(.cancel(id: id)) }
            }
        } onCancel: {
            send(.cancel(id: id))
        }.get()
    }
}
