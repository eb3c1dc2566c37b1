import SQLite

/// How a durable subscriber is doing.
package struct SubscriberStatus: Sendable {
    /// Who.
    package let subscriber: Subscriber
    /// How far it has come; nil when it has never run.
    package let cursor: DeliveryCursor?
    /// How many events wait for it.
    package let waiting: Int
    /// How many it failed at for good.
    package let dead: Int
}

extension Transaction {
    /// How each of `subscribers` is doing.
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
