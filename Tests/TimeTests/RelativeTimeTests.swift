import Testing
import Time

@Suite struct RelativeTimeTests {
    @Test(arguments: [
        (0, "just now"), (-10, "10 s ago"), (-240, "4 min ago"), (-7200, "2 hours ago"), (-3700, "1 hour ago"),
        (-44_000, "yesterday"), (-86_400, "yesterday"), (-259_200, "3 days ago"),
        (-3_456_000, "2026-10-11"),
        (30, "in 30 s"), (600, "in 10 min"), (86_400, "tomorrow"), (432_000, "in 5 days"),
        (34_560_000, "2027-12-25"),
    ])
    func `moments are told in near words`(seconds: Int, words: String) {
        let now = Instant(milliseconds: 1_795_176_600_000)
        let instant = Instant(milliseconds: now.milliseconds + Int64(seconds) * 1000)
        #expect(RelativeTime(now: now, zone: .utc).words(for: instant) == words)
    }
}
