package import BigInteger
package import Commands
package import MarketDomain
import MarketKnownProviders
import Storage

/// All that is known of a token.
package struct TokenDetails: Sendable {
    /// The token with its price.
    package let item: RankedRow
    /// The lists that it is in.
    package let lists: [String]
    /// The number of tokens that are held, and what they are worth; nil for none.
    package let position: PortfolioSummary.Position?
    /// The alerts on it.
    package let alerts: [AlertRecord]
    /// Where the price comes from.
    package let origin: PriceOrigin
}

extension MarketPlugin {
    /// Returns the rows of tokens in the order given, after fetching what is too old. A token without a price has a row without
    /// one.
    package func prices(
        of tokens: [KnownToken], in currency: Currency, isOffline: Bool
    ) async throws -> (rows: [RankedRow], origin: PriceOrigin) {
        let (found, origin) = try await refreshTokens(tokens.map(\.key), in: currency, isOffline: isOffline)
        let numbers = try await store.read { transaction in
            try found.mapValues { row in
                try origin.source.flatMap { try transaction.position(of: row.key, on: $0) }
            }
        }
        let rows = tokens.map { token in
            let row =
                found[token.key]
                ?? BoardRow(
                    key: token.key, token: token.token, price: nil, sparkline: nil, seenAt: nil)
            return RankedRow(
                number: numbers[token.key] ?? nil, key: token.key, row: row, currency: currency,
                provider: origin.source?.provider)
        }
        return (rows, origin)
    }

    /// Returns all that is known of a token.
    package func details(of token: KnownToken, in currency: Currency, isOffline: Bool) async throws -> TokenDetails {
        let (rows, origin) = try await prices(of: [token], in: currency, isOffline: isOffline)
        let row = rows[0]
        let basis = config[MarketKeys.costBasis]
        return try await store.read { transaction in
            let key = try preferred(token.key, transaction)
            let ledger = try workedLedger(transaction, basis, in: currency).ledger
            let prices = row.row.value(.current).map { [key.text: $0] } ?? [:]
            return TokenDetails(
                item: row,
                lists: try watchlists(transaction).filter { $0.ids.contains(key.text) }.map(\.name),
                position: PortfolioSummary(ledger, prices: prices) { own, _ in own.tokenID == key.text }.positions
                    .first,
                alerts: try transaction.alerts().filter { try preferred($0.key, transaction) == key }, origin: origin)
        }
    }

    /// Returns the prices of a token over some days, or its candles, from the first provider that has them.
    package func chart(
        of token: KnownToken, days: Int?, candles: Bool, in currency: Currency, isOffline: Bool
    ) async throws -> (series: ChartSeries, candles: [Candle], provider: Provider) {
        try await noteInterest()
        guard !(isOffline || self.isOffline) else {
            throw HubError(
                .unavailable, code: "offline", "charts need the network", hint: "run it without --offline")
        }
        var failures: [PriceOrigin.Failure] = []
        for provider in health.available(now: clock.now) {
            let own = try await store.read { try $0.counterpart(of: token.key, in: provider.catalogue) }
            guard let own else { continue }
            let gateway = try await gateways.gateway(provider)
            guard gateway.hasCharts else { continue }
            do throws(GatewayError) {
                if let maximum = gateway.maximumDays, days ?? .max > maximum { throw .historyTooLong(maximum) }
                return try await health.noting(provider, clock) { () async throws(GatewayError) in
                    let bars = candles ? try await gateway.candles(own.id, days: days, in: currency) : []
                    let line =
                        candles ? ChartSeries([]) : try await gateway.series(own.id, days: days, in: currency)
                    return (line, bars, provider)
                }
            } catch {
                failures.append(PriceOrigin.Failure(provider: provider, error: error))
            }
        }
        throw HubError.noPrices(failures, now: clock.now, what: "chart of \(token.token.name)")
    }

    /// Returns an amount of one thing in units of another, rounded once: a token or a currency each. The digits are those of
    /// the currency, or eight for a token.
    package func convert(
        _ amount: BigDecimal, from: ConversionUnit, to: ConversionUnit, isOffline: Bool
    ) async throws -> (result: BigDecimal, origin: PriceOrigin, seen: Instant?) {
        let tokens = [from, to].compactMap(\.token)
        // A pair of currencies has no token to compare them by, so a token stands between them.
        let base: Currency = [from, to].compactMap(\.currency).first ?? currency
        if case (.currency(let first), .currency(let second)) = (from, to) {
            return try await convert(amount, first, second, isOffline: isOffline)
        }
        let (rows, origin) = try await prices(of: tokens, in: base, isOffline: isOffline)
        func price(_ unit: ConversionUnit) throws -> BigDecimal {
            guard let token = unit.token else { return 1 }
            guard let row = rows.first(where: { $0.key == token.key }),
                let price = row.row.value(.current), !price.isZero
            else { throw HubError.noPrices(origin.failures, now: clock.now, what: "price of \(token.token.name)") }
            return price
        }
        let digits = to.currency?.fractionDigits ?? 8
        guard
            let result = Conversion.convert(
                amount, at: try price(from), toPrice: try price(to), fractionDigits: digits)
        else { throw HubError.noPrices(origin.failures, now: clock.now, what: "price of \(to.name)") }
        return (result, origin, rows.shownAsOf)
    }

