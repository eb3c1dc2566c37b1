/// The stored position of a durable subscriber.
package struct DeliveryCursor: Equatable, Sendable {
    /// The number of the last event that is done: handled, set aside, or meant for others.
    package var sequence: Int64
    /// The number of failed attempts at the first event after it.
    package var attempts: Int
    /// The time of the next attempt; nil when nothing has failed.
    package var retryAt: Instant?
    /// The reason of the last failure, for the user.
    package var error: String?

    package init(sequence: Int64, attempts: Int = 0, retryAt: Instant? = nil, error: String? = nil) {
        self.sequence = sequence
        self.attempts = attempts
        self.retryAt = retryAt
        self.error = error
    }
}
