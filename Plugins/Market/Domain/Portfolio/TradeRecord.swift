package import Time

/// A stored trade.
package struct TradeRecord: Hashable, Sendable {
    /// The trade; its token is the text of a ``TokenKey``.
    package let trade: Trade
    /// The symbol of the token, or its key when it is not known.
    package let symbol: String
    /// The revision, which increases with every change.
    package let revision: Int
    /// The time of the move to the trash; nil for a live trade.
    package let deletedAt: Instant?

    package init(trade: Trade, symbol: String, revision: Int, deletedAt: Instant?) {
        self.trade = trade
        self.symbol = symbol
        self.revision = revision
        self.deletedAt = deletedAt
    }

    /// The id.
    package var id: String { trade.id }
    /// The trade in words: `buy 0.5 BTC`.
    package var name: String { "\(trade.kind.rawValue) \(trade.amount) \(symbol)" }
}
