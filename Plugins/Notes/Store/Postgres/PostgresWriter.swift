import NotesDomain
import PostgreSQL
import Synchronization
import System

/// The messages of this process that write. Those that wait while others are committed are one transaction, so that they share the wait
/// for the disk; one that fails leaves the others alone.
final class PostgresWriter: Sendable {
    /// The most messages of one transaction.
    private static let maximumBatch = 256

    private struct Message: Sendable {
        let ids: [String]
        let wireIDs: [String]
        /// Carries it out; returns what tells the caller once it is committed.
        let carryOut: @Sendable (PostgresTurn) async throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Message] = []
        var isWriting = false
    }

    private let pool: PostgresPool
    private let cache: PostgresNotes
    private let clock: any Clock
    /// The name under which this process edits. It is a new one each time: after a backup was restored, numbers come again.
    let agent: String
    private let metrics: ServerMetrics
    private let committed: @Sendable (PostgresTurn.Committed) -> Void
    private let state = Mutex(State())

    /// `committed` is called after each commit, in the order of the changes.
    init(
        _ pool: PostgresPool, _ cache: PostgresNotes, clock: any Clock, agent: String, metrics: ServerMetrics,
        committed: @escaping @Sendable (PostgresTurn.Committed) -> Void
    ) {
        self.pool = pool
        self.cache = cache
        self.clock = clock
        self.agent = agent
        self.metrics = metrics
        self.committed = committed
    }

    /// Carries out a message that may change notes, by their ids or those for NoteApp. `body` may run several times, until it is committed
    /// or fails for good.
    func perform<Result: Sendable>(
        _ ids: [String] = [], wireIDs: [String] = [],
        _ body: @escaping @Sendable (PostgresTurn) async throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let message = Message(ids: ids, wireIDs: wireIDs) { turn in
                let result = try await body(turn)
                return { continuation.resume(returning: result) }
            } fail: {
                continuation.resume(throwing: $0)
            }
            let begins = state.withLock { state in
                state.waiting.append(message)
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if begins { Task { await write() } }
        }
    }

    private func write() async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(Self.maximumBatch))
                state.waiting.removeFirst(batch.count)
                state.isWriting = !batch.isEmpty
                return batch
            }
            if batch.isEmpty { return }
            await carryOut(batch)
        }
    }

    /// Carries out messages in one transaction, or if they are in each other's way, each in its own.
    private func carryOut(_ batch: [Message], attempt: Int = 1) async {
        do {
            try await attemptAll(batch)
        } catch let error as PostgresError {
            switch error {
            // Another process has made a note, or claimed an agent, at the same time: look again.
            case .refused where error.isDuplicate && batch.count == 1 && attempt < 3:
                await carryOut(batch, attempt: attempt + 1)
            case .refused where batch.count > 1 && !error.isLoss, .invalidText where batch.count > 1:
                for message in batch { await carryOut([message]) }
            default: for message in batch { message.fail(HubError(error)) }
            }
        } catch let error where batch.count > 1 && Self.isOfOne(error) {
            for message in batch { await carryOut([message]) }
        } catch {
            for message in batch { message.fail(error) }
        }
    }

    /// Whether an error comes of one message, or of the note of one, and not of the database.
    private static func isOfOne(_ error: any Error) -> Bool {
        error is PostgresTurn.Entangled || error is PostgresNotes.Stale || (error as? HubError)?.concernsOneNote == true
    }

    private func attemptAll(_ batch: [Message]) async throws {
        var answers: [@Sendable () -> Void] = []
        let begin = ContinuousClock.now
        let done = try await pool.transaction { transaction in
            answers = []
            let turn = try await PostgresTurn.begin(
                transaction, batch.flatMap(\.ids), wireIDs: batch.flatMap(\.wireIDs), cache, now: clock.now,
                agent: agent)
            for message in batch {
                let mark = turn.mark()
                do {
                    answers.append(try await message.carryOut(turn))
                } catch let error as PostgresError {
                    throw error
                } catch {
                    // Alone, it ends the transaction.
                    if batch.count == 1 { throw error }
                    try turn.rollback(to: mark)
                    answers.append { message.fail(error) }
                }
            }
            return try await turn.commit()
        }
        metrics.record(.commit, .now - begin)
        metrics.count(.commits)
        metrics.count(.committed, by: batch.count)
        committed(done)
        for answer in answers { answer() }
    }
}
