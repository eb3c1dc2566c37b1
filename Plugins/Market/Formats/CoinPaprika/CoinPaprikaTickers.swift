import BigInteger
import JSON
package import MarketDomain
package import Time

/// The answer of CoinPaprika's `/tickers`: all tokens at once, with the quotes of each in the currencies that were asked for.
package struct CoinPaprikaTickers {
    private enum Member {
        case id, symbol, name, rank, time, quotes
        case number(Price.Field)
    }

    private static let members: [(name: String, member: Member)] = [
        ("id", .id), ("symbol", .symbol), ("name", .name), ("rank", .rank), ("last_updated", .time),
        ("quotes", .quotes), ("circulating_supply", .number(.circulatingSupply)),
        ("total_supply", .number(.totalSupply)), ("max_supply", .number(.maximumSupply)),
    ]
    private static let keys = JSONKeys(members.map(\.name))
    private static let kinds = members.map(\.member)
    private static let fields: [(name: String, field: Price.Field)] = [
        ("price", .current), ("volume_24h", .volume24h), ("market_cap", .marketCap), ("percent_change_1h", .change1h),
        ("percent_change_24h", .change24h), ("percent_change_7d", .change7d), ("percent_change_30d", .change30d),
        ("percent_change_1y", .change1y), ("ath_price", .allTimeHigh),
    ]
    private static let quoteKeys = JSONKeys(fields.map(\.name))

    private let currencyKeys: JSONKeys

    /// Creates a decoder of quotes in `currency`.
    package init(currency: Currency) { currencyKeys = JSONKeys([currency.name]) }

    /// Decodes the tickers in the order of their ranks; those without a rank are last.
    package func page(_ body: [UInt8], arrival: Instant) throws(GatewayError) -> MarketPage {
        let page = try WireReader.page(body, Self.keys, arrival: arrival) {
            index, cursor, builder throws(JSONCursor.Problem) in
            try read(index, &cursor, &builder, arrival)
        }
        let ordered = page.rows.sorted { ($0.rank ?? .max) < ($1.rank ?? .max) }
        return MarketPage(
            rows: ordered, sentCount: page.sentCount, droppedRows: page.droppedRows, lostFields: page.lostFields)
    }

    private func read(
        _ index: Int, _ cursor: inout JSONCursor, _ builder: inout MarketRowBuilder, _ arrival: Instant
    ) throws(JSONCursor.Problem) {
        guard index != JSONKeys.other else { return try cursor.skip() }
        switch Self.kinds[index] {
        case .number(let field): builder.set(field, try cursor.decimalField())
        case .id: if case .value(let text) = try cursor.textField() { builder.id = text }
        case .symbol: builder.setText(\.symbol, try cursor.textField())
        case .name: builder.setText(\.name, try cursor.textField())
        case .rank: builder.setRank(try cursor.integerField())
        case .time: builder.setTime(try cursor.textField(), arrival: arrival)
        case .quotes:
            guard try cursor.begin(.object) else { return }
            while let currency = try cursor.nextMember(currencyKeys) {
                guard currency == 0, try cursor.begin(.object) else {
                    if currency != 0 { try cursor.skip() }
                    continue
                }
                while let field = try cursor.nextMember(Self.quoteKeys) {
                    if field == JSONKeys.other {
                        try cursor.skip()
                    } else {
                        builder.set(Self.fields[field].field, try cursor.decimalField())
                    }
                }
            }
        }
    }
}

/// The answer of CoinPaprika's `/search`.
package enum CoinPaprikaSearch {
    private static let keys = JSONKeys(["currencies"])
    private static let coinKeys = JSONKeys(["id", "symbol", "name", "logo", "rank"])

    /// Decodes the tokens in the provider's order.
    package static func hits(_ body: [UInt8]) throws(GatewayError) -> [SearchHit] {
        try SearchAnswer.hits(body, keys: keys) { cursor throws(JSONCursor.Problem) in
            try SearchAnswer.hit(&cursor, keys: coinKeys)
        }
    }
}
