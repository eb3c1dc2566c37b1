/// A source of prices.
package enum Provider: String, CaseIterable, Sendable {
    case statusGo = "status-go"
    case coingecko
    case coinpaprika
    case demo

    /// The line that names the source, shown near its prices.
    package var attribution: String {
        switch self {
        case .statusGo: "Data provided by status-go, from CoinGecko"
        case .coingecko: "Data provided by CoinGecko"
        case .coinpaprika: "Data provided by CoinPaprika"
        case .demo: "Demo data, not real prices"
        }
    }

    /// The page that the attribution links to; nil for invented data.
    package var url: String? {
        switch self {
        case .statusGo, .coingecko: "https://www.coingecko.com"
        case .coinpaprika: "https://coinpaprika.com"
        case .demo: nil
        }
    }

    /// Whether it sends changes by itself; the others are polled.
    package var isPush: Bool { self == .statusGo }
}
