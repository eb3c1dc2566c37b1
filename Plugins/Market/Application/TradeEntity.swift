import CivilDate
package import HubKit
package import MarketDomain
import Storage

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
        rules: EntityKind<TradeRecord>.Rules(destroy: { try $1.destroyTrade($0) }), tags: tagRules,
        find: { try $1.trade($0) })

    /// Tags are compared without case.
    private static let tagRules: EntityTags<TradeRecord> = EntityTags({ $0.tags }, folded: { $0.lowercased() }) {
        let used = try $0.trades().flatMap(\.tags)
        return Dictionary(grouping: used) { $0.lowercased() }.sorted { $0.key < $1.key }.map {
            TagUsage($0.value[0], count: $0.value.count)
        }
    } tagged: { wanted, words, transaction in
        let words = MarketWords.split(words)
        return try transaction.trades().filter { record in
            let (own, name) = (Set(record.tags.map { $0.lowercased() }), MarketWords.split(record.name))
            return wanted.allSatisfy { own.contains($0.lowercased()) }
                && words.allSatisfy { word in name.contains { $0.hasPrefix(word) } }
        }
    } change: { id, transaction, change in
        let record = try TradeRecord.kind.live(id, in: transaction)
        var new = TradeChange()
        var tags = record.tags
        change(&tags)
        new.tags = Trade.Details.tags(tags.joined(separator: ","))
        guard new.tags != record.tags else { return nil }
        let trade: Trade
        do throws(Trade.Problem) { trade = try new.applied(to: record.trade) } catch { throw HubError(error) }
        return try transaction.storeTrade(trade)
    }
}

/// The words of names, to be compared.
package enum MarketWords {
    /// Returns the words of a text in lower case.
    package static func split(_ text: String) -> [String] {
        text.lowercased().split { $0.isWhitespace }.map(String.init)
    }
}
