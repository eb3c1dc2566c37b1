/// Deletes old events from the outbox; those that a subscriber has not had yet stay, however old.
package struct OutboxPruner: Sendable {
    private let store: Store
    private let subscribers: [Subscriber]
    private let clock: any Clock

    /// The time for which events are kept by default.
    package static let keptFor = Duration.seconds(30 * 86_400)
    /// The number of events deleted in one short transaction.
    private static let chunk = 2000

    /// Prunes the outbox of `store`; `subscribers` are all that are enabled.
    package init(store: Store, subscribers: [Subscriber], clock: any Clock) {
        self.store = store
        self.subscribers = subscribers
        self.clock = clock
    }

    /// Deletes what is older than `moment` and answers how many events that were. With `dryRun` nothing is deleted.
    package func prune(before moment: Instant? = nil, dryRun: Bool = false) async throws -> Int {
        let moment = moment ?? clock.now - OutboxPruner.keptFor
        let subscribers = subscribers
        if dryRun {
            return try await store.read { tx in try tx.countPrunable(before: moment, keepingFor: subscribers) }
        }
        var total = 0
        while true {
            let count = try await store.write(Operation("events prune", who: .service("events"), kind: .cache)) { tx in
                try tx.prune(before: moment, keepingFor: subscribers, limit: OutboxPruner.chunk)
            }
            total += count
            guard count == OutboxPruner.chunk else { return total }
            // Lets other processes write in between.
            try await clock.sleep(for: .milliseconds(2))
        }
    }
}
