/// Does what `DeliveryState` says for one subscriber. Its caller holds the subscriber's lock.
struct SubscriberDelivery {
    let subscriber: Subscriber
    let store: Store
    let clock: any Clock
    let log: Log
    /// Whether a handler that has begun is not cancelled with the task; then the delivery ends after it.
    var isShielded = false

    /// Under which cursors move; it is not recorded.
    static let operation = Operation("events deliver", who: .service("events"), kind: .cache)

    /// Delivers until `wait` answers false or the task is cancelled; both save what is done.
    ///
    /// `wait` returns when something may be new, or at the given moment at the latest. A subscriber which never
    /// ran before must not miss the events from `start` on.
    func run(from start: Instant, wait: (_ until: Instant?) async -> Bool) async throws {
        var state = DeliveryState(cursor: try await openCursor(from: start), policy: subscriber.retry)
        var action = state.take(.woken, now: clock.now)
        var isStopping = false
        while action != .stop {
            let input = try await perform(action, wait: wait)
            action = state.take(input, now: clock.now)
            if Task.isCancelled, !isStopping {
                isStopping = true
                action = state.take(.stopping, now: clock.now)
            }
        }
    }

    private func perform(
        _ action: DeliveryState.Action, wait: (Instant?) async -> Bool
    ) async throws -> DeliveryState.Input {
        let id = subscriber.id
        switch action {
        case .fetch(let sequence, let limit):
            let found = try await store.read { [patterns = subscriber.patterns] tx in
                try tx.events(after: sequence, matching: patterns, limit: limit)
            }
            return .fetched(found.events, position: found.position)
        case .handle(let event):
            return await handle(event)
        case .save(let cursor):
            try await write { tx in try tx.save(cursor, of: id) }
            return .saved
        case .moveToDeadLetters(let event, let error, let cursor):
            log.error("\(id) failed at event \(event.sequence) (\(event.topic)), which is now a dead letter: \(error)")
            try await write { tx in
                try tx.moveToDeadLetters(event, error: error, by: id, at: tx.now)
                try tx.save(cursor, of: id)
            }
            return .saved
        case .wait(let until):
            try await retryDeadLetters()
            return await wait(until) ? .woken : .stopping
        case .stop:
            return .stopping
        }
    }

    /// Returns the start position. A new subscriber gets its cursor now, so that the next process knows it.
    private func openCursor(from start: Instant) async throws -> DeliveryCursor {
        let id = subscriber.id
        if let cursor = try await store.read({ tx in try tx.cursor(of: id) }) { return cursor }
        return try await write { [first = subscriber.start] tx in
            let sequence: Int64 =
                switch first {
                case .beginning: 0
                case .now: try tx.latestEvent(before: start)
                }
            try tx.save(DeliveryCursor(sequence: sequence), of: id)
            return DeliveryCursor(sequence: sequence)
        }
    }

    private func handle(_ event: StoredEvent) async -> DeliveryState.Input {
        do {
            if isShielded {
                // A task of its own is not cancelled with this one.
                try await Task { [subscriber] in try await subscriber.handle(event) }.value
            } else {
                try await subscriber.handle(event)
            }
            return .handled
        } catch {
            if Task.isCancelled, !isShielded { return .stopping }
            let reason = String(String(describing: error).prefix(1000))
            log.warning("\(subscriber.id) failed at event \(event.sequence) (\(event.topic)): \(reason)")
            return .failed(reason)
        }
    }

    /// The number of dead letters that are read at a time.
    static let deadLetterBatch = 100

    /// Retries the dead letters that the user asked for, each once. One that fails again stays a dead letter.
    private func retryDeadLetters() async throws {
        let id = subscriber.id
        var asked: [DeadLetter]
        repeat {
            asked = try await store.read { tx in try tx.retryingEvents(of: id, limit: Self.deadLetterBatch) }
            for dead in asked {
                if Task.isCancelled { return }
                switch await handle(dead.event) {
                case .handled:
                    _ = try await write { tx in try tx.deleteDeadLetter(dead.id) }
                case .failed(let reason):
                    try await write { tx in try tx.moveToDeadLetters(dead.event, error: reason, by: id, at: tx.now) }
                default:
                    return
                }
            }
        } while asked.count == Self.deadLetterBatch
    }

    @discardableResult
    private func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await store.write(SubscriberDelivery.operation, body)
    }
}
