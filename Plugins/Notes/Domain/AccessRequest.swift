package import Time

/// A request to open a locked note; it waits for the owner.
package struct AccessRequest: Hashable, Sendable {
    /// What became of a request.
    package enum State: String, Sendable {
        case pending, allowed, denied, expired
    }

    /// The time for an answer.
    package static let lifetime = Duration.seconds(30 * 86_400)
    /// The time in which the same request is passed on to the owner once.
    package static let repeatTime = Duration.seconds(5)
    /// The most requests of one person that may wait at the same time.
    package static let maximumPending = 100

    /// The id of the note.
    package let note: String
    /// The name of the account or device that asks.
    package let requester: String
    /// The reason as written; may be empty.
    package private(set) var reason: String
    /// The time of the latest request.
    package private(set) var requestedAt: Instant
    /// The answer as stored; ``state(at:)`` also knows the time.
    package private(set) var answer: State

    package init(
        note: String, requester: String, reason: String = "", requestedAt: Instant, answer: State = .pending
    ) {
        self.note = note
        self.requester = requester
        self.reason = reason
        self.requestedAt = requestedAt
        self.answer = answer
    }

    /// The time after which the request no longer waits.
    package var expiresAt: Instant { requestedAt + AccessRequest.lifetime }

    /// Returns what has become of the request.
    package func state(at now: Instant) -> State { answer == .pending && now >= expiresAt ? .expired : answer }

    /// Asks once more, which there is one request of each person and note for. Returns whether that is news: not when the same
    /// request still waits.
    package mutating func renew(reason newReason: String, at now: Instant) -> Bool {
        let isWaiting = state(at: now) == .pending
        let isNews = !isWaiting || (!newReason.isEmpty && newReason != reason)
        if !isWaiting || !newReason.isEmpty { reason = newReason }
        if !isWaiting || isNews { requestedAt = now }
        answer = .pending
        return isNews
    }

    /// Answers the request. Returns the change of the note's access; nil when the request no longer waits.
    package mutating func answer(allow: Bool, at now: Instant) -> AccessChange? {
        guard state(at: now) == .pending else { return nil }
        answer = allow ? .allowed : .denied
        return allow ? AccessChange(granted: [requester]) : AccessChange()
    }
}
