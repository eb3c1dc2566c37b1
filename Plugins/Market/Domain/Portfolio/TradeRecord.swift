package import Time

/// A stored entry of the ledger.
package struct TradeRecord: Hashable, Sendable {
    /// The entry; its tokens are texts of a ``TokenKey``.
    package let trade: Trade
    /// The symbols of its tokens by their ids, as far as they are known.
    package let symbols: [String: String]
    /// The revision, which increases with every change.
    package let revision: Int
    /// The time of the move to the trash; nil for a live entry.
    package let deletedAt: Instant?

    package init(trade: Trade, symbols: [String: String], revision: Int, deletedAt: Instant?) {
        self.trade = trade
        self.symbols = symbols
        self.revision = revision
        self.deletedAt = deletedAt
    }

    /// The id.
    package var id: String { trade.id }
    /// The symbol of the token, or its key when it is not known.
    package var symbol: String { symbol(of: trade.tokenID) }
    /// The symbol of a token, or its key when it is not known.
    package func symbol(of tokenID: String) -> String { symbols[tokenID] ?? tokenID }
    /// The tags.
    package var tags: [String] { trade.details.tags }

    /// The entry in words: `buy 0.5 BTC`, `swap 1 ETH for 0.05 BTC`.
    package var name: String {
        let tokens = "\(trade.amount) \(symbol)"
        switch trade.kind {
        case .buy, .sell, .transfer, .loss, .fee: return "\(trade.kind.rawValue) \(tokens)"
        case .swap:
            let received = trade.received.map { " for \($0.amount) \(symbol(of: $0.tokenID))" } ?? ""
            return "swap \(tokens)\(received)"
        case .income:
            return "\(trade.details.income.map { $0 == .other ? "income" : $0.rawValue } ?? "income") \(tokens)"
        case .giftReceived: return "gift received \(tokens)"
        case .giftGiven: return "gift given \(tokens)"
        }
    }
}
