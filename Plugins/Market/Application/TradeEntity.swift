import CivilDate
package import HubKit
package import MarketDomain

extension TradeRecord: EntityRecord, EntitySummary {
    /// The day of the trade.
    package var distinction: String { trade.date.description }
}

extension TradeRecord {
    /// The description of trades, from which their selectors and trash follow.
    package static let kind: EntityKind<TradeRecord> = EntityKind(
        one: "trade", many: "trades", command: "hub market portfolio", table: "market_trade",
        idTables: ["market_trade", "market_alert"], topics: MarketEvents.tradeTopics,
        selectors: .names(words: MarketWords.split) { try $1.trades(inTrash: $0) },
        rules: EntityKind<TradeRecord>.Rules(destroy: { try $1.destroyTrade($0) }), find: { try $1.trade($0) })
}

/// The words of names, to be compared.
package enum MarketWords {
    /// Returns the words of a text in lower case.
    package static func split(_ text: String) -> [String] {
        text.lowercased().split { $0.isWhitespace }.map(String.init)
    }
}
