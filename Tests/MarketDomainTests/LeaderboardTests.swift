import BigInteger
import MarketDomain
import TestSupport
import Testing
import Time

struct LeaderboardTests {
    private func ids(_ range: ClosedRange<Int>) -> [String] { range.map { "c\($0)" } }

    @Test func `pages fill their places in any order`() {
        var board = Leaderboard()
        #expect(board.apply(page: 2, size: 20, ids: ids(21...40), total: 100) == [])
        #expect(board.ids == ids(21...40) && board.depth == 40 && !board.isComplete)
        #expect(board.apply(page: 1, size: 20, ids: ids(1...20), total: 100) == [])
        #expect(board.ids == ids(1...40) && board.total == 100)
        #expect(board.apply(page: 5, size: 20, ids: ids(81...100), total: 100) == [] && board.isComplete)
    }

    @Test func `a token that moves between pages has one place, and no gap shows`() {
        var board = Leaderboard()
        _ = board.apply(page: 1, size: 3, ids: ["a", "b", "c"])
        // c fell to the next page, and d rose to the first one while it was read.
        _ = board.apply(page: 2, size: 3, ids: ["c", "e", "f"])
        #expect(board.ids == ["a", "b", "c", "e", "f"])
        #expect(board.apply(page: 1, size: 3, ids: ["a", "b", "d"]) == [])
        #expect(board.ids == ["a", "b", "d", "c", "e", "f"])
        #expect(board.apply(page: 2, size: 3, ids: ["c", "f", "g"]) == ["e"])
        #expect(board.ids == ["a", "b", "d", "c", "f", "g"] && !board.contains("e"))
    }

    @Test func `repeated ids count once, and a short page is the last`() {
        var board = Leaderboard()
        _ = board.apply(page: 1, size: 3, ids: ["a", "a", "b"])
        #expect(board.ids == ["a", "b"] && !board.isComplete)
        _ = board.apply(page: 2, size: 3, ids: ["c", "d", "e"])
        #expect(board.apply(page: 1, size: 3, ids: ["a", "x"]) == ["b", "c", "d", "e"])
        #expect(board.ids == ["a", "x"] && board.isComplete)
        #expect(board.apply(page: 1, size: 3, ids: [], total: 0) == ["a", "x"] && board.ids == [])
    }

    @Test func `a total that shrinks cuts the board`() {
        var board = Leaderboard()
        _ = board.apply(page: 1, size: 2, ids: ["a", "b"], total: 6)
        _ = board.apply(page: 2, size: 2, ids: ["c", "d"], total: 6)
        _ = board.apply(page: 3, size: 2, ids: ["e", "f"], total: 6)
        #expect(board.apply(page: 1, size: 2, ids: ["a", "b"], total: 3) == ["d", "e", "f"])
        #expect(board.ids == ["a", "b", "c"])
    }

    @Test func `pages out of range change nothing`() {
        var board = Leaderboard()
        for (page, size) in [(0, 10), (1, 0), (-1, -1), (Int.max, 1), (1_000_000, 20)] {
            #expect(board.apply(page: page, size: size, ids: ["a"]) == [] && board.count == 0)
        }
    }

