/// An address with the chains that it is meant for: `eth:oeth:0x…` (EIP-3770), or `ethereum:0x…@1` (EIP-681), which MetaMask
/// writes as `ethereum:0x…@0x1`.
package struct PrefixedAddress: Hashable, Sendable {
    /// The reason why a text is not such an address.
    package enum Problem: Error, Hashable, Sendable {
        /// The address itself is wrong.
        case address(Address.Problem)
        /// No network has this prefix.
        case unknownPrefix(String)
        /// No network has this chain id.
        case unknownChain(String)
        /// More prefixes than there are networks.
        case tooManyPrefixes
    }

    /// The chain ids in the order of the prefixes, each once; none for a bare address.
    package let chainIDs: [Int]
    /// The address.
    package let address: Address
    /// Whether the spelling of the address is its checksum, so that a wrong letter would have been noticed.
    package let hasChecksum: Bool

    package init(chainIDs: [Int], address: Address, hasChecksum: Bool = true) {
        self.chainIDs = chainIDs
        self.address = address
        self.hasChecksum = hasChecksum
    }

    /// Parses either form, with prefixes of the networks in `list`.
    package init(
        _ text: some StringProtocol, networks list: NetworkList, checksum: Address.ChecksumPolicy = .ifPresent
    ) throws(Problem) {
        var parts = String(text).split(separator: ":" as Character, omittingEmptySubsequences: false).map(String.init)
        let last = parts.removeLast()
        var chainIDs: [Int] = []
        func add(_ network: Network) { if !chainIDs.contains(network.chainID) { chainIDs.append(network.chainID) } }
        if parts == ["ethereum"] {
            let halves = last.split(separator: "@" as Character, maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            let chains = halves.dropFirst().first?.split(separator: "|" as Character, omittingEmptySubsequences: false)
            for chain in chains ?? [] {
                let isHexadecimal = chain.hasPrefix("0x")
                guard chain.count <= 18, chain.first?.isHexDigit ?? false,
                    let id = Int(isHexadecimal ? chain.dropFirst(2) : chain, radix: isHexadecimal ? 16 : 10),
                    let network = list[id]
                else { throw .unknownChain(String(chain.prefix(20))) }
                add(network)
            }
            self.chainIDs = chainIDs
            (address, hasChecksum) = try PrefixedAddress.address(halves[0], checksum)
            return
        }
        guard parts.count <= 2 * list.networks.count else { throw .tooManyPrefixes }
        for part in parts {
            guard let network = list.network(shortName: part) else { throw .unknownPrefix(String(part.prefix(20))) }
            add(network)
        }
        self.chainIDs = chainIDs
        (address, hasChecksum) = try PrefixedAddress.address(last, checksum)
    }

    private static func address(
        _ text: String, _ checksum: Address.ChecksumPolicy
    ) throws(Problem) -> (Address, hasChecksum: Bool) {
        do throws(Address.Problem) {
            let address = try Address(text, checksum: checksum)
            return (address, address.checksummed.dropFirst(2) == text.dropFirst(2))
        } catch {
            throw .address(error)
        }
    }

    /// Returns the address after the prefixes of its networks: `eth:oeth:0x…`.
    package func text(networks list: NetworkList) -> String {
        (chainIDs.compactMap { list[$0]?.shortName } + [address.checksummed]).joined(separator: ":")
    }
}
