/// A coin or token as a provider knows it.
package struct Token: Hashable, Sendable {
    /// The maximum length of an id in bytes.
    package static let maximumIDLength = 128

    /// The provider's id, such as `bitcoin`; ids of different providers differ. A symbol is not unique and never a key.
    package let id: String
    /// The symbol in upper case.
    package let symbol: String
    /// The name, without control characters.
    package let name: String
    /// The address of its picture; nil if the provider has none.
    package let imageURL: String?

    /// Creates a token from a provider's words, which are cleaned; nil without a usable id. A token without a name is called
    /// by its symbol, one without either by its id.
    package init?(id: String, symbol: String = "", name: String = "", imageURL: String? = nil) {
        guard (1...Token.maximumIDLength).contains(id.utf8.count), TokenLabel.cleaned(id) == id else { return nil }
        let symbol = TokenLabel.cleaned(symbol).uppercased()
        let name = TokenLabel.cleaned(name)
        self.id = id
        self.symbol = symbol.isEmpty ? id.uppercased() : String(symbol.prefix(32))
        self.name = name.isEmpty ? (symbol.isEmpty ? id : symbol) : name
        self.imageURL = imageURL.flatMap { $0.hasPrefix("https://") && $0.utf8.count <= 2048 ? $0 : nil }
    }
}
