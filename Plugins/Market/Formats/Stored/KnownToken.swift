/// A token that a text may mean.
package struct KnownToken: Hashable, Sendable {
    /// The key.
    package let key: TokenKey
    /// The token.
    package let token: Token
    /// The provider's rank; nil for coins that it does not rank.
    package let rank: Int?

    package init(key: TokenKey, token: Token, rank: Int?) {
        self.key = key
        self.token = token
        self.rank = rank
    }

    /// The name and the symbol: `Bitcoin BTC`.
    package var label: String { "\(token.name) \(token.symbol)" }
}
