import MarketDomain
import MarketKnownProviders
import Storage

/// The messages of gateways as facts of the store. Each commit announces the prices once, shows them to the alerts, and is never
/// undone.
extension MarketPlugin {
    /// How long a token keeps its place on the board without being sent, if more are missing than can be true.
    private static var longestAbsence: Duration { .seconds(86_400) }

    /// Stores a part of the board; returns what is wrong with it. One that came back short brings prices, and takes no other
    /// token off the board; nor does one without tokens.
    func store(_ slice: BoardSlice, from source: PriceSource) async throws -> GatewayError? {
        if slice.places.lowerBound == 0, slice.rows.sentCount == 0 { return .malformed("a list without tokens") }
        let (lost, known) = try await store.read {
            try $0.losses(by: slice, from: source, seenAfter: $0.now - Self.longestAbsence)
        }
        guard BoardSlice.isPlausible(losing: lost, of: known) else {
            try await store(slice.rows.rows, from: source)
            return .malformed("\(slice.rows.sentCount) tokens where \(known) are known")
        }
        try await storePrices(of: slice.rows.rows.map(\.token.id), from: source) { transaction in
            _ = try transaction.storeSlice(slice, from: source)
        }
        return nil
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
            try transaction.keepMatches(in: source.provider.catalogue)
            transaction.afterCommit(MarketEvents.priceChanged)
            // A price that stayed the same is fresh as well: an alert may be new, and time without news would look like a gap.
            if isWatched { try transaction.raiseAlerts(seen, from: source) }
        }
    }
}
