import Commands
import MarketDomain
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

    /// Keeps rows of the board live until the task is cancelled: in this process, or by leaving it to the one that does so
    /// already, such as the service. `rows` is asked again and again; see also ``lookAt(_:)``.
    package func watchBoard(_ rows: @escaping @Sendable () -> Range<Int>) async throws {
        while true {
            try Task.checkCancellation()
            try await lookAt(rows())
            if let lock = try await boardLock() {
                defer { withExtendedLifetime(lock) {} }
                try await keepBoard {
                    try await lookAt(rows())
                    return try await neededRows()
                }
            }
            try await clock.sleep(for: .seconds(15))
        }
    }

    /// Notes that these rows of a live board are looked at. The process that keeps the board live is told.
    package func lookAt(_ rows: Range<Int>) async throws { try await noteInterest(rows, of: "watch") }

    /// The moments at which prices or lists changed, in this process or another.
    package func boardChanges() -> ChangeNotifier {
        try? bus.listen()
        return bus.changes(of: [
            TopicPattern(MarketEvents.priceChanged), TopicPattern(MarketEvents.watchlistsChanged),
            TopicPattern(MarketEvents.providersChanged),
        ])
    }
}
