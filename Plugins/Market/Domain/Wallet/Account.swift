/// An account of the wallet.
package struct Account: Hashable, Sendable {
    /// The address.
    package let address: Address
    /// The name.
    package let name: String
    /// The path of its key; nil for an account that is only watched.
    package let path: DerivationPath?

    package init(address: Address, name: String, path: DerivationPath?) {
        self.address = address
        self.name = name
        self.path = path
    }

    /// Whether its key is elsewhere, so that nothing can be sent from it.
    package var isWatchOnly: Bool { path == nil }
}

/// The path of a key in the tree of keys (BIP-32, BIP-44): `m/44'/60'/0'/0/n` for the accounts of Ethereum.
package struct DerivationPath: Hashable, Sendable, CustomStringConvertible {
    /// One step: a number below 2³¹, hardened or not.
    package struct Step: Hashable, Sendable {
        /// The number.
        package let index: UInt32
        /// Whether the child cannot be derived from a public key.
        package let isHardened: Bool

        package init(index: UInt32, isHardened: Bool) {
            self.index = index
            self.isHardened = isHardened
        }
    }

    /// The steps from the root.
    package let steps: [Step]

    /// The path of Ethereum's account `number`.
    package init(account number: UInt32) {
        steps = [(44, true), (60, true), (0, true), (0, false), (number & 0x7FFF_FFFF, false)].map {
            Step(index: $0.0, isHardened: $0.1)
        }
    }

    /// Parses a path; nil for anything else, and for more than 10 steps.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first == "m", parts.count <= 11 else { return nil }
        var steps: [Step] = []
        for part in parts.dropFirst() {
            let isHardened = part.last == "'"
            let digits = isHardened ? part.dropLast() : part
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = UInt32(digits),
                index < 1 << 31
            else { return nil }
            steps.append(Step(index: index, isHardened: isHardened))
        }
        self.steps = steps
    }

    /// The path as text.
    package var description: String {
        (["m"] + steps.map { "\($0.index)" + ($0.isHardened ? "'" : "") }).joined(separator: "/")
    }
}
