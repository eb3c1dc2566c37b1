import BigInteger
import CivilDate
import MarketDomain
import TestSupport
import Testing
import Time

/// The value of a portfolio over days, and its return.
struct PortfolioDaysTests {
    private func day(_ number: Int) -> CivilDate { CivilDate(daysSinceEpoch: number) }

    private func movement(_ number: Int, _ amount: BigDecimal, paid: Double = 0, taken: Double = 0) -> PortfolioMovement
    {
        PortfolioMovement(day: day(number), tokenID: "a", amount: amount, paidIn: paid, takenOut: taken)
    }

    @Test func `the value of the past is what was held then at the price of then`() {
        let prices = ["a": ChartSeries((1...5).map { ChartPoint(time: day($0).start, value: Double($0) * 10) })]
        let movements = [movement(2, 3, paid: 3), movement(4, -1, taken: 1)]
        let past = PortfolioDays(movements, prices: prices)
        #expect(past.values(at: (0...6).map { day($0).start }) == [0, 0, 60, 90, 80, 100, 100])
        #expect(PortfolioDays(movements, prices: [:]).values(at: [day(5).start]) == [0])
        let days = past.days(day(1)...day(4), now: day(4).start)
        #expect(
            days.map(\.value) == [0, 60, 90, 80] && days.map(\.paidIn) == [0, 3, 0, 0] && days.last?.takenOut == 1)
    }

    @Test func `a deposit is no gain, and a loss after it weighs as much as its money`() throws {
        // One doubles, then nine more are paid in, and all lose a fifth.
        let days = [
            PortfolioDay(value: 1), PortfolioDay(value: 2), PortfolioDay(value: 11, paidIn: 9),
            PortfolioDay(value: 8.8),
        ]
        let time = try #require(PortfolioReturn.timeWeighted(days))
        let money = try #require(PortfolioReturn.moneyWeighted(days))
        #expect(abs(time - 60) < 1e-9 && money < 0 && money > -20)
        // All sold on the last day is a return like any other.
        let sold = days.dropLast() + [PortfolioDay(value: 0, takenOut: 8.8)]
        #expect(abs((PortfolioReturn.timeWeighted(Array(sold)) ?? 0) - 60) < 1e-9)
        #expect(PortfolioReturn.timeWeighted([]) == nil && PortfolioReturn.moneyWeighted([days[0]]) == nil)
        #expect(PortfolioReturn.timeWeighted([PortfolioDay(value: 0), PortfolioDay(value: 0)]) == nil)
    }

    @Test func `what is brought in counts at the price of its day, and a swap brings in nothing`() throws {
        let prices = ["a": ChartSeries((1...5).map { ChartPoint(time: day($0).start, value: Double($0) * 10) })]
        func entry(_ kind: Trade.Kind, _ amount: BigDecimal, on number: Int, place: String = "") throws -> Trade {
            var details = Trade.Details()
            (details.place, details.destination) = (place, kind == .transfer ? "wallet" : "")
            return try Trade(
                id: "1", tokenID: "a", kind: kind, amount: amount, value: nil,
                received: kind == .swap ? Trade.Tokens(tokenID: "b", amount: 1) : nil, currency: .usd,
                date: day(number), details: details)
        }
        func days(_ trades: [Trade], at place: String? = nil) -> [PortfolioDay] {
            let movements = trades.flatMap { PortfolioMovement.movements(of: $0, at: place) { $0 } }
            return PortfolioDays(movements, prices: prices).days(day(1)...day(4), now: day(5).start)
        }
        // A gift of two at 20, of which one is swapped two days later.
        let gift = days([try entry(.giftReceived, 2, on: 2), try entry(.swap, 1, on: 4)])
        #expect(gift.map(\.value) == [0, 40, 60, 40] && gift.map(\.paidIn) == [0, 40, 0, 0])
        #expect(gift.map(\.takenOut) == [0, 0, 0, 0])
        // Income is a gain: nothing was paid in for it.
        #expect(days([try entry(.income, 1, on: 2)]).map(\.paidIn) == [0, 0, 0, 0])
        // A transfer moves nothing in all places together, and its tokens where one place is shown.
        let transfer = try entry(.transfer, 1, on: 3, place: "exchange")
        #expect(days([transfer]).map(\.value) == [0, 0, 0, 0])
        #expect(days([transfer], at: "wallet").map(\.paidIn) == [0, 0, 30, 0])
        #expect(days([transfer], at: "exchange").map(\.takenOut) == [0, 0, 30, 0])
    }

    @Test func `the last price of a day closes it, and midnight closes the day before`() {
        let points = [(0, 1.0), (3600, 2), (86_400, 3), (90_000, 4), (172_800, 5), (180_000, 6)].map {
            ChartPoint(time: Instant(milliseconds: Int64($0.0) * 1000), value: $0.1)
        }
        #expect(DailyCloses.closes(of: ChartSeries(points), before: day(2)) == [day(-1): 1, day(0): 3, day(1): 5])
    }

    /// Rules R1 to R6 of docs/market.md, computed in another way by a program in Python: shares of a fund, and the root of
    /// the present values.
    @Test func `both returns are those of an independent model`() throws {
        var generator = SeededGenerator(seed: 12)
        var (input, ours) = ([String](), [(Double?, Double?)]())
        for _ in 0..<200 {
            var (days, value) = ([PortfolioDay](), Double(Int.random(in: 0...3, using: &generator)) * 100)
            for number in 0..<Int.random(in: 2...40, using: &generator) {
                let paid =
                    number > 0 && Int.random(in: 0..<5, using: &generator) == 0
                    ? Double.random(in: 1...500, using: &generator) : 0
                let grown = (value + paid) * Double.random(in: 0.8...1.25, using: &generator)
                let taken =
                    number > 0 && Int.random(in: 0..<6, using: &generator) == 0
                    ? grown * Double.random(in: 0...1, using: &generator) : 0
                value = number == 0 ? value : grown - taken
                days.append(PortfolioDay(value: value, paidIn: paid, takenOut: taken))
            }
            input.append("[" + days.map { "[\($0.value),\($0.paidIn),\($0.takenOut)]" }.joined(separator: ",") + "]")
            ours.append((PortfolioReturn.timeWeighted(days), PortfolioReturn.moneyWeighted(days)))
        }
        let model = try PythonProgram("Models/return_model.py").lines(input)
        #expect(model.count == ours.count)
        func agree(_ text: Substring, _ value: Double?) -> Bool {
            guard let number = Double(text) else { return value == nil }
            return value.map { abs($0 - number) <= 1e-6 * max(1, abs(number)) } ?? false
        }
        for (line, (time, money)) in zip(model, ours) {
            let words = line.split(separator: " ")
            #expect(
                words.count == 2 && agree(words[0], time) && agree(words[1], money),
                "\(line): \(time ?? -1) \(money ?? -1)")
        }
    }
}
