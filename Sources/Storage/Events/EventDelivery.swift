/// Brings durable events to their subscribers: the whole time in `hub serve`, or for a moment in a command that
/// committed while no other process delivers.
///
/// Each subscriber has its own cursor, its own order and its own pace; one that fails or waits holds up no other.
package struct EventDelivery: Sendable {
    private let subscribers: [Subscriber]
    private let store: Store
    private let locks: FileLocks?
    private let bus: EventBus
    private let commits: DataVersionPoller?
    private let clock: any Clock
    private let log: Log

    /// The maximum time for which the daemon waits for a command that is delivering.
    static let patience = Duration.seconds(1)

    /// Delivers from `store`, HubKit's own view of the database. Without `locks` no other process delivers; without
    /// `commits` a lost datagram is not made up for.
    package init(
        to subscribers: [Subscriber], store: Store, locks: FileLocks?, bus: EventBus, commits: DataVersionPoller?,
        clock: any Clock,
        log: Log
    ) {
        self.subscribers = subscribers
        self.store = store
        self.locks = locks
        self.bus = bus
        self.commits = commits
        self.clock = clock
        self.log = log
    }

    /// Delivers until cancelled; then what is done is saved. An error of the store ends all and is thrown.
    ///
    /// `start` is when this process began: a new subscriber must not miss what others of it have emitted by now.
    package func run(since start: Instant) async throws {
        let signals = subscribers.map { _ in AsyncSignal() }
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

    /// Delivers what this process emitted on `topics` and what earlier processes left. No event is begun after `limit`;
    /// what is left is for the next process. A subscriber that another process delivers to is left to that one.
    ///
    /// At `limit` a handler is cancelled, unless it must come to its end: then it is waited for, and the log says so.
    /// `start` is when this process began: a new subscriber must not miss the events that it emitted.
    package func deliverPending(_ topics: Set<Topic>, since start: Instant, within limit: Duration) async {
        let wanted: [Subscriber]
        do {
            wanted = try await subscribersWithNews(topics)
        } catch {
            return log.error("delivery could not start: \(error)")
        }
        guard !wanted.isEmpty else { return }
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                try? await clock.sleep(for: limit)
                return nil
            }
            for subscriber in wanted {
                group.addTask {
                    do {
                        try await drain(subscriber, from: start)
                    } catch {
                        log.error("delivery to \(subscriber.id) stopped: \(error)")
                    }
                    return subscriber.id
                }
            }
            var left = Set(wanted.map(\.id))
            for await drained in group {
                if let drained {
                    left.remove(drained)
                } else {
                    for subscriber in wanted where left.contains(subscriber.id) && subscriber.comesToItsEnd {
                        log.warning("waiting for \(subscriber.id) to end; with hub serve running, commands do not wait")
                    }
                    group.cancelAll()
                }
                if left.isEmpty { group.cancelAll() }
            }
        }
    }

    /// The subscribers of `topics`, and those that an earlier process left something for.
    private func subscribersWithNews(_ topics: Set<Topic>) async throws -> [Subscriber] {
        let subscribers = subscribers
        let now = clock.now
        return try await store.read { tx in
            try subscribers.filter { subscriber in
                try topics.contains(where: subscriber.patterns.matches) || tx.hasPending(subscriber, at: now)
            }
        }
    }

    private func deliver(to subscriber: Subscriber, from start: Instant, wokenBy signal: AsyncSignal) async throws {
        while !Task.isCancelled {
            if let right = try await acquireRight(to: subscriber) {
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

    /// A process that committed while we held the lock has left its event to us, so we check again after releasing
    /// it.
    private func drain(_ subscriber: Subscriber, from start: Instant) async throws {
        repeat {
            guard let right = try await acquireRight(to: subscriber) else { return }
            defer { withExtendedLifetime(right) {} }
            try await delivery(to: subscriber, isShielded: subscriber.comesToItsEnd).run(from: start) { _ in false }
        } while try await isWaiting(subscriber) && !Task.isCancelled
    }

    private func isWaiting(_ subscriber: Subscriber) async throws -> Bool {
        let now = clock.now
        return try await store.read { tx in try tx.hasPending(subscriber, at: now) }
    }

    /// Acquires the right to deliver; nil when another process has it. A store in memory has one process.
    private func acquireRight(to subscriber: Subscriber) async throws -> Right? {
        guard let locks else { return Right(lock: nil) }
        return try await locks.tryAcquire("events/\(subscriber.id)").map { Right(lock: $0) }
    }

    private struct Right {
        let lock: FileLock?
    }

    private func delivery(to subscriber: Subscriber, isShielded: Bool = false) -> SubscriberDelivery {
        SubscriberDelivery(subscriber: subscriber, store: store, clock: clock, log: log, isShielded: isShielded)
    }
}
