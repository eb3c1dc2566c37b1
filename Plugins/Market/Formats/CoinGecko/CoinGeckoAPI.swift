package import MarketDomain

/// The requests of CoinGecko's API, version 3.
package struct CoinGeckoAPI: Hashable, Sendable {
    /// The plan of a key, or none.
    package enum Plan: String, CaseIterable, Sendable {
        case keyless, demo, pro

        /// The address that paths are added to. A key of one plan is refused by the host of the other.
        package var baseURL: String {
            switch self {
            case .keyless, .demo: "https://api.coingecko.com/api/v3"
            case .pro: "https://pro-api.coingecko.com/api/v3"
            }
        }

        /// The calls that the plan allows, with room for others behind the same address.
        package var budget: CallBudget {
            switch self {
            // The limit is shared by everyone behind the address.
            case .keyless: CallBudget(perMinute: 5, spacing: .seconds(1))
            case .demo: CallBudget(perMinute: 25, perMonth: 10_000)
            // The smallest of the paid plans.
            case .pro: CallBudget(perMinute: 250, perMonth: 100_000)
            }
        }

        /// The number of past days that the plan covers; nil for all.
        package var maximumDays: Int? { self == .pro ? nil : 365 }

        /// The header of the key; nil without one.
        var header: String? {
            switch self {
            case .keyless: nil
            case .demo: "x-cg-demo-api-key"
            case .pro: "x-cg-pro-api-key"
            }
        }
    }

    /// The most rows of a page, and the most ids of a request.
    package static let maximumPageSize = 250

    /// The plan.
    package let plan: Plan
    private let headers: [String: String]

    /// Creates the requests of a plan; the key of a keyless one is not used.
    package init(plan: Plan, key: String? = nil) {
        self.plan = plan
        headers = plan.header.flatMap { header in key.map { [header: $0] } } ?? [:]
    }

    /// A page of all tokens by market cap, with the changes of several periods.
    package func markets(page: Int, size: Int, in currency: Currency, sparkline: Bool) -> ProviderRequest {
        markets(currency, [("per_page", "\(size)"), ("page", "\(page)")], sparkline)
    }

    /// The rows of some tokens, in requests of 250 each: without a page size, the provider would leave all after 100 out.
    package func markets(ids: [String], in currency: Currency, sparkline: Bool) -> [ProviderRequest] {
        stride(from: 0, to: ids.count, by: Self.maximumPageSize).map { start in
            let some = ids[start..<min(start + Self.maximumPageSize, ids.count)]
            return markets(
                currency, [("ids", some.joined(separator: ",")), ("per_page", "\(Self.maximumPageSize)")], sparkline)
        }
    }

    private func markets(_ currency: Currency, _ query: [(String, String)], _ sparkline: Bool) -> ProviderRequest {
        ProviderRequest(
            ["coins", "markets"],
            [("vs_currency", currency.code)] + query + [
                ("sparkline", sparkline ? "true" : "false"), ("price_change_percentage", "1h,24h,7d,30d,1y"),
                ("precision", "full"),
            ], headers: headers)
    }

    /// The tokens that match some words.
    package func search(_ words: String) -> ProviderRequest {
        ProviderRequest(["search"], [("query", words)], headers: headers)
    }

    /// All tokens, with id, symbol, name and contracts.
    package func list() -> ProviderRequest {
        ProviderRequest(["coins", "list"], [("include_platform", "true")], headers: headers)
    }

    /// The prices of a token over some days; nil for all that there are.
    package func chart(_ id: String, days: Int?, in currency: Currency) -> ProviderRequest {
        ProviderRequest(
            ["coins", id, "market_chart"],
            [("vs_currency", currency.code), ("days", days.map { "\($0)" } ?? "max"), ("precision", "full")],
            headers: headers)
    }

    /// The candles of a token over some days, of which the provider has fixed numbers; nil for all.
    package func candles(_ id: String, days: Int?, in currency: Currency) -> ProviderRequest {
        let known = [1, 7, 14, 30, 90, 180, 365]
        let covering = days.map { days in known.first { $0 >= days }.map { "\($0)" } ?? "max" } ?? "max"
        return ProviderRequest(
            ["coins", id, "ohlc"], [("vs_currency", currency.code), ("days", covering), ("precision", "full")],
            headers: headers)
    }

    /// Whether the provider answers at all.
    package func ping() -> ProviderRequest { ProviderRequest(["ping"], headers: headers) }
}

/// The requests of CoinPaprika's API.
package enum CoinPaprikaAPI {
    /// The address that paths are added to.
    package static let baseURL = "https://api.coinpaprika.com/v1"
    /// The calls that it allows without a key.
    package static let budget = CallBudget(perMinute: 30, perMonth: 20_000, spacing: .seconds(1))

    /// All tokens at once.
    package static func tickers(in currency: Currency) -> ProviderRequest {
        ProviderRequest(["tickers"], [("quotes", currency.name)])
    }

    /// The tokens that match some words.
    package static func search(_ words: String) -> ProviderRequest {
        ProviderRequest(["search"], [("q", words), ("c", "currencies"), ("limit", "50")])
    }

    /// The platforms whose contracts are asked for, with the names of their chains; most tokens have a contract on one of them.
    package static let platforms = [
        (id: "eth-ethereum", chain: "ethereum"), (id: "bnb-binance-coin", chain: "binance-smart-chain"),
        (id: "sol-solana", chain: "solana"),
    ]

    /// All contracts of a platform.
    package static func contracts(_ platform: String) -> ProviderRequest { ProviderRequest(["contracts", platform]) }
}
