import SQLite

/// A durable subscriber: a flow, a hook, the desktop notifications.
///
/// Its handler gets each matching event at least once and in order. It may get one again after a crash, so what it
/// creates is keyed by the event's number. It decodes only the fields it needs, and ends soon when its task is
/// cancelled.
package struct Subscriber: Sendable {
    /// The start position of a new subscriber.
    package enum Start: Sendable {
        /// Events that are emitted from now on.
        case now
        /// With the oldest event that is kept.
        case beginning
    }

    /// Its stable name, under which its cursor is kept: `flow.record-to-note`, `hook.phone`.
    package let id: String
    /// The summary, in one line for `hub flows list`.
    package let summary: String
    /// The topics it wants.
    package let patterns: [TopicPattern]
    /// The start position.
    package let start: Start
    /// The delays and the number of attempts at a failed event.
    package let retry: RetryPolicy
    /// Whether a handler that has begun an event must not be cancelled when a command ends: what it started cannot be
    /// taken back, so cutting it off and starting it again later would do it twice. It has a deadline of its own.
    package let comesToItsEnd: Bool
    /// Acts on one event. An error means: try again later.
    package let handle: @Sendable (StoredEvent) async throws -> Void

    package init(
        id: String, summary: String, patterns: [TopicPattern], start: Start = .now, retry: RetryPolicy = .standard,
        comesToItsEnd: Bool = false,
        handle: @escaping @Sendable (StoredEvent) async throws -> Void
    ) {
        self.id = id
        self.summary = summary
        self.patterns = patterns
        self.start = start
        self.retry = retry
        self.comesToItsEnd = comesToItsEnd
        self.handle = handle
    }
}

/// The status of a durable subscriber.
package struct SubscriberStatus: Sendable {
    /// The subscriber.
    package let subscriber: Subscriber
    /// The position; nil when it has never run.
    package let cursor: DeliveryCursor?
    /// The number of undelivered events.
    package let waiting: Int
    /// The number of dead letters.
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
