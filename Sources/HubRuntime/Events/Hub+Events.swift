import Glibc
import HubKit

extension Hub {
    /// How long a command without a daemon delivers before it ends.
    static let deliveryTime = Duration.seconds(2)

    /// The events, seen as HubKit: the outbox and all cursors.
    func eventStore() throws -> Store { try database().store(for: "core") }

    /// Begins to hear of other processes' commits. Without a runtime folder they are noticed once a second only.
    func listen() {
        if directories.runtime == nil {
            log.labelled("events").warning(
                "there is no runtime folder of yours, so commits of other processes are noticed once a second only; "
                    + "set XDG_RUNTIME_DIR, or remove hub-\(geteuid()) from the shared temporary folder")
        }
        do {
            try bus.listen()
        } catch {
            log.labelled("events").warning("commits of other processes are noticed once a second only: \(error)")
        }
    }

    /// The flows of the enabled plugins, switched on or not.
    func flows() throws -> [FlowDeclaration] { try enabledDescriptors().flatMap(\.flows) }

    /// The topics that the enabled plugins declare.
    func topics() throws -> [TopicDeclaration] { try enabledDescriptors().flatMap(\.emits) }

    /// Forgets old events, but none that is still to be delivered.
    func pruneEvents() throws -> PruneEvents {
        PruneEvents(store: try eventStore(), subscribers: try Subscribers(self).all(), clock: clock)
    }

    /// What tells of commits by other processes when no datagram does.
    func commitWatch() -> CommitWatch {
        CommitWatch(path: directories.data + "/hub.db", bus: bus, clock: clock)
    }

    /// Delivers what this command has emitted and what earlier ones left, unless another process does. Called once the
    /// command has answered. Nothing new is begun after a moment, but a hook that has begun comes to its end.
    package func deliverEvents() async {
        guard mode == .command, !endsAtOnce, let database = openedDatabase, await database.isOpen else { return }
        let topics = bus.announcedTopics
        do {
            // Who has had what could not be written down.
            if try await database.isReadOnly() { return }
            if !topics.isEmpty { try reportBrokenHooks() }
            try await delivery().deliverPending(topics, since: start, within: Hub.deliveryTime)
        } catch {
            log.warning("events wait for the next delivery: \(error)")
        }
    }

    /// Says which hooks cannot run.
    func reportBrokenHooks() throws {
        for flaw in try Subscribers(self).brokenHooks() {
            log.labelled("hooks").warning("\(flaw.message), so it does not run; hub config check shows where")
        }
    }
}
