import MarketDomain
import Storage

/// One token is one token across providers. What is stored of it may have the key of a provider that stood in for another one; it
/// is read, compared and stored again with the key of the preferred provider, as soon as both are known.
extension MarketPlugin {
    /// The catalogue of the preferred provider.
    private var preferredCatalogue: TokenKey.Catalogue { health.providers.first?.catalogue ?? .coingecko }

    /// Returns the key of a token at the preferred provider, or the same key if that has none.
    func preferred(_ key: TokenKey, _ transaction: Transaction) throws -> TokenKey {
        try transaction.counterpart(of: key, in: preferredCatalogue) ?? key
    }

    /// Returns the lists by name.
    func watchlists(_ transaction: Transaction) throws -> [Watchlist] {
        try transaction.watchlists().map { try preferred($0, transaction) }
    }

    /// Returns a list; an empty one when there is none of this name.
    func watchlist(_ name: String, _ transaction: Transaction) throws -> Watchlist {
        try preferred(try transaction.watchlist(name), transaction)
    }

    private func preferred(_ list: Watchlist, _ transaction: Transaction) throws -> Watchlist {
        Watchlist(name: list.name, ids: try list.ids.map { try preferred(TokenKey($0), transaction).text })
    }

    /// Returns the live trades in their order.
    func tradeRecords(_ transaction: Transaction) throws -> [TradeRecord] {
        var keys: [String: String] = [:]
        return try transaction.trades().map { record in
            let id = record.trade.tokenID
            let own = try keys[id] ?? preferred(TokenKey(id), transaction).text
            keys[id] = own
            guard own != id else { return record }
            return TradeRecord(
                trade: record.trade.of(token: own), symbol: record.symbol, revision: record.revision,
                deletedAt: record.deletedAt)
        }
    }
}
