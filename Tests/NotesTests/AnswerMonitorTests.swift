import CivilDate
import Sync
import Synchronization
import System
import Testing

@testable import Notes

/// Servers that accept a connection and answer nothing.
struct AnswerMonitorTests {
    /// A clock on which each wait ends at once.
    private final class QuickClock: Clock {
        private let passed = Mutex(Duration.zero)

        var now: Instant { Instant(milliseconds: 0) + monotonicNow }
        var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }
        var monotonicNow: Duration { passed.withLock { $0 } }

        func sleep(for duration: Duration) async throws {
            try Task.checkCancellation()
            passed.withLock { $0 += duration }
            await Task.yield()
        }
    }

    @Test(arguments: [AnswerMonitor.Expectation.first, .each])
    func `a wait without an answer ends`(expected: AnswerMonitor.Expectation) async {
        let monitor = AnswerMonitor()
        await #expect(throws: RemoteError.unreachable(reason: "the server did not answer for 30 s")) {
            try await monitor.run(expected, clock: QuickClock()) {
                monitor.waits()
                try await Task.sleep(for: .seconds(3600))
            }
        }
    }

    @Test func `after an answer silence is allowed where changes are awaited`() async throws {
        let (monitor, clock) = (AnswerMonitor(), QuickClock())
        let result = try await monitor.run(.first, clock: clock) {
            monitor.waits()
            monitor.received()
            monitor.waits()
            for _ in 0..<100 { await Task.yield() }
            return 1
        }
        #expect(result == 1)
    }

    @Test func `time that passes while nothing is awaited does not count`() async throws {
        let (monitor, clock) = (AnswerMonitor(), QuickClock())
        let result = try await monitor.run(.each, clock: clock) {
            while clock.monotonicNow < .seconds(600) { await Task.yield() }
            return 1
        }
        #expect(result == 1)
    }
}
