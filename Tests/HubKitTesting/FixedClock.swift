package import CivilDate
import Synchronization
package import System

/// A clock that shows noon of Friday, 20 November 2026, UTC, until a test moves it.
package final class FixedClock: Clock {
    /// Noon of Friday, 20 November 2026, UTC.
    package static let noon = Instant(milliseconds: 1_795_176_000_000)

    /// The effect of a sleep.
    package enum Sleep: Sendable {
        /// It moves the clock on and ends at once.
        case advances
        /// It lasts until the task is cancelled, so that no time limit passes.
        case lasts
    }

    private let state: Mutex<(now: Instant, elapsed: Duration)>
    private let sleep: Sleep

    package init(now: Instant = FixedClock.noon, sleep: Sleep = .advances) {
        state = Mutex((now, .zero))
        self.sleep = sleep
    }

    /// The time that was set.
    package var now: Instant { state.withLock(\.now) }
    /// The time since the clock was made.
    package var monotonicNow: Duration { state.withLock(\.elapsed) }
    /// The day of the time that was set, in UTC.
    package var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }

    /// Moves the clock on, or back.
    package func advance(by duration: Duration) {
        state.withLock { state in
            state.now = state.now + duration
            state.elapsed += duration
        }
    }

    /// Moves the clock on, or waits. Throws if the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        if sleep == .lasts {
            let (nothing, source) = AsyncStream.makeStream(of: Never.self)
            for await _ in nothing {}
            source.finish()
        }
        try Task.checkCancellation()
        advance(by: duration)
        await Task.yield()
    }
}
