package import MarketDomain
import MarketKnownProviders
import SQLite
package import Storage

/// Looking up tokens.
extension Transaction {
    /// Returns a token by its key.
    package func token(_ key: TokenKey) throws -> KnownToken? { try known("token = ?", key.text).first }

    /// Returns the tokens that a word names, by the first rule that finds one: the id, the symbol, then the name. Those of
    /// `catalogue` are meant unless the word has another one; the best rank comes first.
    package func tokens(named word: String, in catalogue: TokenKey.Catalogue) throws -> [KnownToken] {
        let key = TokenKey(word)
        if key.text != word || key.catalogue != .coingecko { return try known("token = ?", key.text) }
        let exact = try known("token = ?", TokenKey(catalogue, word.lowercased()).text)
        if !exact.isEmpty { return exact }
        let symbols = try tokens(withSymbol: word, in: catalogue)
        if !symbols.isEmpty { return symbols }
        let name = word.lowercased()
        return try known("folded >= ? AND folded < ?", name + " ", name + "!").filter { found in
            let own = found.token.name.lowercased()
            return found.key.catalogue == catalogue
                && (own == name || catalogue == .demo && own == name + DemoMarket.mark)
        }
    }

    /// Returns the tokens of a catalogue with a symbol, the best rank first.
    package func tokens(withSymbol symbol: String, in catalogue: TokenKey.Catalogue) throws -> [KnownToken] {
        try known("symbol = ?", symbol.uppercased()).filter { $0.key.catalogue == catalogue }
    }

    /// Returns the tokens in whose name, symbol or id each word begins a word, the best rank first.
    package func tokens(matching words: [String], in catalogue: TokenKey.Catalogue, limit: Int) throws -> [KnownToken] {
        let wanted = words.map { $0.lowercased() }
        guard let first = wanted.first else { return [] }
        let prefix = catalogue == .coingecko ? "" : catalogue.rawValue + ":"
        return Array(
            try known("instr(folded, ?) > 0", first).filter { found in
                guard found.key.catalogue == catalogue, found.key.text.hasPrefix(prefix) else { return false }
                let parts = [found.token.name, found.token.symbol, found.token.id].flatMap {
                    $0.lowercased().split { !$0.isLetter && !$0.isNumber }
                }
                return wanted.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
            }.prefix(limit))
    }

    /// The rank of a token: its place on a board, the best one of several; what a search said of it while it is on none.
    private static let rankColumn = """
        coalesce((SELECT min(place) + 1 FROM market_place WHERE market_place.token = market_token.token), rank)
        """

    private func known(_ condition: String, _ arguments: any Bindable...) throws -> [KnownToken] {
        try rows(
            """
            SELECT token, symbol, name, image, \(Self.rankColumn) AS known_rank FROM market_token WHERE \(condition)
            ORDER BY known_rank IS NULL, known_rank, token
            """, arguments: arguments
        ) { row -> KnownToken? in
            let key = TokenKey(row.text(0))
            let token = Token(id: key.id, symbol: row.text(1), name: row.text(2), imageURL: row.optionalText(3))
            return token.map { KnownToken(key: key, token: $0, rank: row.optionalInt(4)) }
        }.compactMap(\.self)
    }
}
