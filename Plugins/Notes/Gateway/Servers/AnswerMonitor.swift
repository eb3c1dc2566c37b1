import Sync
import Synchronization
import System

/// Ends an exchange with a server that accepts connections and answers nothing.
final class AnswerMonitor: Sendable {
    /// What the server has to send.
    enum Expectation: Sendable {
        /// At least one frame.
        case first
        /// A frame whenever one is waited for.
        case each
    }

    /// The time for an answer; between this and twice as much passes until it is missed.
    static let limit = Duration.seconds(30)

    private struct State: Hashable {
        var frames = 0
        var isWaiting = false
    }

    private let state = Mutex(State())

    /// Records that an answer is waited for.
    func waits() { state.withLock { $0.isWaiting = true } }

    /// Records that a frame came.
    func received() { state.withLock { $0 = State(frames: $0.frames + 1) } }

    /// Runs `body`; throws `unreachable` if nothing comes for too long while it waits.
    func run<T: Sendable>(
        _ expected: Expectation, clock: any Clock, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: T?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await self.watch(expected, clock)
                return nil
            }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private func watch(_ expected: Expectation, _ clock: any Clock) async throws {
        while expected == .each || state.withLock({ $0.frames == 0 }) {
            let before = state.withLock { $0 }
            try await clock.sleep(for: Self.limit)
            if before.isWaiting, state.withLock({ $0 }) == before {
                throw RemoteError.unreachable(
                    reason: "the server did not answer for \(Self.limit.components.seconds) s")
            }
        }
    }
}
