import Storage
import Testing

struct RetryPolicyTests {
    private let policy = RetryPolicy.standard

    @Test func `waits grow fourfold up to the longest`() {
        #expect((1...8).map { policy.delay(after: $0) } == [1, 4, 16, 64, 256, 600, 600, 600].map { .seconds($0) })
        #expect(policy.delay(after: 0) == .seconds(1) && policy.delay(after: -5) == .seconds(1))
        #expect(policy.delay(after: .max) == .seconds(600))
        let short = RetryPolicy(attempts: 3, firstDelay: .seconds(9), longestDelay: .seconds(5))
        #expect(short.delay(after: 1) == .seconds(5))
    }

    @Test func `a try is due at its time, and at once if a wrong clock put it off for too long`() {
        let now = Instant(milliseconds: 1_795_176_000_000)
        #expect(policy.isDue(now, at: now) && policy.isDue(now - .seconds(1), at: now))
        #expect(!policy.isDue(now + .milliseconds(1), at: now) && !policy.isDue(now + .seconds(600), at: now))
        #expect(policy.isDue(now + .seconds(601), at: now) && policy.isDue(Instant(milliseconds: .max), at: now))
    }
}
