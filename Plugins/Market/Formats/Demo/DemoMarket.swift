import BigInteger
package import MarketDomain
package import Time

/// An invented market, so that the plugin can be tried without a network. The same time gives the same prices.
package enum DemoMarket {
    /// The number of coins.
    package static let count = 250
    /// The end of every name.
    package static let mark = " (demo)"
    /// How often prices change.
    package static let step = Duration.seconds(5)

    /// The first coins have known symbols, so that every example of the documentation can be tried.
    private static let known = [
        ("Bitcoin", "BTC"), ("Ethereum", "ETH"), ("Solana", "SOL"), ("Cardano", "ADA"), ("Dogecoin", "DOGE"),
        ("Litecoin", "LTC"),
    ]
    private static let names = [
        "Amber", "Birch", "Cobalt", "Dune", "Ember", "Fjord", "Grove", "Harbor", "Indigo", "Juniper", "Kelp", "Lumen",
        "Maple", "Nimbus", "Onyx", "Pebble", "Quartz", "Reef", "Sable", "Tundra", "Umber", "Vale", "Willow", "Yarrow",
        "Zephyr",
    ]
    private static let kinds = [
        "", " Cash", " Chain", " Swap", " Gold", " Network", " Pay", " Token", " Finance", " X",
    ]
    /// Units of a currency for a dollar, roughly; others are treated as dollars.
    private static let rates: [String: Double] = ["eur": 0.92, "gbp": 0.79, "jpy": 150, "btc": 1 / 90_000, "pln": 3.9]

    /// Returns a part of the board.
    package static func board(_ places: Range<Int>, in currency: Currency, at now: Instant) -> MarketPage {
        let range = places.clamped(to: 0..<count)
        return MarketPage(
            rows: range.map { row($0, in: currency, at: now) }, sentCount: range.count, droppedRows: 0, lostFields: 0)
    }

    /// Returns the rows of some coins.
    package static func rows(_ ids: [String], in currency: Currency, at now: Instant) -> MarketPage {
        let rows = ids.compactMap(number).map { row($0, in: currency, at: now) }
        return MarketPage(rows: rows, sentCount: rows.count, droppedRows: 0, lostFields: 0)
    }

    /// Returns the coins in whose names or symbols a text is.
    package static func search(_ words: String) -> [SearchHit] {
        let wanted = words.lowercased()
        return (0..<count).compactMap { number in token(number).map { SearchHit(token: $0, rank: number + 1) } }.filter
        {
            $0.token.name.lowercased().contains(wanted) || $0.token.symbol.lowercased().contains(wanted)
        }
    }

    /// Returns the prices of a coin over some days; nil for ten years.
    package static func series(_ id: String, days: Int?, in currency: Currency, at now: Instant) -> ChartSeries {
        guard let number = number(id) else { return ChartSeries([]) }
        let span = Double(days ?? 3650) * 86_400_000
        return ChartSeries(
            (0...300).map { index in
                let time = Instant(milliseconds: now.milliseconds - Int64(span * Double(300 - index) / 300))
                return ChartPoint(time: time, value: price(number, at: time, currency))
            })
    }

    private static func number(_ id: String) -> Int? {
        guard id.hasPrefix("demo-"), let number = Int(id.dropFirst(5)), (1...count).contains(number) else { return nil }
        return number - 1
    }

    private static func token(_ number: Int) -> Token? {
        if number < known.count {
            let (name, symbol) = known[number]
            return Token(id: "demo-\(number + 1)", symbol: symbol, name: "\(name)\(mark)")
        }
        let name = names[number % names.count] + kinds[number / names.count % kinds.count]
        let letters = name.uppercased().filter(\.isLetter)
        let symbol = letters.prefix(2) + letters.suffix(2)
        return Token(id: "demo-\(number + 1)", symbol: String(symbol), name: "\(name)\(mark)")
    }

    private static func row(_ number: Int, in currency: Currency, at now: Instant) -> MarketRow {
        let steps = now.milliseconds / Int64(step.milliseconds)
        let time = Instant(milliseconds: steps * Int64(step.milliseconds))
        let current = price(number, at: time, currency)
        func change(_ hours: Double) -> Double {
            let before = price(number, at: time - .milliseconds(Int(hours * 3_600_000)), currency)
            return (current / before - 1) * 100
        }
        let supply = 1_000_000 * (1 + noise(number, 7))
        let values: [(Price.Field, Double, Int)] = [
            (.current, current, 8), (.marketCap, current * supply, 2), (.volume24h, current * supply / 40, 2),
            (.change1h, change(1), 4), (.change24h, change(24), 4), (.change7d, change(168), 4),
            (.circulatingSupply, supply, 0),
        ]
        var result = Price()
        for (field, value, digits) in values {
            result[field] = Price.Observation(decimal(value, digits), at: time)
        }
        let week = (0..<56).map { price(number, at: time - .seconds((55 - $0) * 10_800), currency) }
        guard let token = token(number) else { preconditionFailure("every demo coin has an id") }
        return MarketRow(token: token, rank: number + 1, price: result, sparkline: Sparkline(prices: week))
    }

    /// The price: a base by rank, slow waves of some periods, and a little noise in each step.
    private static func price(_ number: Int, at time: Instant, _ currency: Currency) -> Double {
        let base = 60_000 / Double((number + 1) * (number + 1)) * (1 + noise(number, 1))
        let hours = Double(time.milliseconds) / 3_600_000
        var factor = 1.0
        for (period, size) in [(4.1, 0.01), (29.3, 0.03), (211, 0.09), (2900, 0.25)] {
            factor += size * triangle(hours / period + noise(number, Int(period)))
        }
        factor += 0.002 * (noise(number, Int(truncatingIfNeeded: time.milliseconds / 5000)) - 0.5)
        return base * factor * (rates[currency.code] ?? 1)
    }

    private static func triangle(_ phase: Double) -> Double {
        let part = phase - phase.rounded(.down)
        return 4 * abs(part - 0.5) - 1
    }

    /// A number in 0..<1 that depends on both (SplitMix64's mixing).
    private static func noise(_ number: Int, _ salt: Int) -> Double {
        var mixed = UInt64(bitPattern: Int64(number &* 1_000_003 &+ salt &* 7919)) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / 9_007_199_254_740_992
    }

    private static func decimal(_ value: Double, _ digits: Int) -> BigDecimal {
        let power = (0..<digits).reduce(1.0) { result, _ in result * 10 }
        return BigDecimal(BigInteger(Int((value * power).rounded())), scale: digits)
    }
}
