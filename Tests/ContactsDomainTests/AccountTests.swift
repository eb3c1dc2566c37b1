import ContactsDomain
import Links
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
            ("a b.org", nil), (".org", nil), ("x.", nil), ("../x", nil),
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
        #expect(SyncSchedule.due(nil, every: quarter) == 0)
        var run = AccountRun(account: "a", finishedAt: 1000, milliseconds: 0, nextAt: 86_401_000)
        #expect(SyncSchedule.due(run, every: .seconds(60)) == 67_000)
        #expect(SyncSchedule.due(run, every: .seconds(864_000)) == 86_401_000)
        run.failures = 1
        #expect(SyncSchedule.due(run, every: .seconds(60)) == 86_401_000)
    }
}
