import Sync
import TestSupport
import Testing

@Suite struct AccountTests {
    @Test(
        arguments: [
            ("https://posteo.de:8443", .server("https://posteo.de:8443")), ("HTTP://x", .server("HTTP://x")),
            ("posteo.de", .server("https://posteo.de")),
            ("localhost:5232/ada/", .server("https://localhost:5232/ada/")),
            ("ada@example.org", .mail("ada@example.org")), ("/srv/cards", .folder("/srv/cards")),
            ("/srv/my cards", .folder("/srv/my cards")), ("", nil), ("family", nil), ("ftp://x.org", nil),
            ("https://", nil), ("@example.org", nil), ("ada@", nil), ("ada@localhost", .mail("ada@localhost")),
            ("a b.org", nil), ("https://ada:secret@x.org", nil), ("https://ada@x.org", .server("https://ada@x.org")),
            ("https://ada:s/x@x.org", nil), ("ada:secret@x.org", nil), ("https://x.org:80a/", nil),
            ("https://[::1]:80/", .server("https://[::1]:80/")), (".org", nil), ("x.", nil), ("../x", nil),
        ] as [(String, Account.Address?)])
    func `an address says what it is`(text: String, address: Account.Address?) {
        #expect(Account.Address(text) == address)
    }

    @Test func `a folder is a folder and all else a server`() {
        #expect(!Account(name: "a", address: .folder("/x")).isServer)
        #expect(Account(name: "a", address: .mail("a@b.c")).isServer)
        #expect(Account(name: "a", address: .server("https://b.c")).isServer)
    }

    @Test(arguments: ["posteo", "Work-2", "a_b", String(repeating: "x", count: 60)])
    func `names that can be typed anywhere`(name: String) { #expect(Account.isName(name)) }

    @Test(arguments: ["", "a b", "a/b", ".a", "-a", "ż", "here", "all", String(repeating: "x", count: 61)])
    func `names that cannot`(name: String) { #expect(!Account.isName(name)) }
}

@Suite struct SyncScheduleTests {
    private let quarter = Duration.seconds(900)

    @Test func `a success waits for the interval, spread a little`() {
        #expect(SyncSchedule.delay(every: quarter, failures: 0, jitter: 0) == 900_000)
        #expect(SyncSchedule.delay(every: quarter, failures: 0, jitter: 0.999) < 990_000)
    }

    @Test func `failures wait twice as long each time, up to an hour or the interval`() {
        let waits = (1...12).map { SyncSchedule.delay(every: quarter, failures: $0, jitter: 1) }
        #expect(waits.prefix(4) == [60_000, 120_000, 240_000, 480_000])
        #expect(waits.last == 3_600_000)
        #expect(SyncSchedule.delay(every: .seconds(86_400), failures: 500, jitter: 1) == 86_400_000)
        for (failures, wait) in waits.enumerated() {
            #expect(SyncSchedule.delay(every: quarter, failures: failures + 1, jitter: 0) == wait / 2)
        }
    }

    @Test func `a server that asks for time gets it, within a day`() {
        #expect(SyncSchedule.delay(every: quarter, failures: 1, retryAfter: 7200, jitter: 0) == 7_200_000)
        #expect(SyncSchedule.delay(every: quarter, failures: 1, retryAfter: .max, jitter: 0) == 86_400_000)
        #expect(SyncSchedule.delay(every: quarter, failures: 1, retryAfter: -5, jitter: 0) == 30_000)
    }

    @Test func `an interval that was shortened counts at once, a back-off does not`() {
        let now: Int64 = 2000
        #expect(SyncSchedule.due(nil, every: quarter, now: now) == 0)
        var run = SyncLogEntry(account: "a", finishedAt: 1000, milliseconds: 0, nextAt: 86_401_000)
        #expect(SyncSchedule.due(run, every: .seconds(60), now: now) == 67_000)
        #expect(SyncSchedule.due(run, every: .seconds(864_000), now: now) == 86_401_000)
        run.failures = 1
        #expect(SyncSchedule.due(run, every: .seconds(60), now: now) == 86_401_000)
        #expect(SyncSchedule.due(run, every: .seconds(60), now: 999) == 0, "it ended in the future")
        run.nextAt = .max
        #expect(SyncSchedule.due(run, every: .seconds(60), now: now) == 86_401_000)
    }

    /// The background service looks once a minute, while the clock of the machine jumps.
    @Test(arguments: 0..<20)
    func `however the clock jumps, no account rests longer than its interval`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let day: Int64 = 86_400_000
        var (offset, last): (Int64, Int64) = (1_800_000_000_000, 0)
        var run: SyncLogEntry?
        for minute in 1...5000 {
            let elapsed = Int64(minute) * 60_000
            if Int.random(in: 0..<50, using: &random) == 0 {
                let jump = Int64.random(in: day / 24...200 * day, using: &random)
                offset += Bool.random(using: &random) ? jump : -jump
            }
            let now = elapsed + offset
            let failures = run?.failures ?? 0
            if SyncSchedule.due(run, every: quarter, now: now) <= now {
                var next = SyncLogEntry(account: "a", finishedAt: now, milliseconds: 0, nextAt: 0)
                next.failures = Int.random(in: 0..<4, using: &random) == 0 ? failures + 1 : 0
                next.nextAt = now + SyncSchedule.delay(every: quarter, failures: next.failures, jitter: 0.5)
                (run, last) = (next, elapsed)
            }
            let longest: Int64 =
                failures == 0 ? 990_000 : SyncSchedule.delay(every: quarter, failures: failures, jitter: 1)
            #expect(elapsed - last <= longest + 60_000)
        }
    }
}
