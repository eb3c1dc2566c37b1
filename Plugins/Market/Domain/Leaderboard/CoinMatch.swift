/// How it is known that two ids of providers are of one coin.
package enum CoinMatch: String, CaseIterable, Sendable {
    /// A person said so.
    case word
    /// They have a contract on the same chain at the same address.
    case contract
    /// One provider's id is the other's with the symbol before it.
    case id
    /// They are the only ones with both their name and their symbol.
    case name
}

/// A provider's id of a coin beside the one by which hub knows it.
package struct CoinID: Hashable, Sendable {
    /// The id that lists, trades and alerts have.
    package let coin: TokenKey
    /// The name of the coin; its id if nothing is known of it.
    package let name: String
    /// The other id.
    package let key: TokenKey
    /// How it is known that they are one coin.
    package let match: CoinMatch

    package init(coin: TokenKey, name: String, key: TokenKey, match: CoinMatch) {
        self.coin = coin
        self.name = name
        self.key = key
        self.match = match
    }
}
