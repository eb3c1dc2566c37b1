import SQLite

/// The status of a durable subscriber.
package struct SubscriberStatus: Sendable {
    /// The subscriber.
    package let subscriber: Subscriber
    /// The position; nil when it has never run.
    package let cursor: DeliveryCursor?
    /// The number of undelivered events.
    package let waiting: Int
    /// The number of dead events.
    package let dead: Int
}

extension Transaction {
    /// Returns the status of each of `subscribers`.
    package func status(of subscribers: [Subscriber]) throws -> [SubscriberStatus] {
        try subscribers.map { subscriber in
            let cursor = try cursor(of: subscriber.id)
            let beginning = try cursor?.sequence ?? (subscriber.start == .beginning ? 0 : latestEvent())
            return SubscriberStatus(
                subscriber: subscriber, cursor: cursor,
                waiting: try countEvents(after: beginning, matching: subscriber.patterns),
                dead: try row("SELECT count(*) FROM core_dead_event WHERE subscriber = ?", subscriber.id) {
                    $0.int(0)
                } ?? 0)
        }
    }
}
