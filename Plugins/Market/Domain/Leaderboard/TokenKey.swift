/// A token across providers: an id, and the catalogue that the id is of.
///
/// Providers that share a catalogue share their ids. As text it is the bare id for CoinGecko's, such as `bitcoin`, and else
/// the id after the catalogue, such as `coinpaprika:btc-bitcoin`.
package struct TokenKey: Hashable, Sendable {
    /// A set of ids.
    package enum Catalogue: String, CaseIterable, Sendable { case coingecko, coinpaprika, demo }

    /// The catalogue.
    package let catalogue: Catalogue
    /// The id in it.
    package let id: String

    package init(_ catalogue: Catalogue, _ id: String) {
        self.catalogue = catalogue
        self.id = id
    }

    /// Parses the text of a key.
    package init(_ text: String) {
        if let colon = text.firstIndex(of: ":"), let catalogue = Catalogue(rawValue: String(text[..<colon])) {
            self.init(catalogue, String(text[text.index(after: colon)...]))
        } else {
            self.init(.coingecko, text)
        }
    }

    /// The key as text.
    package var text: String { catalogue == .coingecko ? id : "\(catalogue.rawValue):\(id)" }
}

extension Provider {
    /// The catalogue of the provider's ids; status-go has those of CoinGecko.
    package var catalogue: TokenKey.Catalogue {
        switch self {
        case .statusGo, .coingecko: .coingecko
        case .coinpaprika: .coinpaprika
        case .demo: .demo
        }
    }

    /// Returns the key of a token of this provider.
    package func key(_ id: String) -> TokenKey { TokenKey(catalogue, id) }
}
