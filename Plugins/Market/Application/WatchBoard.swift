package import HubKit
import MarketDomain

extension MarketPlugin {
    /// Returns a part of the board as it is stored, without going out.
    package func storedBoard(_ query: BoardQuery) async throws -> BoardView {
        let (now, limit) = (clock.now, config[MarketKeys.maximumAge] * 2)
        return try await store.read { transaction in
            var origin = PriceOrigin()
            origin.isOffline = query.isOffline || isOffline
            origin.source = try lastSource(in: query.currency, transaction)
            let fetched = try transaction.sources().first { $0.source == origin.source }?.fetchedAt
            origin.isFresh = fetched.map { now - $0 < limit } ?? false
            if !origin.isFresh {
                origin.failures = health.providers.compactMap { provider in
                    health.health(of: provider).lastError.map { PriceOrigin.Failure(provider: provider, error: $0) }
                }
            }
            return try read(query, origin, transaction)
        }
    }

    /// Keeps the first rows of the board live until the task is cancelled: in this process, or by leaving it to the one that
    /// does so already, such as the service. `rowCount` is asked again and again; see also ``lookAt(_:)``.
    package func watchBoard(_ rowCount: @escaping @Sendable () -> Int) async throws {
        while true {
            try Task.checkCancellation()
            try await lookAt(rowCount())
            if let lock = try boardLock() {
                defer { withExtendedLifetime(lock) {} }
                try await keepBoard {
                    try await lookAt(rowCount())
                    return try await neededRows()
                }
            }
            try await clock.sleep(for: .seconds(15))
        }
    }

    /// Notes that the first `rowCount` rows of a live board are looked at. The process that keeps the board live is told.
    package func lookAt(_ rowCount: Int) async throws { try await noteInterest(rowCount, of: "watch") }

    /// The moments at which prices or lists changed, in this process or another.
    package func boardChanges() -> ChangeNotifier {
        try? bus.listen()
        return bus.changes(of: [
            TopicPattern(MarketEvents.priceChanged), TopicPattern(MarketEvents.watchlistsChanged),
            TopicPattern(MarketEvents.providersChanged),
        ])
    }
}
