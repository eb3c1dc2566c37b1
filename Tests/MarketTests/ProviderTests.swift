import Market
import MarketDomain
import MarketFormats
import MarketKnownProviders
import TestSupport
import Testing
import Time

private func at(_ seconds: Double) -> Instant { Instant(milliseconds: 1_790_000_000_000 + Int64(seconds * 1000)) }

struct CallBudgetTests {
    /// The time and reason to wait.
    private static func wait(_ decision: CallBudget.Decision) -> (Instant, CallBudget.Reason)? {
        if case .wait(let until, let reason, _) = decision { (until, reason) } else { nil }
    }

    private func expect(
        _ decision: CallBudget.Decision, waitsUntil time: Instant, _ reason: CallBudget.Reason,
        location: SourceLocation = #_sourceLocation
    ) {
        let wait = Self.wait(decision)
        #expect(wait?.0 == time && wait?.1 == reason, sourceLocation: location)
    }

    /// The row to store when a call is allowed.
    private static func row(_ decision: CallBudget.Decision) -> CallBudget.Row? {
        if case .allow(let row) = decision { row } else { nil }
    }

    /// Three processes ask at random moments while the clock jumps: the real time counts, not the clock's.
    @Test func `no minute ever has more calls than the limit, whatever the clock does`() {
        var generator = SeededGenerator(seed: 31)
        for budget in [CallBudget(perMinute: 30), CallBudget(perMinute: 5, spacing: .seconds(1))] {
            var row = CallBudget.Row()
            var (real, offset) = (0.0, 0.0)
            var calls: [Double] = []
            for _ in 0..<20_000 {
                real += Double.random(in: 0...1.5, using: &generator)
                // A clock that is set back makes hub wait; one that is set forward is found out by the provider's 429.
                if Int.random(in: 0..<2000, using: &generator) == 0 {
                    offset -= Double.random(in: 0...7200, using: &generator)
                }
                switch budget.request(row, now: at(real + offset)) {
                case .allow(let next):
                    row = next
                    calls.append(real)
                case .wait(_, _, let next): row = next
                }
            }
            #expect(calls.count > 500)
            for (index, call) in calls.enumerated() where index >= budget.perMinute {
                #expect(call - calls[index - budget.perMinute] > 60)
            }
            #expect(row.calls.count <= budget.perMinute)
        }
    }

    @Test func `the time to wait is exact`() throws {
        let budget = CallBudget(perMinute: 2)
        let one = try #require(Self.row(budget.request(.init(), now: at(0))))
        let two = try #require(Self.row(budget.request(one, now: at(10))))
        expect(budget.request(two, now: at(20)), waitsUntil: at(61), .minute)
        expect(budget.request(two, now: at(60.9)), waitsUntil: at(61), .minute)
        #expect(Self.row(budget.request(two, now: at(61)))?.calls == [at(10), at(61)])
    }

    @Test func `a call of which nothing was sent is given back`() throws {
        let budget = CallBudget(perMinute: 2, perMonth: 100)
        let one = try #require(Self.row(budget.request(.init(), now: at(0))))
        let two = try #require(Self.row(budget.request(one, now: at(1))))
        #expect(budget.givenBack(two, call: at(1)) == one && budget.givenBack(two, call: at(9)) == two)
        #expect(budget.givenBack(one, call: at(0)).monthCalls == 0)
    }

    @Test func `the distance of two calls is told from a minute that is used up`() throws {
        let budget = CallBudget(perMinute: 2, spacing: .seconds(1))
        let one = try #require(Self.row(budget.request(.init(), now: at(0))))
        expect(budget.request(one, now: at(0.4)), waitsUntil: at(1), .spacing)
        let two = try #require(Self.row(budget.request(one, now: at(1))))
        expect(budget.request(two, now: at(1.4)), waitsUntil: at(61), .minute)
    }

    @Test func `the month has its own count, in UTC`() throws {
        let budget = CallBudget(perMinute: 100, perMonth: 2)
        // 2026-11-30T23:59:00Z
        let last = Instant(milliseconds: 1_796_083_140_000)
        let next = Instant(milliseconds: 1_796_083_200_000)
        let one = try #require(Self.row(budget.request(.init(), now: last)))
        let two = try #require(Self.row(budget.request(one, now: last)))
        #expect(two.monthCalls == 2)
        expect(budget.request(two, now: last), waitsUntil: next, .month)
        #expect(Self.row(budget.request(two, now: next))?.monthCalls == 1)
    }

