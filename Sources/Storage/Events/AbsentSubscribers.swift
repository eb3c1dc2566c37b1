import SQLite

/// The subscribers that the config has not had for a while, whose position is forgotten.
///
/// A hook or flow may be missing for a moment only: its plugin is off, or a command ran with another config file. So
/// its cursor, and the events after it, are kept for ``grace``; until then it gets what it missed when it is back. Only
/// the daemon forgets, because it alone runs with the config that counts.
package struct AbsentSubscribers: Sendable {
    /// The time after which an absent subscriber is forgotten.
    package static let grace = Duration.seconds(7 * 86_400)
    /// The most that counts between two looks.
    private static let largestStep = Duration.seconds(86_400)
    private static let seenKey = "absence-seen"

    private let store: Store
    private let subscribers: [Subscriber]
    private let clock: any Clock
    private let log: Log

    /// `subscribers` are all that are enabled.
    package init(store: Store, subscribers: [Subscriber], clock: any Clock, log: Log) {
        self.store = store
        self.subscribers = subscribers
        self.clock = clock
        self.log = log
    }

    /// Records which subscribers are absent and which have returned, and forgets those that have been absent for too
    /// long.
    package func forget() async throws {
        let (subscribers, now) = (subscribers, clock.now)
        let forgotten = try await store.write(SubscriberDelivery.operation) { tx in
            for subscriber in subscribers { try tx.markAbsent(subscriber.id, since: nil) }
            let uncounted = try Self.uncountedTime(tx, now: now)
            var forgotten: [String] = []
            for absent in try tx.absentCursors(except: subscribers) {
                if let since = absent.since.map({ $0 + uncounted }), since <= now {
                    guard now - since >= Self.grace else {
                        try tx.markAbsent(absent.id, since: since)
                        continue
                    }
                    try tx.forgetCursor(of: absent.id)
                    forgotten.append(absent.id)
                } else {
                    try tx.markAbsent(absent.id, since: now)
                }
            }
            return forgotten
        }
        for id in forgotten {
            log.warning("\(id) has been disabled for 7 days; if it is enabled again, it starts with new events")
        }
    }

    /// How far the clock has moved since the last look beyond what counts; negative when it went back.
    private static func uncountedTime(_ tx: Transaction, now: Instant) throws -> Duration {
        let last = try tx.row("SELECT value FROM core_setting WHERE name = ?", seenKey) { Int64($0.text(0)) } ?? nil
        try tx.run(
            "INSERT INTO core_setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", seenKey,
            String(now.milliseconds))
        guard let last else { return .zero }
        let moved = now - Instant(milliseconds: last)
        return moved - min(max(moved, .zero), largestStep)
    }
}
