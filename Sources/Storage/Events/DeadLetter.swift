/// An event that one subscriber failed to handle too often; it stays until the user retries or drops it.
package struct DeadLetter: Sendable, Equatable {
    /// Its id, by which it is retried or dropped.
    package let id: String
    /// The id of the subscriber.
    package let subscriber: String
    /// The time at which delivery was given up.
    package let at: Instant
    /// The reason of the last failure.
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
