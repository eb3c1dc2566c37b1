import CDBus
import Glibc
import Synchronization

/// Answers the calls of one exported object; throws `DBusError.remote` to answer with an error of that name.
package typealias DBusHandler = @Sendable (DBusMethodCall) async throws(DBusError) -> [DBusValue]

/// A connection to a message bus, with a thread of its own that waits on the socket.
///
/// No call blocks the caller's thread. The connection ends with `close`, when the bus goes away, or when the last
/// reference is gone; from then on everything fails with `DBusError.disconnected`.
package final class DBusConnection: Sendable {
    /// The name that the bus gave this connection, such as `:1.42`.
    package let uniqueName: String

    let queue: ConnectionQueue
    private let lastID = Atomic<UInt64>(0)

    private init(queue: ConnectionQueue, uniqueName: String) {
        self.queue = queue
        self.uniqueName = uniqueName
    }

    deinit { queue.send(.close(nil)) }

    /// Connects to the bus at `address` and says hello, both within `timeout`.
    package static func open(
        _ address: DBusAddress, timeout: Duration = .seconds(3)
    ) async throws(DBusError) -> DBusConnection {
        if let reason = cdbus_load() { throw .libraryMissing(String(cString: reason)) }
        let deadline = ContinuousClock.now + timeout
        guard let queue = ConnectionQueue() else { throw .noMemory }
        let opening = Opening(address: address, queue: queue)
        do {
            try await opening.start(timeout: timeout)
            let hello = DBusMethodCall(destination: Bus.name, path: Bus.path, interface: Bus.name, member: "Hello")
            let reply = try await queue.call(hello, id: 0, deadline: deadline)
            return DBusConnection(queue: queue, uniqueName: reply.values.first?.text ?? "")
        } catch {
            queue.send(.close(nil))
            throw error == .disconnected ? .noBus("it refused the connection") : error
        }
    }

    /// Writes what is queued, closes the connection and returns when its thread has let go of everything.
    package func close() async {
        await withCheckedContinuation { queue.send(.close($0)) }
    }

    /// A number that no other request of this connection has.
    func makeID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }
}

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

extension DBusConnection {
    /// Offers an object at `path`: its calls go to `handler`, each in a task of its own.
    ///
    /// At most 64 calls are served at a time; more are refused. `org.freedesktop.DBus.Peer.Ping` is answered for it.
    package func export(_ path: String, handler: @escaping DBusHandler) {
        queue.send(.export(path: path, handler))
    }

    /// Withdraws the object at `path`.
    package func withdraw(_ path: String) { queue.send(.export(path: path, nil)) }

    /// Asks the bus for the well-known name `name`; whether this connection owns it now.
    package func requestName(_ name: String, timeout: Duration = .seconds(5)) async throws(DBusError) -> Bool {
        let doNotQueue: UInt32 = 4
        let reply = try await callBus("RequestName", [.string(name), .uint32(doNotQueue)], timeout: timeout)
        let (primaryOwner, alreadyOwner) = (1, 4)
        return reply.first?.integer == primaryOwner || reply.first?.integer == alreadyOwner
    }
}

extension DBusConnection {
    /// The signals that match `rule`, from now on, until the stream is let go.
    ///
    /// At most `limit` signals wait to be read. The stream throws `DBusError.overflow` when one more comes, and
    /// `DBusError.disconnected` when the connection ends.
    package func signals(
        matching rule: DBusMatchRule, limit: Int = 1024, timeout: Duration = .seconds(5)
    ) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        try await signals(matching: [rule], limit: limit, timeout: timeout)
    }

    /// The signals that match one of `rules`, in the order in which they came; see ``signals(matching:limit:timeout:)``.
    package func signals(
        matching rules: [DBusMatchRule], limit: Int = 1024, timeout: Duration = .seconds(5)
    ) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        let id = makeID()
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: DBusSignal.self, bufferingPolicy: .bufferingOldest(limit))
        queue.send(.subscribe(rules, id: id, continuation))
        do {
            for rule in rules {
                if let name = rule.followedName { try await follow(name, timeout: timeout) }
                _ = try await callBus("AddMatch", [.string(rule.text)], timeout: timeout)
            }
        } catch {
            queue.send(.unsubscribe(id: id))
            throw error
        }
        continuation.onTermination = { [queue] _ in queue.send(.unsubscribe(id: id)) }
        return stream
    }

    /// Emits `signal` to every connection that subscribed to it.
    package func emit(_ signal: DBusSignal) async throws(DBusError) {
        _ = try await withCheckedContinuation { queue.send(.emit(signal, $0)) }.get()
    }

    /// Finds the owner of `name` and follows its changes.
    private func follow(_ name: String, timeout: Duration) async throws(DBusError) {
        _ = try await callBus("AddMatch", [.string(DBusMatchRule.owner(of: name).text)], timeout: timeout)
        do {
            let owner = try await callBus("GetNameOwner", [.string(name)], timeout: timeout)
            queue.send(.learn(owner: owner.first?.text, name: name))
        } catch  where error.isServiceMissing {
            queue.send(.learn(owner: nil, name: name))
        }
    }
}
