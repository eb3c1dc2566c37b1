import BigInteger
import MarketDomain
import TestSupport
import Testing
import Time

struct MarketStateTests {
    private let source = PriceTable.Source(.statusGo, .usd)

    private func row(_ id: String, _ price: Int, at time: Int64 = 0) throws -> MarketRow {
        var value = Price()
        value[.current] = .init(BigDecimal(price), at: Instant(milliseconds: time))
        return MarketRow(token: try #require(Token(id: id)), price: value)
    }

    private func page(_ number: Int, _ rows: [MarketRow], size: Int = 3, sent: Int? = nil) -> LeaderboardFlow.Page {
        LeaderboardFlow.Page(
            page: .init(size: size, number: number), currency: .usd, total: nil,
            rows: MarketPage(rows: rows, sentCount: sent ?? rows.count, droppedRows: 0, lostFields: 0))
    }

    @Test func `tokens that left the board are forgotten, pinned ones are not`() throws {
        var state = MarketState(source: source)
        #expect(state.store(page(1, try [row("a", 1), row("b", 2), row("c", 3)]), from: source) == ["a", "b", "c"])
        #expect(
            state.store(page(1, try [row("a", 1), row("d", 2), row("e", 3)]), from: source, pinned: ["b"]) == [
                "b", "c", "d", "e",
            ])
        #expect(
            state.tokens.keys.sorted() == ["a", "b", "d", "e"]
                && state.prices.prices.keys.sorted() == ["a", "b", "d", "e"])
        #expect(state.leaderboard.ids == ["a", "d", "e"])
        #expect(state.ids(in: LeaderboardOrder(.price)) == ["e", "d", "a"])
    }

    @Test func `a page of which rows were dropped is not the last`() throws {
        var state = MarketState(source: source)
        _ = state.store(page(1, try [row("a", 1), row("b", 2)], sent: 3), from: source)
        #expect(!state.leaderboard.isComplete)
        _ = state.store(page(2, try [row("c", 1)], sent: 1), from: source)
        #expect(state.leaderboard.isComplete && state.leaderboard.ids == ["a", "b", "c"])
    }

    @Test func `prices of unknown tokens and of other sources are ignored`() throws {
        var state = MarketState(source: source)
        _ = state.store(page(1, try [row("a", 1)]), from: source)
        let update = try [("a", row("a", 5, at: 1).price), ("x", row("x", 5).price)]
        #expect(state.store(update, from: source) == ["a"] && state.prices.prices["x"] == nil)
        #expect(state.store(update, from: .init(.coingecko, .usd)) == nil)
        #expect(
            state.store(page(1, []), from: .init(.statusGo, currency("eur"))) == nil && state.leaderboard.ids == ["a"])
        // The list of status-go may be older than its prices.
        #expect(try state.store(page(1, [row("a", 4)]), from: source) == [])
        #expect(state.prices.prices["a"]?.value(.current) == 5)
    }

    @Test func `whatever pages come, each id of the board has a token`() throws {
        var generator = SeededGenerator(seed: 101)
        for _ in 0..<100 {
            var state = MarketState(source: source)
            for time in 0..<30 {
                let ids = Set(
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        "c\(Int.random(in: 0..<12, using: &generator))"
                    })
                let rows = try ids.sorted().map {
                    try row($0, Int.random(in: 1...9, using: &generator), at: Int64(time))
                }
                let number = Int.random(in: 1...3, using: &generator)
                _ = state.store(page(number, rows, size: 4), from: source)
                #expect(Set(state.leaderboard.ids).isSubset(of: Set(state.tokens.keys)))
                #expect(Set(state.prices.prices.keys) == Set(state.tokens.keys))
                #expect(state.tokens.count == state.leaderboard.count)
            }
        }
    }
}
