import Glibc
import HubKit
package import Storage

extension Hub {
    /// The maximum time that a command without a daemon delivers before it ends.
    static let deliveryTime = Duration.seconds(2)

    /// The events, seen as HubKit: the outbox and all cursors.
    func eventStore() throws -> Store { try database().store(for: "core") }

    /// Starts listening for commits of other processes. Without a runtime folder they are noticed only once a second.
    func listen() {
        if directories.runtime == nil {
            log.labelled("events").warning(
                "there is no private runtime folder, so changes by other processes are noticed only once a second; "
                    + "set XDG_RUNTIME_DIR, or remove hub-\(geteuid()) from the shared temporary folder")
        }
        do {
            try bus.listen()
        } catch {
            log.labelled("events").warning("changes by other processes are noticed only once a second: \(error)")
        }
    }

    /// The flows of the enabled plugins, including disabled flows.
    func flows() throws -> [FlowDeclaration] { try enabledDescriptors().flatMap(\.flows) }

    /// The topics that the enabled plugins declare.
    func topics() throws -> [TopicDeclaration] { try enabledDescriptors().flatMap(\.emits) }

    /// Returns the delivery of durable events.
    package func delivery() throws -> EventDelivery {
        let database = try database()
        return EventDelivery(
            to: try Subscribers(self).all(), store: database.store(for: "core"),
            locks: FileLocks(directory: directories.locks, clock: clock), bus: bus,
            commits: mode == .daemon ? commitWatch() : nil, clock: clock, log: log.labelled("events"))
    }

    /// Returns what deletes old events, except those that are still to be delivered.
    func outboxPruner() throws -> OutboxPruner {
        OutboxPruner(store: try eventStore(), subscribers: try Subscribers(self).all(), clock: clock)
    }

    /// Returns the watch that notices commits by other processes for which no datagram arrived.
    func commitWatch() -> DataVersionPoller {
        DataVersionPoller(path: directories.data + "/hub.db", bus: bus, clock: clock)
    }

    /// Delivers the events of this command and those left by earlier ones, unless another process does. Called once the
    /// command has printed its output. No new delivery starts after a short time, but a running hook is awaited.
    package func deliverEvents() async {
        guard mode == .command, !endsAtOnce, let database = openedDatabase, await database.isOpen else { return }
        let topics = bus.announcedTopics
        do {
            // The delivery state could not be stored.
            if try await database.isReadOnly() { return }
            if !topics.isEmpty { try reportBrokenHooks() }
            try await delivery().deliverPending(topics, since: start, within: Hub.deliveryTime)
        } catch {
            log.warning("events will be delivered later: \(error)")
        }
    }

    /// Logs the hooks that cannot run.
    func reportBrokenHooks() throws {
        for flaw in try Subscribers(self).brokenHooks() {
            log.labelled("hooks").warning("\(flaw.message), so it is disabled; hub config check shows where")
        }
    }
}
