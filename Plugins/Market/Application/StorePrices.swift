import MarketDomain
import Storage

/// The messages of gateways as facts of the store. Each commit announces the prices once, shows them to the alerts, and is never
/// undone.
extension MarketPlugin {
    /// Stores a page of the board.
    func store(_ page: LeaderboardFlow.Page, from source: PriceSource) async throws {
        try await storePrices(of: page.rows.rows.map(\.token.id), from: source) { transaction in
            _ = try transaction.storePage(page, from: source)
        }
    }

    /// Stores prices of tokens that are known.
    func store(_ prices: [(id: String, price: Price)], from source: PriceSource) async throws {
        try await storePrices(of: prices.map(\.id), from: source) { transaction in
            _ = try transaction.storePrices(prices, from: source)
        }
    }

    /// Stores rows of tokens, wherever they are on the board.
    func store(_ rows: [MarketRow], from source: PriceSource) async throws {
        try await storePrices(of: rows.map(\.token.id), from: source) { transaction in
            _ = try transaction.storeRows(rows, from: source)
        }
    }

    /// Prices alone can be fetched again. What an alert has seen cannot, so its prices are on the disk before anybody hears
    /// of it; an alert that is made meanwhile sees the next ones.
    private func storePrices(
        of ids: [String], from source: PriceSource, _ change: @escaping @Sendable (Transaction) throws -> Void
    ) async throws {
        let seen = Set(ids.map { source.provider.key($0) })
        let isWatched = try await store.read { transaction in
            // An alert on a token of another catalogue may mean one of these.
            try transaction.enabledAlerts(in: source.currency).contains {
                $0.key.catalogue != source.provider.catalogue || seen.contains($0.key)
            }
        }
        let operation = Operation("market prices", who: .service("market"), kind: isWatched ? .cache : .fetched)
        try await store.write(operation) { transaction in
            try change(transaction)
            transaction.afterCommit(MarketEvents.priceChanged)
            // A price that stayed the same is fresh as well: an alert may be new, and time without news would look like a gap.
            if isWatched { try transaction.raiseAlerts(seen, from: source) }
        }
    }
}
