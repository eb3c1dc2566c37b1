package import MarketDomain

/// The providers that hub knows.
extension Provider: RawRepresentable, CaseIterable {
    /// A status-go on this computer.
    package static let statusGo = Provider(name: "status-go")
    /// CoinGecko, without a key or with one.
    package static let coingecko = Provider(name: "coingecko")
    /// CoinPaprika.
    package static let coinpaprika = Provider(name: "coinpaprika")
    /// Invented prices.
    package static let demo = Provider(name: "demo")

    /// All of them.
    package static let allCases = [statusGo, coingecko, coinpaprika, demo]

    /// The provider of a name; nil for one that hub does not know.
    package init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    /// The line that names the source, shown near its prices.
    package var attribution: String {
        switch self {
        case .statusGo: "Data provided by status-go, from CoinGecko"
        case .coingecko: "Data provided by CoinGecko"
        case .coinpaprika: "Data provided by CoinPaprika"
        default: "Demo data, not real prices"
        }
    }

    /// The page that the attribution links to; nil for invented data.
    package var url: String? {
        switch self {
        case .statusGo, .coingecko: "https://www.coingecko.com"
        case .coinpaprika: "https://coinpaprika.com"
        default: nil
        }
    }

    /// Whether it sends changes by itself; the others are polled.
    package var isPush: Bool { self == .statusGo }

    /// The catalogue of the provider's ids; status-go has those of CoinGecko.
    package var catalogue: TokenKey.Catalogue {
        switch self {
        case .statusGo, .coingecko: .coingecko
        case .coinpaprika: .coinpaprika
        default: .demo
        }
    }

    /// Returns the key of a token of this provider.
    package func key(_ id: String) -> TokenKey { TokenKey(catalogue, id) }
}

/// The catalogues that hub knows.
extension TokenKey.Catalogue: CaseIterable {
    /// The ids of CoinGecko.
    package static let coingecko = TokenKey.Catalogue(name: "coingecko")
    /// The ids of CoinPaprika.
    package static let coinpaprika = TokenKey.Catalogue(name: "coinpaprika")
    /// The ids of invented tokens.
    package static let demo = TokenKey.Catalogue(name: "demo")

    /// All of them.
    package static let allCases = [coingecko, coinpaprika, demo]
}

/// Keys as text: the bare id for CoinGecko's, such as `bitcoin`, and else the id after the catalogue, such as
/// `coinpaprika:btc-bitcoin`.
extension TokenKey {
    /// Parses the text of a key.
    package init(_ text: String) {
        if let colon = text.firstIndex(of: ":"),
            let catalogue = Catalogue.allCases.first(where: { $0.rawValue == text[..<colon] })
        {
            self.init(catalogue, String(text[text.index(after: colon)...]))
        } else {
            self.init(.coingecko, text)
        }
    }

    /// The key as text.
    package var text: String { catalogue == .coingecko ? id : "\(catalogue.rawValue):\(id)" }

    /// The id that a coin has in another catalogue if the ids of both are made of the same words: CoinPaprika's is
    /// CoinGecko's with the symbol before it. Nil where they are not.
    package func spelled(in other: Catalogue, symbol: String) -> TokenKey? {
        let prefix = symbol.lowercased() + "-"
        if catalogue == .coingecko, other == .coinpaprika { return TokenKey(.coinpaprika, prefix + id) }
        guard catalogue == .coinpaprika, other == .coingecko, id.hasPrefix(prefix), id.utf8.count > prefix.utf8.count
        else { return nil }
        return TokenKey(.coingecko, String(id.dropFirst(prefix.count)))
    }
}