    @Test func `whatever pages come, ids are unique and known`() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<200 {
            var board = Leaderboard()
            var known: Set<String> = []
            for _ in 0..<30 {
                let size = Int.random(in: 1...6, using: &generator)
                let page = Int.random(in: 1...4, using: &generator)
                let ids = (0..<Int.random(in: 0...size, using: &generator)).map { _ in
                    "c\(Int.random(in: 0..<20, using: &generator))"
                }
                known.formUnion(ids)
                known.subtract(board.apply(page: page, size: size, ids: ids))
                #expect(Set(board.ids).count == board.ids.count && board.count == board.ids.count)
                #expect(Set(board.ids).isSubset(of: known) && Set(ids).isSubset(of: Set(board.ids)))
            }
        }
    }

    @Test(arguments: [
        (14, 11, 13, 2), (10, 6, 8, 2), (0, 7, 7, 1), (0, 1, 1, 1), (9, 1, 1, 10), (5, 2, 4, 2), (4, 5, 9, 1),
    ])
    func `the vectors of the visible page`(first: Int, count: Int, size: Int, page: Int) {
        #expect(VisiblePage(first: first, count: count) == VisiblePage(size: size, number: page))
    }

    @Test func `the visible page covers the window and is the smallest that does`() {
        #expect(VisiblePage(first: 15, count: 0) == nil && VisiblePage(first: -1, count: 3) == nil)
        for first in 0...120 {
            for count in 1...40 {
                let least = (count...first + count).first { first / $0 == (first + count - 1) / $0 }
                guard let page = VisiblePage(first: first, count: count) else {
                    Issue.record("no page for \(first), \(count)")
                    continue
                }
                #expect(page.size == least && page.number == first / page.size + 1)
                #expect(page.rows.contains(first) && page.rows.contains(first + count - 1))
            }
        }
    }

    @Test func `sorting is stable, and what is unknown comes last`() {
        func price(_ value: String?) -> Price {
            var price = Price()
            price[.current] = .init(value.map(decimal), at: Instant(milliseconds: 0))
            return price
        }
        let ids = ["a", "b", "c", "d", "e"]
        let prices = ["a": price("1"), "b": price(nil), "c": price("10"), "d": price("1.0"), "e": Price()]
        let tokens = Dictionary(
            uniqueKeysWithValues: ids.compactMap { id in Token(id: id, name: id == "a" ? "Zed" : "m").map { (id, $0) } }
        )
        func sorted(_ column: LeaderboardOrder.Column, _ isDescending: Bool? = nil) -> [String] {
            LeaderboardOrder(column, isDescending: isDescending).sorted(ids, tokens: tokens, prices: prices)
        }
        #expect(sorted(.price) == ["c", "a", "d", "b", "e"])
        #expect(sorted(.price, false) == ["a", "d", "c", "b", "e"])
        #expect(sorted(.rank) == ids && sorted(.rank, true) == ids.reversed())
        #expect(sorted(.name) == ["b", "c", "d", "e", "a"] && sorted(.marketCap) == ids)
        #expect(LeaderboardOrder(.price).choosing(.price) == LeaderboardOrder(.price, isDescending: false))
        #expect(LeaderboardOrder(.price).choosing(.name) == LeaderboardOrder(.name, isDescending: false))
    }

    @Test func `numbers that a Double cannot tell apart are sorted exactly`() {
        var prices: [String: Price] = [:]
        for (id, text) in [
            ("a", "1.00000000000000000001"), ("b", "1.00000000000000000003"), ("c", "1.00000000000000000002"),
        ] {
            prices[id, default: Price()][.current] = .init(decimal(text), at: Instant(milliseconds: 0))
        }
        #expect(LeaderboardOrder(.price).sorted(["a", "b", "c"], tokens: [:], prices: prices) == ["b", "c", "a"])
    }

    @Test func `watchlists keep the user's order`() {
        var list = Watchlist(name: "mine", ids: ["a", "b", "a"])
        #expect(list.ids == ["a", "b"])
        #expect(list.add("c") && !list.add("a") && list.move("c", to: 0) && list.ids == ["c", "a", "b"])
        #expect(list.move("c", to: 99) && list.remove("a") && !list.remove("a") && !list.move("a", to: 0))
        #expect(list.ids == ["b", "c"])
    }
}

struct PriceTests {
    private static func random(_ generator: inout SeededGenerator) -> Price {
        var price = Price()
        for field in Price.Field.allCases where Bool.random(using: &generator) {
            let value = Int.random(in: 0...3, using: &generator)
            price[field] = .init(
                value == 0 ? nil : BigDecimal(value),
                at: Instant(milliseconds: Int64.random(in: 0...2, using: &generator)))
        }
        return price
    }

    @Test func `merging is idempotent, and its order does not matter`() {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<2000 {
            let (a, b, c) = (Self.random(&generator), Self.random(&generator), Self.random(&generator))
            func merged(_ prices: Price...) -> Price {
                prices.reduce(into: Price()) { $0.merge($1) }
            }
            #expect(merged(a, b, c) == merged(c, b, a) && merged(a, b, c) == merged(b, merged(c, a)))
            #expect(merged(a, a) == merged(a) && merged(a, b, a, b) == merged(a, b))
        }
    }

    @Test func `an older value never replaces a newer one, and other fields stay`() {
        func price(_ value: BigDecimal?, _ time: Int64, _ field: Price.Field = .current) -> Price {
            var price = Price()
            price[field] = .init(value, at: Instant(milliseconds: time))
            return price
        }
        var current = price(10, 5)
        #expect(current.merge(price(9, 4)) == false && current.value(.current) == 10)
        #expect(current.merge(price(10, 6)) == false && current.latestTime == Instant(milliseconds: 6))
        #expect(current.merge(price(1000, 1, .volume24h)) && current.value(.volume24h) == 1000)
        #expect(current.merge(price(nil, 7)) && current.value(.current) == nil && current[.current] != nil)
    }

    @Test func `prices of two sources are never mixed`() {
        var table = PriceTable(source: .init(.coingecko, .usd))
        var price = Price()
        price[.current] = .init(1, at: Instant(milliseconds: 0))
        #expect(table.merge([("a", price), ("b", price)], from: .init(.coingecko, .usd)) == ["a", "b"])
        #expect(table.merge([("a", price)], from: .init(.coingecko, .usd)) == [])
        #expect(table.merge([("a", price)], from: .init(.coinpaprika, .usd)) == nil)
        #expect(table.merge([("a", price)], from: .init(.coingecko, currency("EUR"))) == nil)
        table.keep(["b"])
        #expect(table.prices.keys.sorted() == ["b"])
    }
}
