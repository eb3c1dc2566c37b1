import SQLite
import Synchronization

/// The news for one reader in this process, as a sequence that never ends by itself.
///
/// Changes that arrive while the reader is busy are merged into the next element, so a slow reader gets fewer
/// elements, never a longer queue, and blocks no one. Each sequence has one reader.
package struct ChangeNotifier: AsyncSequence, Sendable {
    let buffer: Buffer
    private let signals: AsyncStream<Void>

    init(of patterns: [TopicPattern]) {
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        buffer = Buffer(patterns: patterns, signal: signal)
    }

    /// Returns an iterator; changes before its first call are not lost.
    package func makeAsyncIterator() -> Iterator {
        Iterator(buffer: buffer, signals: signals.makeAsyncIterator())
    }

    /// Waits for news and takes all there is.
    package struct Iterator: AsyncIteratorProtocol {
        let buffer: Buffer
        var signals: AsyncStream<Void>.Iterator

        /// Returns the topics that changed since the last call, waiting for one if necessary; nil at the end.
        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ChangeSet? {
            while await signals.next(isolation: actor) != nil {
                if let news = buffer.take() { return news }
            }
            return nil
        }
    }

    /// Holds changes until they are read. It does not hold the stream: releasing the sequence ends it.
    final class Buffer: Sendable {
        private let patterns: [TopicPattern]
        private let signal: AsyncStream<Void>.Continuation
        private let news = Mutex<ChangeSet?>(nil)

        init(patterns: [TopicPattern], signal: AsyncStream<Void>.Continuation) {
            self.patterns = patterns
            self.signal = signal
        }

        /// Calls `action` when the reader is cancelled or gone.
        func onEnd(_ action: @escaping @Sendable () -> Void) {
            signal.onTermination = { _ in action() }
        }

        /// Keeps the part of the news that the reader wants, and wakes it.
        func put(_ changed: ChangeSet) {
            guard let wanted = changed.restricted(to: patterns) else { return }
            news.withLock { news in
                if news == nil { news = wanted } else { news?.formUnion(wanted) }
            }
            signal.yield()
        }

        /// All the news there is, or nil when there is none.
        func take() -> ChangeSet? {
            news.withLock { news in
                defer { news = nil }
                return news
            }
        }
    }
}

/// Checks once a second whether the database changed, as a fallback for lost datagrams.
package struct DataVersionPoller: Sendable {
    private let path: String
    private let bus: EventBus
    private let clock: any Clock

    /// Watches the database file at `path`.
    package init(path: String, bus: EventBus, clock: any Clock) {
        self.path = path
        self.bus = bus
        self.clock = clock
    }

    /// The interval between checks; each takes a few microseconds.
    static let interval = Duration.seconds(1)

    /// Calls `onChange` after each change by any process, until cancelled. `isUntold` means that the bus had no news
    /// in the meantime, so the committing process could not announce it.
    package func run(onChange: (_ isUntold: Bool) -> Void) async throws {
        let connection = try Connection(path, mode: .readOnly)
        var version = try connection.dataVersion()
        var news = bus.newsCount
        while true {
            do { try await clock.sleep(for: DataVersionPoller.interval) } catch { return }
            let latest = try connection.dataVersion()
            let heard = bus.newsCount
            if latest != version { onChange(heard == news) }
            (version, news) = (latest, heard)
        }
    }
}
