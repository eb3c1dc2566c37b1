import HubKitTesting
import Storage
import Synchronization

/// The environment of a delivery test: a store in memory, a bus within the process, and a manual clock.
final class EventBench: Sendable {
    let clock = ManualClock()
    let bus = EventBus()
    let store: Store
    let operation = Operation(id: "1a", "test", kind: .cache)
    let log = Log(label: "test") { _, _, _ in }

    init() {
        let database = Database(at: .memory, plugins: [], clock: clock, executors: .queues)
        database.onCommit { [bus] topics in bus.announce(.some(topics)) }
        store = database.store(for: "core")
    }

    /// Emits one event for each subject, all in one transaction.
    func emit(_ subjects: String...) async throws {
        try await store.write(operation) { tx in
            for subject in subjects { try tx.emit(Event("domain.test/added", subject: subject)) }
        }
    }

    func delivery(to subscribers: Subscriber..., locks: FileLocks? = nil) -> EventDelivery {
        EventDelivery(
            to: subscribers, store: store, locks: locks, bus: bus, commits: nil, clock: clock, log: log)
    }
}

/// A handler that records its events and fails as often as it is configured to.
final class Recorder: Sendable {
    struct Refusal: Error {}

    private let failures: Mutex<[String: Int]>
    private let seen: AsyncStream<String>.Continuation
    private let stream: AsyncStream<String>

    /// `failures` says how often the handler fails for each subject.
    init(failures: [String: Int] = [:]) {
        self.failures = Mutex(failures)
        (stream, seen) = AsyncStream.makeStream()
    }

    func subscriber(_ id: String = "flow.test", start: Subscriber.Start = .now, attempts: Int = 3) -> Subscriber {
        let retry = RetryPolicy(attempts: attempts, firstDelay: .seconds(1), longestDelay: .seconds(10))
        return Subscriber(id: id, summary: "", patterns: ["domain.test/*"], start: start, retry: retry) { event in
            try self.handle(event)
        }
    }

    private func handle(_ event: StoredEvent) throws {
        let fails = failures.withLock { failures in
            let left = failures[event.subject] ?? 0
            failures[event.subject] = left - 1
            return left > 0
        }
        seen.yield(fails ? "\(event.subject) failed" : event.subject)
        if fails { throw Refusal() }
    }

    /// The next `count` events, in the order in which the handler got them.
    func next(_ count: Int) async -> [String] {
        var subjects: [String] = []
        var iterator = stream.makeAsyncIterator()
        while subjects.count < count, let subject = await iterator.next() { subjects.append(subject) }
        return subjects
    }

    /// Returns all events that the handler got so far, and stops it.
    func all() async -> [String] {
        seen.finish()
        return await next(.max)
    }
}
