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
        today: TodayProvider { (market: MarketPlugin, day) in
            try await market.listAlerts().compactMap { view in
                guard let raised = view.raisedAt, TimeZoneRules.system.localTime(at: raised).day == day else {
                    return nil
                }
                return TodayItem(
                    id: view.record.key.text, text: "\(view.record.name): raised", title: view.record.name,
                    detail: "Alert raised")
            }
        },
        sync: SyncProvider { (market: MarketPlugin, _) in
            try await market.wasAsked() ? try await market.syncPrices() : []
        },
        status: StatusProvider { (market: MarketPlugin) in try await market.statusLines() })
}
