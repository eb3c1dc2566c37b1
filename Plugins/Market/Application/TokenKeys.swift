import MarketDomain
import MarketKnownProviders
import Storage

/// One coin is one coin, whichever provider its prices come from: what is stored of it is read, compared and stored again
/// with hub's own id; see ``Transaction/coin(of:)``.
extension MarketPlugin {
    /// Returns hub's id of a coin.
    func preferred(_ key: TokenKey, _ transaction: Transaction) throws -> TokenKey { try transaction.coin(of: key) }

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
            let names = try record.trade.tokenIDs.map { id in
                let own = try keys[id] ?? preferred(TokenKey(id), transaction).text
                keys[id] = own
                return (id, own)
            }
            guard names.contains(where: { $0 != $1 }) else { return record }
            let new = Dictionary(names) { first, _ in first }
            return TradeRecord(
                trade: record.trade.renamingTokens { new[$0] ?? $0 },
                symbols: Dictionary(record.symbols.map { (new[$0] ?? $0, $1) }) { first, _ in first },
                revision: record.revision, deletedAt: record.deletedAt)
        }
    }
}
