import BigInteger
import CivilDate
import Commands
package import MarketDomain
import MarketKnownProviders
import Storage

/// The value of the portfolio over time.
package struct PortfolioHistoryView: Sendable {
    /// The values.
    package let series: ChartSeries
    /// The time-weighted return in percent, of what was invested however much that was; nil when it is not known.
    package let timeWeighted: Double?
    /// The money-weighted return in percent, of the money when it was invested; nil when it is not known.
    package let moneyWeighted: Double?
    /// The names of tokens whose past prices are not known; they are left out.
    package let missing: [String]
    /// The names of tokens that are left out until the provider allows more calls.
    package let pending: [String]
    /// The source of the prices; nil without any.
    package let provider: Provider?
}

extension MarketPlugin {
    /// The number of days up to which a chart has prices of hours; a longer one has closing prices, which are kept.
    private static var hourlyDays: Int { 7 }

    /// What is known of the past prices of tokens.
    private struct PastPrices {
        var series: [String: ChartSeries] = [:]
        var missing: [String] = []
        var pending: [String] = []
        var provider: Provider?
    }

    /// Returns the value over some days, nil for all since the first trade or as far as the plan of the provider goes. The
    /// closing prices of days that are over are fetched once for each token, those that are worth most first; what the
    /// provider does not give, or not yet, is named.
    package func portfolioHistory(
        in currency: Currency, days: Int?, _ filter: PortfolioFilter = PortfolioFilter()
    ) async throws -> PortfolioHistoryView {
        let worked = try await workedLedger(config[MarketKeys.costBasis], in: currency, isOffline: true)
        // What was never held is not worth anything, so entries that are left out as a whole do not count.
        let leftOut = Set(worked.ledger.shortfalls.filter { $0.trade.received == nil }.map(\.trade.id))
        let trades = worked.records.map(\.trade).filter { !leftOut.contains($0.id) && filter.includes($0) }
        let movements = trades.flatMap { trade in
            PortfolioMovement.movements(of: trade, at: filter.place) {
                worked.rates.convert($0, from: trade.currency, to: currency, on: trade.date)
            }
        }
        guard let first = movements.map(\.day).min() else {
            return PortfolioHistoryView(
                series: ChartSeries([]), timeWeighted: nil, moneyWeighted: nil, missing: [], pending: [], provider: nil)
        }
        let days = try await coveredDays(days)
        let now = clock.now
        let today = CivilDate(daysSinceEpoch: Int(now.milliseconds / 86_400_000))
        // The day before the first one is the base of the return.
        let base = days.map { max(first, today.adding(days: -$0)) } ?? first
        let value = try await portfolio(in: currency, filter, isOffline: true)
        let held = value.summary.positions.map(\.tokenID)
        let sold = Set(movements.map(\.tokenID)).subtracting(held).sorted()
        // What an entry was worth when it has no value is asked for along with the past of the chart.
        let valued = Dictionary(
            worked.ledger.missingCloses.filter { $0.day < today }.map { ($0.tokenID, $0.day) }, uniquingKeysWith: min)
        let prices = try await pastPrices(
            of: held + sold, from: base.adding(days: -1), valued, days: days, in: currency)
        let past = PortfolioDays(movements, prices: prices.series)
        let all = past.days(base.adding(days: -1)...today, now: now)
        // Without some of its parts the sum does not show the return of all.
        let isWhole = prices.pending.isEmpty
        return PortfolioHistoryView(
            series: Self.drawing(past, from: base, days: days, now: now, today: today),
            timeWeighted: isWhole ? PortfolioReturn.timeWeighted(all) : nil,
            moneyWeighted: isWhole ? PortfolioReturn.moneyWeighted(all) : nil,
            missing: prices.missing, pending: prices.pending, provider: prices.provider)
    }

    /// The values to draw: of hours for some days, and else of the ends of days.
    private static func drawing(
        _ past: PortfolioDays, from base: CivilDate, days: Int?, now: Instant, today: CivilDate
    ) -> ChartSeries {
        let times: [Instant]
        if let days, days <= hourlyDays {
            let start = max(base.start, now - .seconds(days * 86_400)).milliseconds
            times = (0..<160).map { Instant(milliseconds: start + (now.milliseconds - start) * Int64($0) / 159) }
        } else {
            times = (base.daysSinceEpoch...today.daysSinceEpoch).map { min(CivilDate(daysSinceEpoch: $0).end, now) }
        }
        return ChartSeries(zip(times, past.values(at: times)).map { ChartPoint(time: $0, value: $1) })
    }

