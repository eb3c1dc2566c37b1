/// An event that one subscriber failed at too often; it waits for a person, who retries or drops it.
package struct DeadEvent: Sendable, Equatable {
    /// Its id, by which it is retried or dropped.
    package let id: String
    /// Who failed.
    package let subscriber: String
    /// When it was set aside.
    package let at: Instant
    /// Why the last try failed.
    package let error: String
    /// Whether the next delivery tries it once more.
    package let isRetrying: Bool
    /// The event, whole: the outbox may have been pruned since.
    package let event: StoredEvent

    package init(
        id: String, subscriber: String, at: Instant, error: String, isRetrying: Bool, event: StoredEvent
    ) {
        self.id = id
        self.subscriber = subscriber
        self.at = at
        self.error = error
        self.isRetrying = isRetrying
        self.event = event
    }
}
