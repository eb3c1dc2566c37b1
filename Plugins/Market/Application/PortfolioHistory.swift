import CivilDate
import Commands
package import MarketDomain
import Storage

/// The value of the portfolio over time.
package struct PortfolioHistoryView: Sendable {
    /// The values.
    package let series: ChartSeries
    /// The change in percent, without what was paid in and taken out; nil when it is not known.
    package let changePercent: Double?
    /// The names of tokens whose past prices are not known; they are left out.
    package let missing: [String]
    /// The names of tokens that are left out until the provider allows more calls.
    package let pending: [String]
    /// The source of the prices; nil without any.
    package let provider: Provider?
}

extension MarketPlugin {
    /// The maximum number of tokens whose past prices are asked for.
    private static var maximumTokens: Int { 25 }

    /// Returns the value over some days, nil for all since the first trade or as far as the plan of the provider goes. Each token
    /// costs a call, so those that are worth most come first; what the provider does not give, or not yet, is named.
    package func portfolioHistory(in currency: Currency, days: Int?) async throws -> PortfolioHistoryView {
        let ledger = Ledger(try await tradeRecords().map(\.trade), basis: config[MarketKeys.costBasis])
        let trades = ledger.applied.filter { $0.currency == currency }
        guard let first = trades.map(\.date).min() else {
            return PortfolioHistoryView(
                series: ChartSeries([]), changePercent: nil, missing: [], pending: [], provider: nil)
        }
        let days = try await coveredDays(days)
        let value = try await portfolio(in: currency, isOffline: true)
        let held = value.summary.positions.map(\.tokenID)
        let sold = Set(trades.map(\.tokenID)).subtracting(held).sorted()
        var (series, missing, pending): ([String: ChartSeries], [String], [String]) = ([:], [], [])
        var provider: Provider?
        for (place, id) in (held + sold).enumerated() {
            let key = TokenKey(id)
            let token = try await store.read { try $0.token(key) }
            guard place < Self.maximumTokens, currency == self.currency, let token else {
                missing.append(token?.token.name ?? key.id)
                continue
            }
            do {
                let chart = try await rememberedChart(of: token, days: days)
                (series[id], provider) = (chart.0, chart.1)
            } catch let error as HubError {
                if error.kind == .busy {
                    pending.append(token.token.name)
                } else {
                    log.info("no past prices of \(token.token.name): \(error.message)")
                    missing.append(token.token.name)
                }
            }
        }
        let start = Instant(milliseconds: Int64(first.daysSinceEpoch) * 86_400_000)
        let begin = days.map { max(start, clock.now - .seconds($0 * 86_400)) } ?? start
        let values = PortfolioHistory.values(trades, prices: series, from: begin, to: clock.now, count: 160)
        return PortfolioHistoryView(
            series: values,
            // Without some of its parts the sum does not show the change of all.
            changePercent: pending.isEmpty
                ? PortfolioHistory.changePercent(trades, prices: series, over: values) : nil,
            missing: missing, pending: pending, provider: provider)
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
