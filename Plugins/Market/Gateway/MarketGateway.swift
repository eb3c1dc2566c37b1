package import MarketDomain
import MarketFormats
import MarketKnownProviders
package import System

/// A provider of prices as the rest of the plugin sees it: places of the board and shapes of the domain in and out, no pages,
/// no tries and no JSON.
package protocol MarketGateway: Sendable {
    /// The provider.
    var provider: Provider { get }
    /// Whether it has prices of the past.
    var hasCharts: Bool { get }
    /// The number of past days that the plan covers; nil for all.
    var maximumDays: Int? { get }

    /// How often rows in sight are fetched, so that none of them gets older than `maximumAge`.
    func period(_ maximumAge: Duration) -> Duration
    /// Returns a board that the provider keeps live by itself; nil for one that is polled.
    func live(in currency: Currency) -> LiveBoard?
    /// Returns the part of the board that has the first of these places.
    func fetch(_ places: Range<Int>, in currency: Currency) async throws(GatewayError) -> BoardSlice

    /// Returns the rows of some tokens.
    func rows(_ ids: [String], in currency: Currency) async throws(GatewayError) -> MarketPage
    /// Returns the tokens that match some words, the best match first.
    func search(_ words: String) async throws(GatewayError) -> [MarketDomain.SearchHit]
    /// Returns all tokens that it knows, without prices and ranks; none if its board has them all, or if it has no such list.
    func allTokens() async throws(GatewayError) -> [MarketDomain.SearchHit]
    /// Returns the contracts of its tokens, as far as it names them.
    func contracts() async throws(GatewayError) -> [CoinContract]
    /// Returns the prices of a token over some days; nil for all.
    func series(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> ChartSeries
    /// Returns the candles of a token over some days; nil for all.
    func candles(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> [Candle]
    /// Checks that the provider answers, and returns what it says.
    func check() async throws(GatewayError) -> String
}

extension MarketGateway {
    /// By default somewhat less than the age, for the time that a call takes.
    package func period(_ maximumAge: Duration) -> Duration { maximumAge * 5 / 6 }

    /// By default nil: the provider is polled.
    package func live(in currency: Currency) -> LiveBoard? { nil }

    /// By default nil: the past is not limited.
    package var maximumDays: Int? { nil }

    /// By default none.
    package func allTokens() async throws(GatewayError) -> [MarketDomain.SearchHit] { [] }

    /// By default those of the list of all tokens.
    package func contracts() async throws(GatewayError) -> [CoinContract] { try await allTokens().contracts }
}

extension [MarketDomain.SearchHit] {
    /// The contracts of the tokens.
    package var contracts: [CoinContract] {
        flatMap { hit in
            hit.contracts.map {
                CoinContract(id: hit.token.id, symbol: hit.token.symbol, name: hit.token.name, contract: $0)
            }
        }
    }
}

extension Provider {
    /// The number of places that come with one call, the first one being a multiple of it.
    package var maximumPlaces: Int {
        switch self {
        case .coingecko: CoinGeckoAPI.maximumPageSize
        // More than it has, so that its answer is the whole board.
        case .coinpaprika: 20_000
        case .statusGo: LeaderboardFlow.maximumPageSize
        default: DemoMarket.count
        }
    }

    /// The parts of the board, one for each call, that have some places.
    package func parts(of places: Range<Int>) -> [Range<Int>] {
        guard !places.isEmpty else { return [] }
        let size = maximumPlaces
        return (places.lowerBound / size...(places.upperBound - 1) / size).map { $0 * size..<($0 + 1) * size }
    }
}

/// Makes gateways, so that tests can put others in their place.
package protocol MarketGateways: Sendable {
    /// Returns the gateway of a provider, the same one each time. Throws what is wrong with its settings.
    func gateway(_ provider: Provider) async throws(HubError) -> any MarketGateway
    /// Returns the wallet of status-go. Throws what is wrong with its settings.
    func wallet() async throws(HubError) -> StatusGoWalletClient
    /// Returns the rates of exchange of the European Central Bank; nil if they still are the version that is known.
    func referenceRates(unless known: RatesVersion?) async throws(GatewayError) -> FetchedRates?
}

extension MarketGateways {
    /// By default none.
    package func referenceRates(unless known: RatesVersion?) async throws(GatewayError) -> FetchedRates? {
        throw .refused(404, "no rates here")
    }
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
