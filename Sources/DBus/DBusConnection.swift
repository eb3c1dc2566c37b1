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