    private func pastPrices(
        of ids: [String], from first: CivilDate, _ valued: [String: CivilDate], days: Int?, in currency: Currency
    ) async throws -> PastPrices {
        var prices = PastPrices()
        let current = try await rows(
            ids.map { TokenKey($0) }, from: try await lastSource(in: currency) ?? PriceSource(.demo, currency))
        var isBusy = false
        for id in ids {
            guard let token = try await store.read({ try $0.token(TokenKey(id)) }) else {
                prices.missing.append(TokenKey(id).id)
                continue
            }
            var points: [ChartPoint] = []
            do {
                if let days, days <= Self.hourlyDays {
                    let (series, provider) = try await rememberedChart(of: token, days: days, in: currency)
                    (points, prices.provider) = (series.points, provider)
                } else {
                    let (closes, provider) = try await closes(
                        of: token, from: min(first, valued[id] ?? first), in: currency, isOffline: isBusy)
                    (points, prices.provider) = (DailyCloses.series(closes), provider ?? prices.provider)
                }
            } catch let error as HubError {
                // After a pause of the provider only what is known is used.
                isBusy = isBusy || error.kind == .busy
                points = DailyCloses.series(
                    try await store.read { try $0.closes(of: $0.coin(of: token.key), in: currency) })
                if error.kind == .busy {
                    prices.pending.append(token.token.name)
                } else {
                    log.info("no past prices of \(token.token.name): \(error.message)")
                    prices.missing.append(token.token.name)
                }
            }
            let price = current[TokenKey(id)].flatMap { row in row.value(.current).map { (row, $0.approximate) } }
            if let (row, value) = price, let seen = row.seenAt, points.last.map({ $0.time < seen }) ?? false {
                points.append(ChartPoint(time: seen, value: value))
            }
            prices.series[id] = ChartSeries(points)
        }
        return prices
    }

    /// Fetches closing prices that a ledger needs, one call for each token, until the provider wants a pause; true if some were stored.
    /// Demo data is made up, so none is fetched for values.
    func fetchMissingCloses(
        _ missing: [Valuation.TokenDay], _ currency: Currency, isOffline: Bool
    ) async throws -> Bool {
        let isDemo = config[MarketKeys.providers] == [.demo]
        let today = CivilDate(daysSinceEpoch: Int(clock.now.milliseconds / 86_400_000))
        guard !isOffline, !self.isOffline, !isDemo else { return false }
        var hasNew = false
        let first = Dictionary(missing.filter { $0.day < today }.map { ($0.tokenID, $0.day) }, uniquingKeysWith: min)
        for (tokenID, day) in first.sorted(by: { $0.key < $1.key }) {
            guard let token = try await store.read({ try $0.token(TokenKey(tokenID)) }) else { continue }
            do { hasNew = try await closes(of: token, from: day, in: currency).provider != nil || hasNew } catch let
                error as HubError
            {
                log.info("no past prices of \(token.token.name): \(error.message)")
                if error.kind == .busy { break }
            }
        }
        return hasNew
    }

    /// Returns the closing prices of a token from a day on; those that are not stored are fetched, in one call, and stored.
    /// Throws why they cannot be had.
    func closes(
        of token: KnownToken, from first: CivilDate, in currency: Currency, isOffline: Bool = false
    ) async throws -> (closes: [CivilDate: Double], provider: Provider?) {
        let today = CivilDate(daysSinceEpoch: Int(clock.now.milliseconds / 86_400_000))
        let (coin, stored, known) = try await store.read { transaction in
            let coin = try transaction.coin(of: token.key)
            return (
                coin, try transaction.closes(of: coin, in: currency), try transaction.closeRange(of: coin, in: currency)
            )
        }
        var missing = first
        if let known, known.lowerBound <= first {
            missing = known.upperBound.adding(days: 1)
            if missing >= today { return (stored, nil) }
        }
        if isOffline {
            throw HubError(
                .busy, code: "rate-limited", "the past prices of \(token.token.name) come later",
                hint: "try it again later")
        }
        let count = today.daysSinceEpoch - missing.daysSinceEpoch + 1
        let days = try await coveredDays(count) ?? count
        let (series, _, provider) = try await chart(
            of: token, days: days, candles: false, in: currency, isOffline: false)
        let new = DailyCloses.closes(of: series, before: today)
        let operation = Operation("market closes", who: .service("market"), kind: .fetched)
        // Without room in the store they are fetched again the next time.
        _ = try? await store.write(operation) { transaction in
            try transaction.storeCloses(
                new, of: coin, in: currency,
                range: (known.map { min($0.lowerBound, first) } ?? first)...today.adding(days: -1))
        }
        return (stored.merging(new) { known, _ in known }, provider)
    }

    /// The number of days that the first provider with charts covers, at most `days`; nil for all.
    private func coveredDays(_ days: Int?) async throws -> Int? {
        for provider in health.available(now: clock.now) {
            let gateway = try await gateways.gateway(provider)
            guard gateway.hasCharts else { continue }
            return gateway.maximumDays.map { min(days ?? .max, $0) } ?? days
        }
        return days
    }
}
