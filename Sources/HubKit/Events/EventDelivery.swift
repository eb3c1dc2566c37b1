/// Brings durable events to their subscribers: the whole time in `hub serve`, or for a moment in a command that
/// committed while no other process delivers.
///
/// Each subscriber has its own cursor, its own order and its own pace; one that fails or waits holds up no other.
package struct EventDelivery: Sendable {
    private let subscribers: [Subscriber]
    private let store: Store
    private let leases: Leases?
    private let bus: EventBus
    private let commits: CommitWatch?
    private let clock: any Clock
    private let log: Log

    /// How long the daemon waits for a command that delivers at the moment.
    static let patience = Duration.seconds(1)

    /// Delivers from `store`, HubKit's own view of the database. Without `leases` no other process delivers; without
    /// `commits` a lost datagram is not made up for.
    package init(
        to subscribers: [Subscriber], store: Store, leases: Leases?, bus: EventBus, commits: CommitWatch?,
        clock: any Clock,
        log: Log
    ) {
        self.subscribers = subscribers
        self.store = store
        self.leases = leases
        self.bus = bus
        self.commits = commits
        self.clock = clock
        self.log = log
    }

    /// Delivers until cancelled; then what is done is saved. An error of the store ends all and is thrown.
    package func run() async throws {
        let start = clock.now
        try await forgetLeft()
        let signals = subscribers.map { _ in WakeSignal() }
        let everything = bus.changes()
        try await withThrowingTaskGroup { group in
            for (subscriber, signal) in zip(subscribers, signals) {
                group.addTask { try await deliver(to: subscriber, from: start, wokenBy: signal) }
            }
            group.addTask {
                for await news in everything {
                    for (subscriber, signal) in zip(subscribers, signals)
                    where news.restricted(to: subscriber.patterns) != nil { signal.wake() }
                }
            }
            group.addTask {
                try await commits?.run { isUntold in
                    signals.forEach { $0.wake() }
                    if isUntold { bus.announceLocally(.everything) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Delivers what is waiting for the subscribers of `topics`, for at most `limit`; what is left is for the next
    /// process. A subscriber that another process delivers to is left to it.
    ///
    /// `start` is when this process began: a new subscriber must not miss the events that it emitted.
    package func deliverPending(_ topics: Set<Topic>, since start: Instant, within limit: Duration) async {
        let wanted = subscribers.filter { subscriber in topics.contains(where: subscriber.patterns.matches) }
        guard !wanted.isEmpty else { return }
        do { try await forgetLeft() } catch { log.error("delivery did not begin: \(error)") }
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                try? await clock.sleep(for: limit)
                return false
            }
            for subscriber in wanted {
                group.addTask {
                    do {
                        try await drain(subscriber, from: start)
                    } catch {
                        log.error("delivery to \(subscriber.id) stopped: \(error)")
                    }
                    return true
                }
            }
            var left = wanted.count
            for await isDrained in group {
                left -= isDrained ? 1 : left
                if left <= 0 { group.cancelAll() }
            }
        }
    }

    /// What is switched off or gone does not queue: a flow or hook that returns after weeks begins with what is new.
    private func forgetLeft() async throws {
        let subscribers = subscribers
        let left = try await store.read { tx in try tx.leftSubscribers(except: subscribers) }
        guard !left.isEmpty else { return }
        try await store.write(SubscriberDelivery.operation) { tx in
            for id in left { try tx.forgetCursor(of: id) }
        }
    }

    private func deliver(to subscriber: Subscriber, from start: Instant, wokenBy signal: WakeSignal) async throws {
        while !Task.isCancelled {
            if let right = try acquireRight(to: subscriber) {
                defer { withExtendedLifetime(right) {} }
                try await delivery(to: subscriber).run(from: start) { until in
                    await signal.wait(until: until, clock: clock)
                }
            } else {
                // A command delivers; it ends within seconds.
                _ = await signal.wait(until: clock.now + EventDelivery.patience, clock: clock)
            }
        }
    }

    /// Who committed while we held the lease has left its event to us, so after giving it back we look once more.
    private func drain(_ subscriber: Subscriber, from start: Instant) async throws {
        repeat {
            guard let right = try acquireRight(to: subscriber) else { return }
            defer { withExtendedLifetime(right) {} }
            try await delivery(to: subscriber).run(from: start) { _ in false }
        } while try await isWaiting(subscriber) && !Task.isCancelled
    }

    private func isWaiting(_ subscriber: Subscriber) async throws -> Bool {
        try await store.read { tx in
            guard let cursor = try tx.cursor(of: subscriber.id), cursor.retryAt == nil else { return false }
            return try tx.countEvents(after: cursor.sequence, matching: subscriber.patterns) > 0
        }
    }

    /// The right to be the one who delivers, or nil when another process has it. A store in memory has one process.
    private func acquireRight(to subscriber: Subscriber) throws -> Right? {
        guard let leases else { return Right(lease: nil) }
        return try leases.tryAcquire("events/\(subscriber.id)").map { Right(lease: $0) }
    }

    private struct Right {
        let lease: Lease?
    }

    private func delivery(to subscriber: Subscriber) -> SubscriberDelivery {
        SubscriberDelivery(subscriber: subscriber, store: store, clock: clock, log: log)
    }
}
