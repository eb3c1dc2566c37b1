import HubKit
import MarketDomain

/// What gateways tell, as facts of the store. Each commit announces the prices once, shows them to the alerts, and is never
/// undone.
extension MarketPlugin {
    private static var operation: Operation { Operation("market prices", who: .service("market"), kind: .fetched) }

    /// Stores a page of the board.
    func store(_ page: LeaderboardFlow.Page, from source: PriceTable.Source) async throws {
        try await store.write(Self.operation) { transaction in
            _ = try transaction.storePage(page, from: source)
            try transaction.announce(page.rows.rows.map(\.token.id), from: source)
        }
    }

    /// Stores prices of tokens that are known.
    func store(_ prices: [(id: String, price: Price)], from source: PriceTable.Source) async throws {
        try await store.write(Self.operation) { transaction in
            _ = try transaction.storePrices(prices, from: source)
            try transaction.announce(prices.map(\.id), from: source)
        }
    }

    /// Stores rows of tokens, wherever they are on the board.
    func store(_ rows: [MarketRow], from source: PriceTable.Source) async throws {
        try await store.write(Self.operation) { transaction in
            _ = try transaction.storeRows(rows, from: source)
            try transaction.announce(rows.map(\.token.id), from: source)
        }
    }
}

extension Transaction {
    fileprivate func announce(_ ids: [String], from source: PriceTable.Source) throws {
        afterCommit(MarketEvents.priceChanged)
        // A price that stayed the same is fresh as well: an alert may be new, and time without news would look like a gap.
        try raiseAlerts(Set(ids.map { source.provider.key($0) }), from: source)
    }
}
