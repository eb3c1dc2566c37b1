package import HubKit
import MarketDomain
import MarketKnownProviders
import Storage

extension MarketPlugin {
    /// Fetches the board, and the prices of tokens that are held, watched or have alerts, however young they are. One result
    /// for each provider that was asked.
    package func syncPrices() async throws -> [SyncResult] {
        let start = clock.monotonicNow
        let board = try await refreshBoard(0..<1, in: currency, isOffline: false, isForced: true)
        var results = board.failures.map { result(of: $0, since: start) }
        guard let source = board.source, board.isFresh else { return results }
        let keys = try await store.read { transaction in
            let held = try tradeRecords(transaction).map(\.trade.tokenID)
            let listed = try watchlists(transaction).flatMap(\.ids)
            let watched = try transaction.alerts().filter(\.isEnabled).map(\.key.text)
            return Set(held + listed + watched).sorted().map { TokenKey($0) }
        }
        // Those of the board are young now, so only the others cost a call.
        let (_, origin) = try await refreshTokens(keys, in: currency, isOffline: false)
        results += origin.failures.map { result(of: $0, since: start) }
        let count = try await store.read { try $0.placeCount(of: source) }
        results.append(
            SyncResult(
                source.provider.rawValue, "fetched \(NumberFormat.counted(count, "token"))",
                duration: clock.monotonicNow - start))
        return results
    }

    /// Whether the market was ever asked for; before that, `hub sync` leaves it alone.
    package func wasAsked() async throws -> Bool { try await store.read { try $0.wasAsked() } }

    private func result(of failure: PriceOrigin.Failure, since start: Duration) -> SyncResult {
        SyncResult(
            failure.provider.rawValue, "failed", duration: clock.monotonicNow - start,
            failure: HubError(
                .unavailable, code: "provider-unavailable",
                "\(failure.provider.rawValue) \(failure.error.text(now: clock.now))"))
    }
}
