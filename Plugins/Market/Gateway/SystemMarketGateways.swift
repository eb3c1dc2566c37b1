import HTTPClient
package import MarketDomain
package import MarketFormats
import MarketKnownProviders
import Synchronization
package import System

/// How to reach the providers; nil for their own addresses.
package struct GatewaySettings: Sendable {
    /// The plan of CoinGecko.
    package var plan = CoinGeckoAPI.Plan.keyless
    /// Reads the key of CoinGecko.
    package var key: @Sendable () async throws(HubError) -> String? = { () async throws(HubError) in nil }
    /// The address of CoinGecko's API.
    package var coingeckoURL: String?
    /// The address of CoinPaprika's API.
    package var coinpaprikaURL: String?
    /// The address of status-go.
    package var statusGoURL = "http://127.0.0.1:12345"
    /// The address of the rates of exchange.
    package var ratesURL: String?
    /// Reads the account of status-go.
    package var statusGoAccount: @Sendable () async throws(HubError) -> StatusGoStart.Credentials? = {
        () async throws(HubError) in nil
    }
    /// The longest silence of status-go's signals while a page is live.
    package var silence = Duration.seconds(45)
    /// How long a provider may take for an answer.
    package var deadline = Duration.seconds(20)
    /// The budgets that differ from those of the providers.
    package var budgets: [Provider: CallBudget] = [:]

    package init() {}
}

/// The real providers, over one HTTP client.
package final class SystemMarketGateways: MarketGateways {
    private let settings: GatewaySettings
    private let keeper: any CallBudgetKeeper
    private let clock: any Clock
    private let http = HTTPClient(HTTPConfiguration(userAgent: "hub"))
    private let session = Mutex<StatusGoSession?>(nil)
    private let made = Mutex<[Provider: any MarketGateway]>([:])

    package init(_ settings: GatewaySettings, keeper: any CallBudgetKeeper, clock: any Clock) {
        self.settings = settings
        self.keeper = keeper
        self.clock = clock
    }

    /// Returns the gateway of a provider, made at its first use.
    package func gateway(_ provider: Provider) async throws(HubError) -> any MarketGateway {
        if let known = made.withLock({ $0[provider] }) { return known }
        let new = try await make(provider)
        // Of two that were made at once the first stays.
        return made.withLock { made in
            if let known = made[provider] { return known }
            made[provider] = new
            return new
        }
    }

    private func make(_ provider: Provider) async throws(HubError) -> any MarketGateway {
        switch provider {
        case .demo: return DemoGateway(clock: clock)
        case .coingecko:
            let base = settings.coingeckoURL ?? settings.plan.baseURL
            return CoinGeckoGateway(
                client: try client(provider, base, settings.plan.budget),
                api: CoinGeckoAPI(plan: settings.plan, key: settings.plan == .keyless ? nil : try await settings.key()))
        case .coinpaprika:
            let base = settings.coinpaprikaURL ?? CoinPaprikaAPI.baseURL
            return CoinPaprikaGateway(client: try client(provider, base, CoinPaprikaAPI.budget))
        default: return StatusGoGateway(session: try await statusGo(), clock: clock)
        }
    }

    /// Returns the wallet of status-go, over the session of its board.
    package func wallet() async throws(HubError) -> StatusGoWalletClient {
        StatusGoWalletClient(session: try await statusGo())
    }

    /// Returns the rates of exchange of the European Central Bank.
    package func referenceRates(unless known: RatesVersion?) async throws(GatewayError) -> FetchedRates? {
        let text = settings.ratesURL ?? ReferenceRatesClient.address
        guard let url = HTTPURL(text) else { throw .refused(400, "invalid address \(text)") }
        return try await ReferenceRatesClient(http: http, url: url, deadline: settings.deadline).fetch(unless: known)
    }

    /// The one session with status-go, for board and wallet.
    private func statusGo() async throws(HubError) -> StatusGoSession {
        if let known = session.withLock({ $0 }) { return known }
        let new = try await makeSession()
        return session.withLock { session in
            if session == nil { session = new }
            return session ?? new
        }
    }

    private func makeSession() async throws(HubError) -> StatusGoSession {
        let base = try address(settings.statusGoURL, "status_go.url")
        guard base.scheme == .http else {
            throw HubError(
                .config, code: "status-go-address", "status-go supports only http",
                hint: "set plugins.market.status_go.url to an address such as http://127.0.0.1:12345")
        }
        guard let account = try await settings.statusGoAccount() else {
            throw HubError(
                .config, code: "status-go-account", "status-go needs a data folder and a password",
                hint: "set plugins.market.status_go.data and plugins.market.status_go.password; see docs/market.md")
        }
        return StatusGoSession(
            http: http, base: base, credentials: account, silence: settings.silence, clock: clock)
    }

    private func client(_ provider: Provider, _ base: String, _ budget: CallBudget) throws(HubError) -> ProviderClient {
        ProviderClient(
            http: http, provider: provider, base: try address(base, "\(provider.rawValue).url"),
            budget: settings.budgets[provider] ?? budget, keeper: keeper, clock: clock,
            deadlines: HTTPDeadlines(connect: .seconds(10), idle: settings.deadline, total: settings.deadline))
    }

    private func address(_ text: String, _ key: String) throws(HubError) -> HTTPURL {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let url = HTTPURL(trimmed) else {
            throw HubError(
                .config, code: "invalid-address", "invalid address \"\(text)\"", hint: "fix market.\(key) in the config"
            )
        }
        return url
    }
}
