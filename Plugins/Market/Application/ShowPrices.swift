import HubKit
package import MarketDomain

/// Prices for a view that stays open, such as the page: reading never waits for a provider, and a refresh goes out beside it.
extension MarketPlugin {
    /// Returns a part of the board as it is stored, and what went wrong since it was fetched.
    package func shownBoard(_ query: BoardQuery) async throws -> BoardView {
        var view = try await storedBoard(query)
        if view.origin.failures.isEmpty {
            view.origin.failures = health.providers.compactMap { provider in
                guard let error = health.health(of: provider).lastError, error.isFailure else { return nil }
                return PriceOrigin.Failure(provider: provider, error: error)
            }
        }
        return view
    }

    private func shownOrigin() async throws -> PriceOrigin {
        var query = BoardQuery(currency: currency)
        query.limit = 0
        return try await shownBoard(query).origin
    }

    /// Returns the rows of tokens as they are stored, of the source of the board.
    package func storedPrices(of keys: [TokenKey]) async throws -> (rows: [RankedRow], origin: PriceOrigin) {
        let origin = try await shownOrigin()
        guard let source = origin.source else { return ([], origin) }
        let rows = try await store.read { transaction in
            try keys.compactMap { key -> RankedRow? in
                guard let own = try transaction.counterpart(of: key, in: source.provider.catalogue),
                    let row = try transaction.boardRows([own], from: source).first
                else { return nil }
                return RankedRow(
                    number: try transaction.position(of: own, on: source), row: row, currency: source.currency,
                    provider: source.provider)
            }
        }
        return (rows, origin)
    }

    /// Notes that the first `rowCount` places of the board and `tokens` are looked at, and fetches what is too old of them.
    package func refreshShown(
        rows rowCount: Int, tokens: [TokenKey], isForced: Bool = false
    ) async throws -> PriceOrigin {
        try await noteInterest(rowCount, of: "page")
        guard !isOffline else { return try await shownOrigin() }
        // The live page of a pushing provider has one reader: the process that keeps the board.
        let lock = try boardLock()
        let isPush = health.available(now: clock.now).first?.isPush ?? false
        var origin = PriceOrigin()
        if lock != nil || !isPush {
            origin = try await refreshBoard(max(rowCount, 1), in: currency, isOffline: false, isForced: isForced)
        } else {
            origin = try await shownOrigin()
        }
        withExtendedLifetime(lock) {}
        if !tokens.isEmpty {
            let found = try await refreshTokens(tokens, in: currency, isOffline: false)
            if rowCount == 0 { origin = found.origin }
        }
        if !origin.failures.isEmpty { bus.announce(.some([MarketEvents.providersChanged])) }
        return origin
    }

    /// Returns the prices of a token over some days, those of the last minutes without asking again.
    package func rememberedChart(of token: KnownToken, days: Int?) async throws -> (ChartSeries, Provider) {
        let key = ChartCache.Key(token: token.key, days: days, currency: currency)
        if let known = charts.chart(key, now: clock.now) { return known }
        let (series, _, provider) = try await chart(
            of: token, days: days, candles: false, in: currency, isOffline: isOffline)
        charts.remember((series, provider), for: key, now: clock.now)
        return (series, provider)
    }
}
