import Commands
import HubKit
import MarketDomain
import MarketFormats
import MarketKnownProviders

/// The settings under `plugins.market`.
enum MarketKeys {
    static let providers = ConfigKey(
        "providers", .list(of: ConfigType<Provider>.word), default: [.coingecko, .coinpaprika],
        help: "price providers, the preferred one first; demo needs no network")
    static let maximumAge = ConfigKey(
        "max_age", .duration, default: .seconds(60), help: "prices older than this are fetched again")
    static let costBasis = ConfigKey(
        "cost_basis", ConfigType<CostBasis>.word, default: .fifo, help: "cost basis of sales")

    static let plan = ConfigKey(
        "coingecko.plan", ConfigType<CoinGeckoAPI.Plan>.word, default: .keyless, help: "plan of the CoinGecko key")
    static let key = ConfigKey(
        "coingecko.key", ConfigType<SecretSource>.secret, otherwise: "none", help: "CoinGecko key",
        example: #"{ keyring = "coingecko" }"#, isSecret: true)
    static let coingeckoURL = ConfigKey(
        "coingecko.url", .text, otherwise: "the address of the plan", help: "address of CoinGecko's API",
        example: #""http://127.0.0.1:8080/api/v3""#)
    static let coinpaprikaURL = ConfigKey(
        "coinpaprika.url", .text, otherwise: "its own address", help: "address of CoinPaprika's API",
        example: #""http://127.0.0.1:8080/v1""#)
    static let ratesURL = ConfigKey(
        "rates.url", .text, otherwise: "the European Central Bank", help: "address of the file of exchange rates",
        example: #""http://127.0.0.1:8080/eurofxref-hist.zip""#)
    static let statusGoURL = ConfigKey(
        "status_go.url", .text, default: "http://127.0.0.1:12345", help: "address of status-backend")
    static let statusGoData = ConfigKey(
        "status_go.data", ConfigType<String>.path, otherwise: "none", help: "data folder of status-backend",
        example: #""~/status""#)
    static let statusGoKeyUID = ConfigKey(
        "status_go.key_uid", .text, otherwise: "the first account", help: "key uid of the account",
        example: #""0x12ab""#)
    static let statusGoPassword = ConfigKey(
        "status_go.password", ConfigType<SecretSource>.secret, otherwise: "none",
        help: "password of the account, as status-backend expects it", example: #"{ keyring = "status" }"#,
        isSecret: true)

    static let all: [any ConfigDeclaration] = [
        providers, maximumAge, costBasis, plan, key, coingeckoURL, coinpaprikaURL, ratesURL, statusGoURL,
        statusGoData, statusGoKeyUID, statusGoPassword,
    ]
}

extension GatewaySettings {
    /// The settings of the config file.
    init(_ context: Context) {
        self.init()
        let (config, secrets) = (context.config, context.secrets)
        plan = config[MarketKeys.plan]
        coingeckoURL = config[MarketKeys.coingeckoURL]
        coinpaprikaURL = config[MarketKeys.coinpaprikaURL]
        ratesURL = config[MarketKeys.ratesURL]
        statusGoURL = config[MarketKeys.statusGoURL]
        let keySource = config[MarketKeys.key]
        let needsKey = plan != .keyless
        key = { () async throws(HubError) in
            if let keySource { return try await secrets.read(keySource) }
            guard needsKey else { return nil }
            throw HubError(
                .config, code: "key-missing", "the plan of CoinGecko needs a key",
                hint: "set plugins.market.coingecko.key, or plugins.market.coingecko.plan to keyless")
        }
        guard let folder = config[MarketKeys.statusGoData], let password = config[MarketKeys.statusGoPassword] else {
            return
        }
        let keyUID = config[MarketKeys.statusGoKeyUID]
        statusGoAccount = { () async throws(HubError) in
            StatusGoStart.Credentials(
                dataFolder: folder, keyUID: keyUID, password: try await secrets.read(password))
        }
    }
}
