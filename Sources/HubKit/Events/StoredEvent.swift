/// An event as the outbox keeps it: the event, its place in the order, and where it came from.
package struct StoredEvent: Sendable, Equatable {
    /// Its number, given in the commit: it grows and is never used twice, and so it is the event's id for a flow that
    /// must act once.
    package let sequence: Int64
    /// The time of its transaction.
    package let at: Instant
    /// The id of the operation that emitted it; nil when a cache or a service without one did.
    package let operation: String?
    /// The event itself.
    package let event: Event

    package init(sequence: Int64, at: Instant, operation: String?, event: Event) {
        self.sequence = sequence
        self.at = at
        self.operation = operation
        self.event = event
    }

    /// The topic of the event.
    package var topic: Topic { event.topic }
    /// The id of what it happened to.
    package var subject: String { event.subject }
}
