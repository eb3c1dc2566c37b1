/// The contract of a token on a chain. Who has the same contract is the same coin, whatever it is called.
package struct Contract: Hashable, Sendable {
    /// The name of the chain, such as `ethereum`.
    package let chain: String
    /// The address; a hexadecimal one in lower case.
    package let address: String

    /// The maximum number of bytes of a name or an address.
    private static let maximumLength = 128

    /// Creates a contract; nil for what is not one.
    package init?(chain: String, address: String) {
        guard let chain = Self.plain(chain), let address = Self.plain(address) else { return nil }
        self.chain = chain
        self.address = Self.normalized(address)
    }

    /// Returns the address in the form that is compared: of a hexadecimal one the case of letters is only a checksum.
    package static func normalized(_ address: String) -> String {
        address.lowercased().hasPrefix("0x") ? address.lowercased() : address
    }

    /// Whether a word that a person types is an address of Ethereum and chains like it, and no id, symbol or name.
    package static func isAddress(_ word: String) -> Bool { (try? Address(word, checksum: .ignored)) != nil }

    private static func plain(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
        return isPlain && !text.isEmpty && text.utf8.count <= maximumLength ? text : nil
    }
}

/// A coin of a provider with one of its contracts.
package struct CoinContract: Hashable, Sendable {
    /// The id of the coin.
    package let id: String
    /// The symbol; empty if the provider does not say it.
    package let symbol: String
    /// The name; empty if the provider does not say it.
    package let name: String
    /// The contract.
    package let contract: Contract

    package init(id: String, symbol: String = "", name: String = "", contract: Contract) {
        self.id = id
        self.symbol = symbol
        self.name = name
        self.contract = contract
    }
}
