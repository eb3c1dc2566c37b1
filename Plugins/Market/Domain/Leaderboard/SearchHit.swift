/// A token that a search found.
package struct SearchHit: Hashable, Sendable {
    /// The token.
    package let token: Token
    /// Its rank by market cap; nil for tokens without one.
    package let rank: Int?
    /// Its contracts, as far as the provider says.
    package let contracts: [Contract]

    package init(token: Token, rank: Int?, contracts: [Contract] = []) {
        self.token = token
        self.rank = rank
        self.contracts = contracts
    }
}
