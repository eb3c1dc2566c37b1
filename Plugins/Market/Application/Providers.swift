package import Commands
package import HubKit
package import MarketDomain
import MarketFormats
import MarketKnownProviders
import Storage

/// A provider with what is known of it.
package struct ProviderView: Sendable {
    /// The provider.
    package let provider: Provider
    /// The currency of its last list; nil when none was fetched.
    package let currency: Currency?
    /// The currencies of all its lists, the last one first.
    package let currencies: [Currency]
    /// The number of tokens of that list.
    package let tokenCount: Int
    /// When it was fetched.
    package let fetchedAt: Instant?
    /// The calls that are left in this minute; nil for a provider without a limit.
    package let callsLeft: Int?
    /// The calls of this month; nil for a provider without a limit.
    package let callsThisMonth: Int?
    /// No call before this time; nil when one may be made now.
    package let limitedUntil: Instant?
}

/// The result of a test.
package struct ProviderTest: Sendable {
    /// The provider.
    package let provider: Provider
    /// Whether it answers.
    package let isOK: Bool
    /// What it says, or why it fails.
    package let detail: String
}

extension MarketPlugin {
    /// Returns the providers in the order of the config.
    package func providers() async throws -> [ProviderView] {
        let (now, plan) = (clock.now, config[MarketKeys.plan])
        return try await store.read { transaction in
            let sources = try transaction.sources()
            return try health.providers.map { provider in
                let lists = sources.filter { $0.source.provider == provider }
                let last = lists.first
                let budget = provider.budget(plan: plan)
                let row = try transaction.budgetRow(of: provider)
                let recent = row.calls.count { now - $0 < CallBudget.window }
                return ProviderView(
                    provider: provider, currency: last?.source.currency, currencies: lists.map(\.source.currency),
                    tokenCount: try last.map { try transaction.placeCount(of: $0.source) } ?? 0,
                    fetchedAt: last?.fetchedAt, callsLeft: budget.map { max($0.perMinute - recent, 0) },
                    callsThisMonth: budget.map { _ in row.monthCalls },
                    limitedUntil: row.blockedUntil.flatMap { $0 > now ? $0 : nil })
            }
        }
    }

    /// Asks providers whether they answer; those of the config without a choice.
    package func testProviders(_ chosen: [Provider]) async throws -> [ProviderTest] {
        try await noteInterest()
        var results: [ProviderTest] = []
        for provider in chosen.isEmpty ? health.providers : chosen {
            do {
                let gateway = try await gateways.gateway(provider)
                let text = try await health.noting(provider, clock) { () async throws(GatewayError) in
                    try await gateway.check()
                }
                results.append(ProviderTest(provider: provider, isOK: true, detail: text))
            } catch let error as GatewayError {
                results.append(ProviderTest(provider: provider, isOK: false, detail: error.text(now: clock.now)))
            } catch let error as HubError {
                results.append(ProviderTest(provider: provider, isOK: false, detail: error.message))
            }
        }
        return results
    }

    /// Returns a line for each provider and one for the alerts.
    package func statusLines() async throws -> [StatusLine] {
        let now = clock.now
        let views = try await providers()
        var lines = views.map { view in
            let age = view.fetchedAt.map { "\(GatewayError.length(now - $0)) old" } ?? "nothing fetched yet"
            let count = view.tokenCount > 0 ? NumberFormat.counted(view.tokenCount, "token") + ", " : ""
            let isFresh = view.fetchedAt.map { now - $0 < config[MarketKeys.maximumAge] } ?? false
            let state = view.limitedUntil.map { "limited for \(GatewayError.length($0 - now))" }
            return StatusLine(
                view.provider.rawValue, state: state ?? (isFresh ? "fresh" : view.fetchedAt == nil ? "empty" : "stale"),
                detail: count + age)
        }
        let alerts = try await listAlerts().filter(\.record.isEnabled)
        if !alerts.isEmpty {
            let raised = alerts.count { $0.state.isRaised }
            lines.append(
                StatusLine(
                    "alerts", state: raised > 0 ? "raised" : "waiting",
                    detail: "\(raised) of \(NumberFormat.grouped(alerts.count)) alerts raised"))
        }
        return lines
    }
}

extension Provider {
    /// The calls that the provider allows; nil for one without a limit.
    func budget(plan: CoinGeckoAPI.Plan) -> CallBudget? {
        switch self {
        case .coingecko: plan.budget
        case .coinpaprika: CoinPaprikaAPI.budget
        default: nil
        }
    }
}