    @Test func `a rate limit waits as told, within reason`() {
        let budget = CoinGeckoAPI.Plan.demo.budget
        func pause(_ wait: Duration?, after failures: Int = 0) -> Duration? {
            let row = budget.rateLimited(.init(rateLimits: failures), wait: wait, now: at(0), random: 0)
            return row.blockedUntil.map { $0 - at(0) }
        }
        #expect(pause(.seconds(7)) == .seconds(7) && pause(.seconds(1_000_000_000)) == .seconds(3600))
        #expect(pause(nil) == .seconds(30) && pause(.seconds(-5)) == .seconds(30) && pause(.zero) == .seconds(30))
        #expect(pause(nil, after: 2) == .seconds(120) && pause(nil, after: 1000) == .seconds(900))
        let blocked = budget.rateLimited(.init(), wait: .seconds(7), now: at(0), random: 0)
        expect(budget.request(blocked, now: at(6.9)), waitsUntil: at(7), .rateLimited)
        #expect(Self.row(budget.request(blocked, now: at(7))) != nil)
        #expect(budget.succeeded(.init(rateLimits: 3)).rateLimits == 0)
        // Another call that was on its way does not end the pause, nor does a shorter one.
        #expect(budget.succeeded(blocked) == blocked)
        #expect(budget.rateLimited(blocked, wait: .seconds(1), now: at(1), random: 0).blockedUntil == at(7))
        // A pause that lies years ahead, by a clock that was set back, is at most an hour.
        expect(budget.request(.init(blockedUntil: at(1e9)), now: at(0)), waitsUntil: at(3600), .rateLimited)
    }

    @Test func `pauses double, and jitter only lengthens them`() {
        let delays = (0...7).map { Backoff.failure.delay(attempt: $0, random: 0) }
        #expect(delays == [1, 1, 2, 4, 8, 16, 32, 60].map { .seconds($0) })
        #expect(Backoff.failure.delay(attempt: 3, random: 0.999) > .seconds(4))
        #expect(Backoff.failure.delay(attempt: 3, random: 5) <= .seconds(6))
        #expect(
            Backoff(first: .seconds(1), limit: .seconds(9), jitter: 0).delay(attempt: 2, random: 0.5) == .seconds(2))
    }
}

struct LinkAttemptsTests {
    @Test func `a link that is accepted and lost at once is made less and less often`() {
        var attempts = LinkAttempts()
        let pauses = (0..<7).map { _ in attempts.lost(random: 0) }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        attempts.delivered()
        #expect(attempts.lost(random: 0.999) > .seconds(1) && attempts.lost(random: 0.999) <= .seconds(3))
    }
}

struct ProviderHealthTests {
    @Test func `the next provider is asked while the first is down`() {
        var order = ProviderOrder([.coingecko, .coinpaprika, .coingecko])
        #expect(order.providers == [.coingecko, .coinpaprika] && order.provider(now: at(0)) == .coingecko)
        for second in 0..<3 { order.record(.failure(.serverFailed(503)), of: .coingecko, at: at(Double(second))) }
        #expect(order.provider(now: at(3)) == .coinpaprika && order.provider(now: at(62)) == .coingecko)
        // One call tries it; its failure closes it for longer.
        order.record(.failure(.timedOut), of: .coingecko, at: at(62))
        #expect(order.provider(now: at(150)) == .coinpaprika && order.provider(now: at(182)) == .coingecko)
        order.record(.success(()), of: .coingecko, at: at(182))
        #expect(order.health[.coingecko]?.failures == 0 && order.health[.coingecko]?.lastSuccess == at(182))
    }

    @Test func `rate limits and the program's own doing do not make a provider ill`() {
        var health = ProviderHealth()
        for _ in 0..<10 {
            health.failed(.rateLimited, at: at(0))
            health.failed(.cancelled, at: at(0))
            health.failed(.superseded, at: at(0))
        }
        #expect(health.state == .up && health.lastError == .rateLimited)
    }

    @Test func `a wrong key disables a provider until its settings change`() {
        var health = ProviderHealth()
        health.failed(.unauthorized("wrong key"), at: at(0))
        #expect(health.state == .disabled(.unauthorized("wrong key")) && !health.isAvailable(now: at(1e6)))
        health.reset()
        #expect(health.isAvailable(now: at(0)))
        // A board that is refused, and an address that is blocked, are so for a while.
        for error in [GatewayError.refused(401, "not in this plan"), .blocked("an HTML page instead of data")] {
            health = ProviderHealth()
            health.failed(error, at: at(0))
            #expect(!health.isAvailable(now: at(899)) && health.isAvailable(now: at(900)))
        }
    }

    @Test func `a clock that was set back does not keep a provider down`() {
        var health = ProviderHealth()
        for _ in 0..<3 { health.failed(.timedOut, at: at(100_000)) }
        #expect(!health.isAvailable(now: at(100_001)) && health.isAvailable(now: at(0)))
    }
}
