import JSON
package import MarketDomain
package import Time

/// The answer of CoinGecko's `/coins/markets`: an array of rows.
package enum CoinGeckoMarkets {
    private enum Member {
        case id, symbol, name, image, rank, time, sparkline
        case number(Price.Field)
    }

    private static let members: [(name: String, member: Member)] = [
        ("id", .id), ("symbol", .symbol), ("name", .name), ("image", .image), ("market_cap_rank", .rank),
        ("last_updated", .time), ("sparkline_in_7d", .sparkline), ("current_price", .number(.current)),
        ("market_cap", .number(.marketCap)), ("total_volume", .number(.volume24h)), ("high_24h", .number(.high24h)),
        ("low_24h", .number(.low24h)), ("price_change_percentage_24h", .number(.change24h)),
        ("price_change_percentage_1h_in_currency", .number(.change1h)),
        ("price_change_percentage_7d_in_currency", .number(.change7d)),
        ("price_change_percentage_30d_in_currency", .number(.change30d)),
        ("price_change_percentage_1y_in_currency", .number(.change1y)),
        ("circulating_supply", .number(.circulatingSupply)), ("total_supply", .number(.totalSupply)),
        ("max_supply", .number(.maximumSupply)), ("ath", .number(.allTimeHigh)), ("atl", .number(.allTimeLow)),
    ]
    private static let keys = JSONKeys(members.map(\.name))
    private static let kinds = members.map(\.member)
    private static let sparklineKeys = JSONKeys(["price"])
    /// The maximum number of points of a sparkline: hourly prices of seven days, and some to spare.
    private static let maximumSparkline = 400

    /// Decodes a page. A row that is not an object, or that has no usable id, is dropped and counted.
    package static func page(_ body: [UInt8], arrival: Instant) throws(GatewayError) -> MarketPage {
        try WireReader.page(body, keys, arrival: arrival) { index, cursor, builder throws(JSONCursor.Problem) in
            try read(index, &cursor, &builder, arrival)
        }
    }

    private static func read(
        _ index: Int, _ cursor: inout JSONCursor, _ builder: inout MarketRowBuilder, _ arrival: Instant
    ) throws(JSONCursor.Problem) {
        guard index != JSONKeys.other else { return try cursor.skip() }
        switch kinds[index] {
        case .number(let field): builder.set(field, try cursor.decimalField())
        case .id: if case .value(let text) = try cursor.textField() { builder.id = text }
        case .symbol: builder.setText(\.symbol, try cursor.textField())
        case .name: builder.setText(\.name, try cursor.textField())
        case .image: builder.setImage(try cursor.textField())
        case .rank: builder.setRank(try cursor.integerField())
        case .time: builder.setTime(try cursor.textField(), arrival: arrival)
        case .sparkline: builder.sparkline = try sparkline(&cursor)
        }
    }

    /// Reads the prices of a sparkline: all are scanned, and those that are kept become numbers.
    private static func sparkline(_ cursor: inout JSONCursor) throws(JSONCursor.Problem) -> Sparkline? {
        var texts: [UnsafeBufferPointer<UInt8>] = []
        guard try cursor.begin(.object) else { return nil }
        while let index = try cursor.nextMember(sparklineKeys) {
            guard index == 0, try cursor.kind() == .array else {
                try cursor.skip()
                continue
            }
            texts = try cursor.numbers(limit: maximumSparkline)
        }
        return Sparkline(kept: Sparkline.kept(of: texts.count).map { DoubleParser.parse(texts[$0]) })
    }
}
