package import MarketDomain
package import System

/// A provider of prices as the rest of the plugin sees it: shapes of the domain in and out, no paging and no JSON.
package protocol MarketGateway: Sendable {
    /// The provider.
    var provider: Provider { get }
    /// How it keeps a board.
    var behavior: LeaderboardFlow.Behavior { get }
    /// Whether it has prices of the past.
    var hasCharts: Bool { get }
    /// The number of past days that the plan covers; nil for all.
    var maximumDays: Int? { get }

    /// What happens without being asked for: pushed pages and prices, and a link that is lost or restored. It has one reader.
    func events() -> AsyncStream<LeaderboardFlow.Event>
    /// Asks for a page. Returns what came of it; nil when the answer will be one of ``events()``.
    func fetch(_ request: LeaderboardFlow.Request) async -> LeaderboardFlow.Event?
    /// Takes the live page back, where there is one.
    func unsubscribe() async

    /// Returns the rows of some tokens.
    func rows(_ ids: [String], in currency: Currency) async throws(GatewayError) -> MarketPage
    /// Returns the tokens that match some words, the best match first.
    func search(_ words: String) async throws(GatewayError) -> [MarketDomain.SearchHit]
    /// Returns all tokens that it knows, without prices and ranks; none if its board has them all, or if it has no such list.
    func allTokens() async throws(GatewayError) -> [MarketDomain.SearchHit]
    /// Returns the prices of a token over some days; nil for all.
    func series(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> ChartSeries
    /// Returns the candles of a token over some days; nil for all.
    func candles(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> [Candle]
    /// Checks that the provider answers, and returns what it says.
    func check() async throws(GatewayError) -> String
}

extension MarketGateway {
    /// By default none: the provider is polled.
    package func events() -> AsyncStream<LeaderboardFlow.Event> { AsyncStream { $0.finish() } }

    /// By default nil: the past is not limited.
    package var maximumDays: Int? { nil }

    /// By default none.
    package func allTokens() async throws(GatewayError) -> [MarketDomain.SearchHit] { [] }

    /// By default nothing: there is no live page.
    package func unsubscribe() async {}
}

/// Makes gateways, so that tests can put others in their place.
package protocol MarketGateways: Sendable {
    /// Returns the gateway of a provider, the same one each time. Throws what is wrong with its settings.
    func gateway(_ provider: Provider) async throws(HubError) -> any MarketGateway
    /// Returns the wallet of status-go. Throws what is wrong with its settings.
    func wallet() async throws(HubError) -> StatusGoWalletClient
}

/// The budgets of providers, which all processes share.
package protocol CallBudgetKeeper: Sendable {
    /// Takes one call from the budget, before it is made, and returns its time. Throws `postponed` when the budget allows none
    /// now.
    func take(from budget: CallBudget, of provider: Provider) async throws(GatewayError) -> Instant
    /// Gives the call of a time back, of which no byte was sent.
    func giveBack(_ call: Instant, to budget: CallBudget, of provider: Provider) async
    /// Notes that a call was answered without a rate limit.
    func noteSuccess(_ budget: CallBudget, of provider: Provider) async
    /// Notes a rate limit, and the time that the provider asked to wait; returns when the next call may be made.
    func noteRateLimit(_ budget: CallBudget, of provider: Provider, wait: Duration?) async -> Instant
}
