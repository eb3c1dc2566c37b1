import MarketDomain
import TestSupport
import Time

/// Pages of providers with invented numbers.
enum MarketPages {
    static let arrival = Instant(milliseconds: 1_790_000_000_000)

    /// A row of `/coins/markets` with all its fields; `changes` replaces the text of fields.
    static func row(_ number: Int, _ changes: [String: String] = [:], sparkline: Int = 0) -> String {
        var fields: [(String, String)] = [
            ("id", "\"coin-\(number)\""), ("symbol", "\"c\(number)\""), ("name", "\"Coin \(number)\""),
            ("image", "\"https://example.org/images/\(number)/large.png?1696501400\""),
            ("current_price", "\(number + 1).25"), ("market_cap", "\(9_000_000_000 - number)"),
            ("market_cap_rank", "\(number + 1)"), ("fully_diluted_valuation", "\(9_100_000_000 - number)"),
            ("total_volume", "\(81_000_000 + number).5"), ("high_24h", "\(number + 2)"), ("low_24h", "\(number).001"),
            ("price_change_24h", "-0.0123456789012345"), ("price_change_percentage_24h", "-1.25"),
            ("market_cap_change_24h", "-123456.789"), ("market_cap_change_percentage_24h", "-1.5"),
            ("circulating_supply", "19000000.0"), ("total_supply", "21000000.0"), ("max_supply", "null"),
            ("ath", "69045"), ("ath_change_percentage", "-37.1"), ("ath_date", "\"2021-11-10T14:24:11.849Z\""),
            ("atl", "6.781e-05"), ("atl_change_percentage", "63947.9"), ("atl_date", "\"2013-07-06T00:00:00.000Z\""),
            ("roi", "{\"times\":101.4,\"currency\":\"btc\",\"percentage\":10142.8}"),
            ("last_updated", "\"2026-09-21T14:13:19.000Z\""),
            ("price_change_percentage_1h_in_currency", "0.1"), ("price_change_percentage_7d_in_currency", "2.5"),
        ]
        if sparkline > 0 {
            let prices = (0..<sparkline).map { "\(1000 + $0).\($0)" }.joined(separator: ",")
            fields.append(("sparkline_in_7d", "{\"price\":[\(prices)]}"))
        }
        return "{" + fields.map { "\"\($0.0)\":\(changes[$0.0] ?? $0.1)" }.joined(separator: ",") + "}"
    }

    static func page(_ rows: [String]) -> [UInt8] { Array(("[" + rows.joined(separator: ",") + "]").utf8) }
}
