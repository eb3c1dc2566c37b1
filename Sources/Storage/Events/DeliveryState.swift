/// The rules of durable delivery to one subscriber: in order, at least once, retried, set aside at last.
///
/// A pure value: the driver passes it inputs and performs the actions it returns. The cursor is saved after the
/// handler, never before, so a crash means a redelivery and never a loss; several handled events may share one save.
/// An action may be dropped, for example when stopping: it is requested again as long as it is not done.
package struct DeliveryState: Sendable {
    /// An input from the driver.
    package enum Input: Sendable {
        /// Something may be new, or the time to try again has come.
        case woken
        /// The answer to `fetch`: the subscriber's events in order, and the number up to which all were looked at.
        case fetched([StoredEvent], position: Int64)
        /// The handler is done with the event it was given.
        case handled
        /// The handler failed, with the reason for the user.
        case failed(String)
        /// The write that was asked for is committed.
        case saved
        /// The process ends: save what is done and stop.
        case stopping
    }

    /// The next action of the driver.
    package enum Action: Sendable, Equatable {
        /// Read up to `limit` events of the subscriber that come after the number `after`.
        case fetch(after: Int64, limit: Int)
        /// Give this event to the handler.
        case handle(StoredEvent)
        /// Store the cursor.
        case save(DeliveryCursor)
        /// Keep the event, and why it failed, among the dead ones, and store the cursor, both in one write.
        case moveToDeadLetters(StoredEvent, error: String, DeliveryCursor)
        /// Do nothing until woken, or until the given moment.
        case wait(until: Instant?)
        /// Nothing is left to be saved.
        case stop
    }

    /// The limits for unsaved progress and for one read.
    package struct Limits: Sendable, Equatable {
        /// The most events that one read brings.
        package var fetch = 256
        /// The maximum time for which a handled event may stay unsaved while further ones are handled.
        package var unsavedTime = Duration.milliseconds(200)
        /// The number of skipped events of other topics after which the cursor is saved.
        package var unsavedSkips: Int64 = 1000

        package init() {}
    }

    private let policy: RetryPolicy
    private let limits: Limits
    /// The position of the subscriber.
    package private(set) var cursor: DeliveryCursor
    private var stored: DeliveryCursor
    /// Everything up to this number has been looked at.
    private var position: Int64
    private var queue: ArraySlice<StoredEvent> = []
    private var failed: (event: StoredEvent, error: String)?
    private var mayHaveMore = true
    private var firstUnsaved: Instant?
    private var isStopping = false

    /// The state of a subscriber that has come as far as `cursor` says.
    package init(cursor: DeliveryCursor, policy: RetryPolicy = .standard, limits: Limits = Limits()) {
        self.policy = policy
        self.limits = limits
        self.cursor = cursor
        stored = cursor
        position = cursor.sequence
    }

    /// Takes in what has come to pass at the moment `now` and says what to do.
    package mutating func take(_ input: Input, now: Instant) -> Action {
        switch input {
        case .woken:
            mayHaveMore = true
        case .fetched(let events, let position):
            queue = events[...]
            self.position = max(position, self.position)
            mayHaveMore = events.count >= limits.fetch
            if events.isEmpty { cursor.sequence = self.position }
        case .handled:
            advance(now: now)
        case .failed(let reason):
            retryOrSetAside(reason, now: now)
        case .saved:
            stored = cursor
            failed = nil
            firstUnsaved = nil
        case .stopping:
            isStopping = true
        }
        return next(now: now)
    }

    private func next(now: Instant) -> Action {
        if let failed { return .moveToDeadLetters(failed.event, error: failed.error, cursor) }
        if isStopping { return cursor == stored ? .stop : .save(cursor) }
        if mustSave(now: now) { return .save(cursor) }
        if let retryAt = cursor.retryAt, !policy.isDue(retryAt, at: now) { return .wait(until: retryAt) }
        if let event = queue.first { return .handle(event) }
        if mayHaveMore { return .fetch(after: position, limit: limits.fetch) }
        return .wait(until: nil)
    }

    private func mustSave(now: Instant) -> Bool {
        if cursor.retryAt != nil, cursor != stored { return true }
        if let firstUnsaved, queue.isEmpty || now - firstUnsaved >= limits.unsavedTime { return true }
        return cursor.sequence - stored.sequence >= limits.unsavedSkips && queue.isEmpty
    }

    /// Passes over the event that is done; what follows the last one of a read was meant for others.
    private mutating func advance(now: Instant) {
        guard let done = queue.popFirst() else { return }
        cursor = DeliveryCursor(sequence: queue.isEmpty ? position : done.sequence)
        firstUnsaved = firstUnsaved ?? now
    }

    private mutating func retryOrSetAside(_ reason: String, now: Instant) {
        guard let event = queue.first else { return }
        cursor.attempts += 1
        if cursor.attempts < policy.attempts {
            cursor.retryAt = now + policy.delay(after: cursor.attempts)
            cursor.error = reason
        } else {
            failed = (event, reason)
            advance(now: now)
        }
    }
}

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

/// The delays between attempts at a failed event, and their number.
package struct RetryPolicy: Sendable, Equatable {
    /// The number of attempts before an event becomes a dead letter.
    package var attempts: Int
    /// The wait after the first failure; each further failure makes it four times longer.
    package var firstDelay: Duration
    /// The longest wait.
    package var longestDelay: Duration

    package init(attempts: Int, firstDelay: Duration, longestDelay: Duration) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// Eight tries within about 26 minutes: 1, 4, 16, 64, 256 and then 600 seconds apart. Later events of the
    /// subscriber wait meanwhile, for they come in order.
    package static let standard = RetryPolicy(attempts: 8, firstDelay: .seconds(1), longestDelay: .seconds(600))

    /// Whether the try that was put off until `moment` is due at `now`. One that lies further ahead than any wait was
    /// written by a clock that was wrong, and is due too.
    package func isDue(_ moment: Instant, at now: Instant) -> Bool {
        now >= moment || moment - now > longestDelay
    }

    /// The wait after the `failures`-th failure in a row, counted from one.
    package func delay(after failures: Int) -> Duration {
        var (delay, rest) = (firstDelay, failures &- 1)
        while rest > 0, delay < longestDelay { (delay, rest) = (delay * 4, rest - 1) }
        return min(delay, longestDelay)
    }
}
