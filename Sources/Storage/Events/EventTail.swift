/// The durable events that match, as they are committed: a sequence of batches that ends when its task is cancelled.
///
/// It reads the outbox, so a slow reader misses nothing and blocks no one. It has one reader.
package struct EventTail: AsyncSequence, Sendable {
    private let store: Store
    private let bus: EventBus
    private let commits: DataVersionPoller?
    private let patterns: [TopicPattern]
    private let start: Int64
    private let clock: any Clock

    /// Follows the events that come after the number `start`.
    package init(
        after start: Int64, matching patterns: [TopicPattern], store: Store, bus: EventBus, commits: DataVersionPoller?,
        clock: any Clock
    ) {
        self.start = start
        self.patterns = patterns
        self.store = store
        self.bus = bus
        self.commits = commits
        self.clock = clock
    }

    /// Returns an iterator that starts with the position of the tail.
    package func makeAsyncIterator() -> Iterator {
        let signal = AsyncSignal()
        let news = bus.changes(of: patterns)
        let feeder = Task { [commits] in
            await withTaskGroup { group in
                group.addTask { for await _ in news { signal.wake() } }
                group.addTask { try? await commits?.run { _ in signal.wake() } }
            }
        }
        return Iterator(tail: self, position: start, signal: signal, feeder: Feeder(task: feeder))
    }

    /// Reads what is there, and waits when there is nothing.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let tail: EventTail
        fileprivate var position: Int64
        fileprivate let signal: AsyncSignal
        fileprivate let feeder: Feeder

        /// Returns the next batch of events, waiting for one if necessary; nil when the task is cancelled.
        package mutating func next() async throws -> [StoredEvent]? {
            repeat {
                let (after, patterns) = (position, tail.patterns)
                let found = try await tail.store.read { tx in
                    try tx.events(after: after, matching: patterns, limit: 256)
                }
                position = Swift.max(position, found.position)
                if !found.events.isEmpty { return found.events }
            } while await signal.wait(clock: tail.clock)
            return nil
        }
    }

    /// The task that wakes the reader, cancelled together with it.
    fileprivate final class Feeder: Sendable {
        private let task: Task<Void, Never>

        init(task: Task<Void, Never>) { self.task = task }

        deinit { task.cancel() }
    }
}
