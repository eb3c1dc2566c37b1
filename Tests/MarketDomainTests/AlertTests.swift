import BigInteger
import MarketDomain
import TestSupport
import Testing
import Text
import Time

struct AlertTests {
    private func at(_ minutes: Double) -> Instant { Instant(milliseconds: 1_790_000_000_000 + Int64(minutes * 60_000)) }

    /// Feeds fresh prices, one a minute unless a time is named, and returns those that raised the alert.
    private func raised(
        _ condition: String, _ prices: [(Double, String)], state: AlertState = AlertState()
    ) throws -> [(price: BigDecimal, offline: Bool)] {
        let condition = try AlertCondition(condition)
        var state = state
        return prices.compactMap { minute, price in
            state.observe(.init(time: at(minute), price: decimal(price)), condition, now: at(minute)).map {
                ($0.sample.price, $0.crossedOffline)
            }
        }
    }

    private func minutes(_ prices: String...) -> [(Double, String)] { prices.enumerated().map { (Double($0), $1) } }

    @Test(arguments: [
        ("> 100000", AlertCondition.above(100_000)), ("<90000.5", .below(BigDecimal(900005, scale: 1))),
        ("-5% in 1h", .change(percent: -5, within: .seconds(3600))),
        ("+10 % in 3d", .change(percent: 10, within: .seconds(259_200))),
        ("2.5%in90min", .change(percent: BigDecimal(25, scale: 1), within: .seconds(5400))),
    ])
    func `conditions are read and written`(text: String, condition: AlertCondition) throws {
        #expect(try AlertCondition(text) == condition)
        #expect(try AlertCondition(condition.description) == condition)
    }

    @Test(arguments: [
        ("", AlertCondition.Problem.malformed), ("100", .malformed), (">", .malformed),
        ("> 1,000", .number("1,000", .ambiguous("1000", "1"))),
        ("7,5% in 1h", .number("7,5", .malformed(suggestion: "7.5"))),
        ("> 1e5", .malformed), ("> 0", .bound), ("< -5", .bound), ("5%", .malformed), ("5% in", .malformed),
        ("0% in 1h", .percentage), ("-101% in 1h", .percentage), ("5% in 0h", .period), ("5% in 2mo", .period),
        ("5% in 32d", .period),
    ])
    func `other texts say what is wrong`(text: String, problem: AlertCondition.Problem) {
        #expect(throws: problem) { try AlertCondition(text) }
    }

    @Test func `a bound is raised once, and again after the price went back`() throws {
        #expect(
            try raised("> 100", minutes("99", "101", "102", "99.5", "101", "98.9", "101")).map(\.price) == [101, 101])
        #expect(try raised("< 100", minutes("101", "99", "98", "100.5", "99", "101.1", "99")).map(\.price) == [99, 99])
        // The bound itself is neither above nor below.
        #expect(try raised("> 100", minutes("100", "100")).isEmpty)
        #expect(try raised("> 100", minutes("101")).map(\.price) == [101])
    }

    @Test func `after hours offline one alert says so, and only if the bound was crossed`() throws {
        let alerts = try raised("> 100", [(0, "99"), (1, "99"), (300, "105"), (301, "106"), (302, "105")])
        #expect(alerts.map(\.price) == [105] && alerts.map(\.offline) == [true])
        #expect(try raised("> 100", [(0, "99"), (300, "99"), (301, "101")]).map(\.offline) == [false])
        // Raised before the gap and still above: nothing new.
        #expect(try raised("> 100", [(0, "101"), (300, "105")]).map(\.offline) == [false])
    }

    @Test func `a stale price raises nothing and is not remembered`() throws {
        var state = AlertState()
        let condition = AlertCondition.above(100)
        #expect(state.observe(.init(time: at(0), price: 200), condition, now: at(5.1)) == nil && state.last == nil)
        #expect(state.observe(.init(time: at(0), price: 200), condition, now: at(4.9)) != nil)
        #expect(state.observe(.init(time: at(-1), price: 50), condition, now: at(4.9)) == nil && state.isRaised)
        #expect(state.observe(.init(time: at(5), price: 0), condition, now: at(5)) == nil)
    }

    @Test func `a change counts within its period`() throws {
        #expect(try raised("-5% in 1h", minutes("100", "98", "95", "94", "93")).map(\.price) == [95])
        // The fall is spread over more than the period.
        let slow = (0...30).map { (Double($0) * 10, "\(100 - $0 / 2)") }
        #expect(try raised("-5% in 1h", slow).isEmpty)
        #expect(
            try raised("+5% in 10min", [(0, "100"), (5, "104"), (9, "105"), (30, "105"), (35, "111")]).map(\.price) == [
                105, 111,
            ])
        #expect(try raised("-5% in 1h", minutes("100", "106")).isEmpty)
    }

    @Test func `a fall is one from the highest price of its period, a rise one from the lowest`() throws {
        let spike: [(Double, String)] = [(0, "100"), (0.1, "110"), (0.2, "104"), (0.3, "100")]
        #expect(try raised("-5% in 1h", spike).map(\.price) == [104])
        #expect(try raised("+5% in 1h", [(0, "100"), (5, "90"), (10, "95"), (15, "95")]).map(\.price) == [95])
        // The highest price is no longer one of the period.
        #expect(try raised("-5% in 1h", [(0, "110"), (10, "108"), (65, "107"), (75, "103")]).isEmpty)
    }

    @Test func `a change does not reach back over a gap`() throws {
        #expect(try raised("-5% in 1h", [(0, "100"), (1, "100"), (600, "50"), (601, "50")]).isEmpty)
    }

    @Test func `the samples of a long period are bounded and still find the change`() throws {
        var state = AlertState()
        let condition = try AlertCondition("-5% in 1d")
        var raised: [BigDecimal] = []
        for minute in 0..<4000 {
            let price = minute < 3000 ? 100 : BigDecimal(BigInteger(100_000 - (minute - 3000) * 10), scale: 3)
            let sample = AlertState.Sample(time: at(Double(minute)), price: price)
            if let alert = state.observe(sample, condition, now: at(Double(minute))) {
                raised.append(alert.sample.price)
            }
            #expect(state.samples.count <= 242)
        }
        #expect(raised == [95])
    }

    @Test func `an alert is never raised twice without going back`() throws {
        var generator = SeededGenerator(seed: 61)
        for _ in 0..<200 {
            var state = AlertState()
            var isBack = true
            for minute in 0..<100 {
                let price = BigDecimal(Int.random(in: 95...105, using: &generator))
                let sample = AlertState.Sample(time: at(Double(minute)), price: price)
                if price < 99 { isBack = true }
                if state.observe(sample, .above(100), now: at(Double(minute))) != nil {
                    #expect(price > 100 && isBack)
                    isBack = false
                }
            }
        }
    }
}
