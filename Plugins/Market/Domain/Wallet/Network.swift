import BigInteger

/// A chain that accounts and tokens are on.
package struct Network: Hashable, Sendable {
    /// The number of the chain (EIP-155).
    package let chainID: Int
    /// The name.
    package let name: String
    /// The prefix of addresses (EIP-3770), such as `eth`.
    package let shortName: String
    /// Earlier prefixes that are still read, such as `opt`.
    package let formerShortNames: [String]
    /// 1 for a chain of its own, 2 for one that settles on another.
    package let layer: Int
    /// Whether it is for tests, so that its coins have no value.
    package let isTest: Bool
    /// Whether the user works with it.
    package let isActive: Bool
    /// The symbol of its coin.
    package let nativeSymbol: String
    /// The number of decimals of its coin.
    package let nativeDecimals: Int
    /// The address of its explorer, without a slash at the end; nil if there is none.
    package let explorerURL: String?

    package init(
        chainID: Int, name: String, shortName: String, formerShortNames: [String] = [], layer: Int,
        isTest: Bool = false, isActive: Bool = true, nativeSymbol: String = "ETH", nativeDecimals: Int = 18,
        explorerURL: String? = nil
    ) {
        self.chainID = chainID
        self.name = name
        self.shortName = shortName
        self.formerShortNames = formerShortNames
        self.layer = layer
        self.isTest = isTest
        self.isActive = isActive
        self.nativeSymbol = nativeSymbol
        self.nativeDecimals = nativeDecimals
        self.explorerURL = explorerURL
    }
}

/// The networks that a backend knows.
package struct NetworkList: Hashable, Sendable {
    /// The networks in the backend's order; each chain once.
    package let networks: [Network]

    /// Creates a list; a chain that comes twice keeps its first place.
    package init(_ networks: [Network]) {
        var seen: Set<Int> = []
        self.networks = networks.filter { seen.insert($0.chainID).inserted }
    }

    /// The network with this chain id.
    package subscript(chainID: Int) -> Network? { networks.first { $0.chainID == chainID } }

    /// The networks of a layer.
    package func layer(_ layer: Int) -> [Network] { networks.filter { $0.layer == layer } }

    /// The networks that the user works with, main or test ones.
    package func active(isTest: Bool) -> [Network] { networks.filter { $0.isActive && $0.isTest == isTest } }

    /// Main and test networks apart.
    package var split: (main: [Network], test: [Network]) {
        (networks.filter { !$0.isTest }, networks.filter(\.isTest))
    }

    /// The network of an address prefix, current or former.
    package func network(shortName: some StringProtocol) -> Network? {
        networks.first { $0.shortName == shortName }
            ?? networks.first { $0.formerShortNames.contains(String(shortName)) }
    }
}
