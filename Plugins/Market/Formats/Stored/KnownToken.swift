/// A token that a text may mean.
package struct KnownToken: Hashable, Sendable {
    /// The key.
    package let key: TokenKey
    /// The token.
    package let token: Token
    /// The place on a board, from 1, or what a search said; nil for a token without either.
    package let rank: Int?

    package init(key: TokenKey, token: Token, rank: Int?) {
        self.key = key
        self.token = token
        self.rank = rank
    }

    /// The number of ranks by which a token must be ahead of all others of its symbol to be the one that is meant.
    fileprivate static let clearLead = 20

    /// The name and the symbol: `Bitcoin BTC`.
    package var label: String { "\(token.name) \(token.symbol)" }
}

extension [KnownToken] {
    /// The token that is meant by a word that several have, the best rank first: one whose rank is far ahead of the others. Nil
    /// when it is not clear.
    package var clearChoice: KnownToken? {
        guard count > 1 else { return first }
        guard let best = self[0].rank, self[1].rank.map({ $0 > KnownToken.clearLead * best }) ?? true else {
            return nil
        }
        return self[0]
    }
}
