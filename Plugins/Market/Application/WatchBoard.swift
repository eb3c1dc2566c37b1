import Commands
package import MarketDomain
package import Storage

extension MarketPlugin {
    /// Returns a part of the board as it is stored, without going out.
    package func storedBoard(_ query: BoardQuery) async throws -> BoardView {
        let limit = config[MarketKeys.maximumAge] * 2
        return try await store.read { transaction in
            var origin = PriceOrigin()
            origin.isOffline = query.isOffline || isOffline
            origin.source = try lastSource(in: query.currency, transaction)
            origin.failures = try failures(since: origin.source, transaction)
            var view = try read(query, origin, transaction)
            let fetched = try transaction.sources().first { $0.source == origin.source }?.fetchedAt
            view.origin.isFresh = isYoung(view.rows.compactMap(\.row.seenAt).min() ?? fetched, within: limit)
            return view
        }
    }

    /// Keeps what a view shows fresh until the task is cancelled: in this process, or by leaving it to the one that does so
    /// already, such as the service. `sight` is asked again and again; see also ``lookAt(_:as:)``.
    package func watchBoard(as reader: String, _ sight: @escaping @Sendable () -> PricesInSight) async throws {
        while true {
            try Task.checkCancellation()
            try await lookAt(sight(), as: reader)
            if let lock = try await boardLock() {
                defer { withExtendedLifetime(lock) {} }
                try await keepPrices { try await lookAt(sight(), as: reader) }
            }
            try await clock.sleep(for: handOver)
        }
    }

    /// How soon another process goes on when the one that kept prices fresh is gone: before they are too old.
    var handOver: Duration { max(config[MarketKeys.maximumAge] / 12, .seconds(1)) }

    /// Notes what an open view shows. The process that keeps prices fresh is told. Each open view is a reader of its own.
    package func lookAt(_ sight: PricesInSight, as reader: String) async throws {
        try await noteInterest(sight, of: reader)
    }

    /// The name of a new open view.
    package func newReader() -> String { "view \(Identifier.make())" }

    /// The moments at which prices or lists changed, in this process or another.
    package func boardChanges() -> ChangeNotifier {
        try? bus.listen()
        return bus.changes(of: [
            TopicPattern(MarketEvents.priceChanged), TopicPattern(MarketEvents.watchlistsChanged),
            TopicPattern(MarketEvents.providersChanged),
        ])
    }
}
