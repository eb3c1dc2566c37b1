package import HubKit
import MarketDomain

extension MarketPlugin {
    /// Returns a part of the board as it is stored, without going out.
    package func storedBoard(_ query: BoardQuery) async throws -> BoardView {
        var origin = PriceOrigin()
        origin.isOffline = query.isOffline || isOffline
        let source = try await lastSource(in: query.currency)
        origin.source = source
        let (now, limit) = (clock.now, config[MarketKeys.maximumAge] * 2)
        let fetched = try await store.read { transaction in
            try transaction.sources().first { $0.source == source }?.fetchedAt
        }
        origin.isFresh = fetched.map { now - $0 < limit } ?? false
        if !origin.isFresh {
            origin.failures = health.providers.compactMap { provider in
                health.health(of: provider).lastError.map { PriceOrigin.Failure(provider: provider, error: $0) }
            }
        }
        return try await read(query, origin)
    }

    /// Keeps the first `rowCount` rows of the board live until the task is cancelled: in this process, or by leaving it to the
    /// one that does so already, such as the service.
    package func watchBoard(_ rowCount: Int) async throws {
        while true {
            try Task.checkCancellation()
            try await noteInterest(rowCount, of: "watch")
            if let lock = try boardLock() {
                defer { withExtendedLifetime(lock) {} }
                try await keepBoard {
                    try await noteInterest(rowCount, of: "watch")
                    return try await neededRows()
                }
            }
            try await clock.sleep(for: .seconds(15))
        }
    }

    /// The moments at which prices or lists changed, in this process or another.
    package func boardChanges() -> ChangeNotifier {
        try? bus.listen()
        return bus.changes(of: [
            TopicPattern(MarketEvents.priceChanged), TopicPattern(MarketEvents.watchlistsChanged),
            TopicPattern(MarketEvents.providersChanged),
        ])
    }
}
