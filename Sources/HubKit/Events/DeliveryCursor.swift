/// How far a durable subscriber has come, as it is stored.
package struct DeliveryCursor: Equatable, Sendable {
    /// The number of the last event that is done: handled, set aside, or meant for others.
    package var sequence: Int64
    /// How often the first event after it was tried in vain.
    package var attempts: Int
    /// When it is tried again; nil when nothing has failed.
    package var retryAt: Instant?
    /// Why the last try failed, for a person to read.
    package var error: String?

    package init(sequence: Int64, attempts: Int = 0, retryAt: Instant? = nil, error: String? = nil) {
        self.sequence = sequence
        self.attempts = attempts
        self.retryAt = retryAt
        self.error = error
    }
}
