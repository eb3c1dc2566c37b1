import PostgreSQL
import Synchronization
import System

/// Follows what other servers commit. They wake this one by NOTIFY, which may get lost: what is new is read from the database, and once a
/// second in any case.
final class PostgresFollower: Sendable {
    private static let channel = "hub_notes"
    /// The time after which it looks without being woken.
    private static let interval = Duration.seconds(1)
    /// The shortest time between two messages to others.
    private static let pause = Duration.milliseconds(50)

    private struct State {
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastReader = 0
        var task: Task<Void, Never>?
        var known: PostgresReader.Position?
        /// How often the database had become another one when that was read.
        var identity = 0
        var isTelling = false
        var hasNews = false
    }

    /// Why it looks.
    private enum Signal: String {
        case notify, poll
    }

    private typealias Signals = (stream: AsyncStream<Signal>, continuation: AsyncStream<Signal>.Continuation)

    private let reader: PostgresReader
    private let messenger: PostgresMessenger
    private let metrics: ServerMetrics
    private let identity: @Sendable () -> Int
    private let state = Mutex(State())

    /// `identity` is a number that grows when the database has become another one, or went back to an earlier state: then there is news with the
    /// same numbers too.
    init(
        _ reader: PostgresReader, _ messenger: PostgresMessenger, _ metrics: ServerMetrics,
        identity: @escaping @Sendable () -> Int
    ) {
        (self.reader, self.messenger, self.metrics, self.identity) = (reader, messenger, metrics, identity)
    }

    /// The last change that its readers were woken for; nil while there are none.
    var knownChange: Int? { state.withLock { $0.known?.change } }

    deinit { state.withLock { $0.task?.cancel() } }

    /// Returns what wakes its reader; while there is none, nothing is looked for.
    func wakes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            if state.task == nil {
                state.known = nil
                // A stream ends with the task that reads it, so each has one of its own.
                let signals: Signals = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
                state.task = Task { [weak self, reader, messenger, metrics] in
                    await Self.follow(reader, messenger, metrics, signals) { self?.found($0) ?? false }
                }
            }
            return state.lastReader
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    private func remove(_ id: Int) {
        state.withLock { state in
            state.readers[id] = nil
            guard state.readers.isEmpty else { return }
            state.task?.cancel()
            state.task = nil
        }
    }

    private func wake() { for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() } }

    /// Looks at the database when it is woken, and now and then; ends when `found` says so.
    private static func follow(
        _ reader: PostgresReader, _ messenger: PostgresMessenger, _ metrics: ServerMetrics, _ signals: Signals,
        _ found: (PostgresReader.Position) -> Bool
    ) async {
        let ticks = Task {
            while !Task.isCancelled {
                signals.continuation.yield(.poll)
                try? await Task.sleep(for: interval)
            }
        }
        defer { ticks.cancel() }
        var listener: PostgresConnection?
        defer { listener?.close() }
        for await signal in signals.stream {
            if Task.isCancelled { return }
            metrics.count(.wakes, "source=\"\(signal.rawValue)\"")
            if listener?.isUsable != true {
                listener = try? await reader.pool.listen(to: channel, PostgresMessenger.channel) { name, payload in
                    if name == channel { signals.continuation.yield(.notify) } else { messenger.received(payload) }
                }
            }
            // What is not found now is found later.
            guard let position = try? await reader.position() else { continue }
            if !found(position) { return }
        }
    }

    /// Takes what the database says; false when there is no follower.
    private func found(_ position: PostgresReader.Position) -> Bool {
        let identity = identity()
        let isNews = state.withLock { state in
            defer { (state.known, state.identity) = (position, identity) }
            return state.known != position || state.identity != identity
        }
        if isNews { wake() }
        return state.withLock { $0.task != nil }
    }

    /// Takes what this process has committed: its own readers hear of it where they do not know it already, and others soon.
    func committed(_ turn: PostgresTurn.Committed) {
        guard turn.latest != nil || turn.hasOthers else { return }
        state.withLock { state in
            // Nothing of others lies between.
            if let latest = turn.latest, let known = state.known, known.change == latest - turn.count {
                state.known?.change = latest
            }
        }
        if turn.hasOthers { wake() }
        tellOthers()
    }

    /// Wakes the readers of this process and of others.
    func changed() {
        wake()
        tellOthers()
    }

    /// Wakes other servers, not more often than they can use it, and never in a transaction that writes: commits would wait for each other.
    private func tellOthers() {
        let begins = state.withLock { state in
            state.hasNews = true
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard begins else { return }
        Task { [weak self, reader] in
            while let self, self.takesNews() {
                _ = try? await reader.pool.run(PostgresQuery("SELECT pg_notify($1, '')", Self.channel))
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func takesNews() -> Bool {
        state.withLock { state in
            defer { state.hasNews = false }
            state.isTelling = state.hasNews
            return state.hasNews
        }
    }
}
