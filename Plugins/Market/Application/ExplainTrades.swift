package import HubKit
import MarketDomain

extension MarketPlugin {
    /// Says of the trades whose ids begin so that no provider of prices has them.
    package func explain(_ prefix: String) async throws -> [ItemExplanation] {
        try await tradeRecords().filter { $0.id.hasPrefix(prefix) }.prefix(20).map { record in
            ItemExplanation(
                place: "the providers of prices", item: "\(record.symbol), \(record.trade.kind.rawValue)",
                base: "never sent", here: "there", there: "prices alone: hub market status", next: "nothing",
                why: "prices are read; trades, lists and alerts go to your own machines alone")
        }
    }
}
