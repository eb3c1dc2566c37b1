import HubKit
import MarketDomain

/// What gateways tell, as facts of the store. Each commit announces the prices once, computes the alerts of the tokens that
/// changed, and is never undone.
extension MarketPlugin {
    private static var operation: Operation { Operation("market prices", who: .service("market"), kind: .cache) }

    /// Stores a page of the board.
    func store(_ page: LeaderboardFlow.Page, from source: PriceTable.Source) async throws {
        try await store.write(Self.operation) { transaction in
            let changed = try transaction.storePage(page, from: source)
            try transaction.announce(changed, from: source)
        }
    }

    /// Stores prices of tokens that are known.
    func store(_ prices: [(id: String, price: Price)], from source: PriceTable.Source) async throws {
        try await store.write(Self.operation) { transaction in
            let changed = try transaction.storePrices(prices, from: source)
            try transaction.announce(changed, from: source)
        }
    }

    /// Stores rows of tokens, wherever they are on the board.
    func store(_ rows: [MarketRow], from source: PriceTable.Source) async throws {
        try await store.write(Self.operation) { transaction in
            let changed = try transaction.storeRows(rows, from: source)
            try transaction.announce(changed, from: source)
        }
    }
}

extension Transaction {
    fileprivate func announce(_ changed: Set<TokenKey>, from source: PriceTable.Source) throws {
        afterCommit(MarketEvents.priceChanged)
        try raiseAlerts(changed, from: source)
    }
}
