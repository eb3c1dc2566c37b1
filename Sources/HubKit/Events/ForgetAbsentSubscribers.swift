/// Forgets how far subscribers had come that the config has not had for a while.
///
/// A hook or flow may be missing for a moment only: its plugin is off, or a command ran with another config file. So
/// its cursor, and the events after it, are kept for ``grace``; until then it gets what it missed when it is back. Only
/// the daemon forgets, because it alone runs with the config that counts.
package struct ForgetAbsentSubscribers: Sendable {
    /// The time after which an absent subscriber is forgotten.
    package static let grace = Duration.seconds(7 * 86_400)

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
    package func callAsFunction() async throws {
        let (subscribers, now) = (subscribers, clock.now)
        let forgotten = try await store.write(SubscriberDelivery.operation) { tx in
            for subscriber in subscribers { try tx.markAbsent(subscriber.id, since: nil) }
            var forgotten: [String] = []
            for absent in try tx.absentCursors(except: subscribers) {
                if let since = absent.since, since <= now {
                    guard now - since >= Self.grace else { continue }
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
}