    private func convert(
        _ amount: BigDecimal, _ from: Currency, _ to: Currency, isOffline: Bool
    ) async throws -> (result: BigDecimal, origin: PriceOrigin, seen: Instant?) {
        if from == to { return (amount.rounded(fractionDigits: to.fractionDigits), PriceOrigin(), nil) }
        let first = try await board(firstRow(from, isOffline))
        let second = try await board(firstRow(to, isOffline))
        guard let one = first.rows.first?.row, let other = second.rows.first(where: { $0.row.key == one.key })?.row,
            first.origin.source?.provider == second.origin.source?.provider, let before = one.value(.current),
            let after = other.value(.current),
            let result = Conversion.convert(amount, at: after, toPrice: before, fractionDigits: to.fractionDigits)
        else {
            throw HubError.noPrices(
                first.origin.failures + second.origin.failures, now: clock.now,
                what: "rate from \(from.name) to \(to.name)")
        }
        return (result, second.origin, (first.rows + second.rows).shownAsOf)
    }

    private func firstRow(_ currency: Currency, _ isOffline: Bool) -> BoardQuery {
        var query = BoardQuery(currency: currency)
        query.limit = 1
        query.isOffline = isOffline
        return query
    }
}

/// What an amount is of.
package enum ConversionUnit: Sendable {
    case token(KnownToken)
    case currency(Currency)

    /// The token; nil for a currency.
    package var token: KnownToken? { if case .token(let token) = self { token } else { nil } }
    /// The currency; nil for a token.
    package var currency: Currency? { if case .currency(let currency) = self { currency } else { nil } }

    /// The symbol of the token or the code of the currency.
    package var name: String {
        switch self {
        case .token(let token): token.token.symbol
        case .currency(let currency): currency.name
        }
    }
}

extension HubError {
    /// The error of a view that has nothing to show.
    static func noPrices(_ failures: [PriceOrigin.Failure], now: Instant, what: String) -> HubError {
        let reasons = failures.map { "\($0.provider.rawValue) \($0.error.text(now: now))" }
        let isLimit = failures.contains { if case .postponed = $0.error { true } else { false } }
        return HubError(
            isLimit ? .busy : .unavailable, code: isLimit ? "rate-limited" : "no-prices",
            "no \(what)" + (reasons.first.map { "; \($0)" } ?? ""), details: Array(reasons.dropFirst()),
            hint: "hub market providers test checks the providers")
    }
}

extension GatewayError {
    /// The reason in words, for a line that names the provider.
    package func text(now: Instant) -> String {
        switch self {
        case .unreachable(let reason): "cannot be reached: \(reason)"
        case .timedOut: "did not answer in time"
        case .cancelled: "cancelled"
        case .rateLimited: "rate limited"
        case .postponed(let until, .spacing): "is busy, next call in \(Self.length(until - now))"
        case .postponed(let until, .minute): "has no calls left this minute, next in \(Self.length(until - now))"
        case .postponed(let until, .month): "has no calls left this month, next in \(Self.length(until - now))"
        case .postponed(let until, .rateLimited): "rate limited for \(Self.length(until - now))"
        case .serverFailed(let status): "failed with status \(status)"
        case .unauthorized(let text): "refused the key: \(text)"
        case .blocked(let text): "blocks this address: \(text)"
        case .refused(let status, let text): status > 0 ? "refused: \(text) (\(status))" : "refused: \(text)"
        case .malformed(let reason): "unexpected response: \(reason)"
        case .superseded: "superseded"
        }
    }

    /// A time in words: `45 s`, `3 min`, `3 h 12 min`, `4 d`.
    package static func length(_ duration: Duration) -> String {
        let seconds = max(Int(duration.components.seconds), 0)
        if seconds < 60 { return "\(max(seconds, 1)) s" }
        if seconds < 3600 { return "\(seconds / 60) min" }
        if seconds < 86_400 {
            return "\(seconds / 3600) h" + (seconds % 3600 >= 60 ? " \(seconds % 3600 / 60) min" : "")
        }
        return "\(seconds / 86_400) d"
    }
}
