/// A token of a network, as a wallet knows it: a contract with an address, whose amounts are in base units of 10^-decimals.
package struct WalletToken: Hashable, Sendable {
    /// The chain id of the network.
    package let chainID: Int
    /// The address of the contract.
    package let address: Address
    /// The symbol, which other tokens may have too.
    package let symbol: String
    /// The name.
    package let name: String
    /// The number of decimals, from 0 to 255.
    package let decimals: Int

    package init(chainID: Int, address: Address, symbol: String, name: String, decimals: Int) {
        self.chainID = chainID
        self.address = address
        self.symbol = symbol
        self.name = name
        self.decimals = decimals
    }

    /// Returns the tokens that a word names: the one with this address, or those with this symbol.
    package static func named(_ word: String, in tokens: [WalletToken]) -> [WalletToken] {
        if let address = try? Address(word, checksum: .ignored) { return tokens.filter { $0.address == address } }
        return tokens.filter { $0.symbol.lowercased() == word.lowercased() }
    }
}
