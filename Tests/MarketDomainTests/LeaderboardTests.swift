import BigInteger
import MarketDomain
import TestSupport
import Testing
import Time

struct LeaderboardTests {
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
}
