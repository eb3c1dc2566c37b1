import BigInteger
import HubKit
import MarketDomain
import MarketKnownProviders

/// The contributions of Market to the views that span all plugins. Only sync goes out to the network, once the market was used.
enum MarketProviders {
    static let all = Providers(
        search: SearchProvider { (market: MarketPlugin, words, limit) in
            let sought = words.flatMap(MarketWords.split)
            return try await market.search(words, limit: limit, isOffline: true).tokens.map { token in
                HubKit.SearchHit(
                    id: token.key.text, title: token.token.name, detail: token.token.symbol,
                    match: .init(sought, in: MarketWords.split(token.token.name)))
            }
        },
        today: TodayProvider(title: "Price alerts") { (market: MarketPlugin, day) in
            try await market.listAlerts().compactMap { view in
                guard let raised = view.raisedAt, TimeZoneRules.system.localTime(at: raised).day == day else {
                    return nil
                }
                return TodayItem(
                    id: view.record.key.text, text: "\(view.record.name): raised", title: view.record.name,
                    detail: "Alert raised")
            }
        },
        sections: [
            TodaySection("portfolio", title: "Portfolio", place: "?view=portfolio") { (market: MarketPlugin, _) in
                guard try await !market.tradeRecords().isEmpty else { return [] }
                return try await portfolio(market)
            }
        ],
        sync: SyncProvider { (market: MarketPlugin, _) in
            try await market.wasAsked() ? try await market.syncPrices() : []
        } explain: { (market: MarketPlugin, id) in
            try await market.explain(id)
        },
        status: StatusProvider { (market: MarketPlugin) in try await market.statusLines() })

    /// What all is worth, and the greatest positions, from the last prices: Today asks no server.
    private static func portfolio(_ market: MarketPlugin) async throws -> [TodayItem] {
        let currency = market.currency
        let view = try await market.portfolio(in: currency, isOffline: true)
        let summary = view.summary
        guard summary.positions.contains(where: { $0.price != nil }) else { return [] }
        func item(_ id: String, _ title: String, _ value: BigDecimal, _ gain: BigDecimal?) -> TodayItem {
            let worth = FiatFormat.text(value, currency)
            var item = TodayItem(id: id, text: "\(title): \(worth)", title: title, detail: worth)
            item.trend = gain.map {
                TodayItem.Trend(PercentFormat.signed($0, fractionDigits: 1), isGood: !$0.isNegative)
            }
            return item
        }
        var all = item("", "All together", summary.value, summary.gainPercent)
        all.place = "?view=portfolio"
        return [all]
            + summary.positions.prefix(5).compactMap { position in
                position.value.map {
                    item(
                        TokenKey(position.tokenID).text,
                        view.tokens[position.tokenID]?.token.name ?? position.tokenID, $0, position.gainPercent)
                }
            }
    }
}
