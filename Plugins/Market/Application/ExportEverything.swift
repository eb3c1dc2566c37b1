import Commands
import HubKit
import Storage

extension MarketPlugin {
    /// What `hub export` writes: lists, trades and alerts, and for other programs the trades as a table. Prices can be fetched again.
    static let export = ExportDeclaration(
        "`trades.csv`: the ledger as a table",
        [
            ExportKind("tokens", [ExportTable("market_token", item: "token", omitting: ["rank"])], isFetched: true),
            ExportKind("watchlists", [ExportTable("market_watch", item: "list")]),
            ExportKind("trades", [ExportTable("market_trade", item: "id")]),
            ExportKind("alerts", [ExportTable("market_alert", item: "id")]),
            ExportKind("chosen coins", [ExportTable("market_link", item: "token")]),
        ]
    ) { host in
        [ExportFile(nil, "trades.csv", .bytes(try await host.plugin(MarketPlugin.self).exportPortfolio()))]
    }
}
