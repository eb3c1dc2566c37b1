package import MarketDomain
import MarketKnownProviders
import Storage

/// Prices for a view that stays open, such as the page: reading never waits for a provider, and a refresh goes out beside it.
extension MarketPlugin {
    /// What went wrong with a source since its board was fetched, and with the providers that are preferred to it. An error from
    /// before, or of a provider that is not needed, says nothing of what is shown.
    func failures(since source: PriceSource?, _ transaction: Transaction) throws -> [PriceOrigin.Failure] {
        let fetched = try transaction.sources().first { $0.source == source }?.fetchedAt
        let last = source.flatMap { health.providers.firstIndex(of: $0.provider) } ?? health.providers.count - 1
        return health.providers.prefix(last + 1).compactMap { provider in
            let health = health.health(of: provider)
            guard let error = health.lastError, let time = health.lastErrorAt,
                provider != source?.provider || fetched.map({ time >= $0 }) ?? true
            else { return nil }
            return PriceOrigin.Failure(provider: provider, error: error)
        }
    }

    private func shownOrigin() async throws -> PriceOrigin {
        var query = BoardQuery(currency: currency)
        query.limit = 0
        return try await storedBoard(query).origin
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
                    number: try transaction.position(of: own, on: source), key: key, row: row,
                    currency: source.currency, provider: source.provider)
            }
        }
        return (rows, origin)
    }

    /// Notes that these places of the board and `tokens` are looked at, and fetches what is too old of them.
    package func refreshShown(
        rows: Range<Int>, tokens: [TokenKey], as reader: String = "page", isForced: Bool = false
    ) async throws -> PriceOrigin {
        try await noteInterest(PricesInSight(places: rows, tokens: tokens), of: reader)
        guard !isOffline else { return try await shownOrigin() }
        // The live page of a pushing provider has one reader: the process that keeps the board.
        let lock = try await boardLock()
        let isPush = health.available(now: clock.now).first?.isPush ?? false
        var origin = PriceOrigin()
        if lock == nil && isPush || rows.isEmpty && !tokens.isEmpty {
            origin = try await shownOrigin()
        } else {
            origin = try await refreshPlaces(rows.isEmpty ? 0..<1 : rows, in: currency, isForced: isForced)
        }
        withExtendedLifetime(lock) {}
        if !tokens.isEmpty, lock != nil || !isPush {
            let found = try await refreshTokens(tokens, in: currency, isOffline: false, isForced: isForced)
            if rows.isEmpty { origin = found.origin }
        }
        if !origin.failures.isEmpty { bus.announce(.some([MarketEvents.providersChanged])) }
        return origin
    }

    /// The number of past days that the plan of a provider covers; nil for all.
    package func maximumDays(of provider: Provider) async throws -> Int? {
        try await gateways.gateway(provider).maximumDays
    }

    /// Returns the prices of a token over some days, those of the last minutes without asking again.
    package func rememberedChart(
        of token: KnownToken, days: Int?, in currency: Currency? = nil
    ) async throws -> (ChartSeries, Provider) {
        let currency = currency ?? self.currency
        let key = ChartCache.Key(token: token.key, days: days, currency: currency)
        if let known = charts.chart(key, now: clock.now) { return known }
        let (series, _, provider) = try await chart(
            of: token, days: days, candles: false, in: currency, isOffline: isOffline)
        charts.remember((series, provider), for: key, now: clock.now)
        return (series, provider)
    }
}
