package import BigInteger

/// A link that asks for a payment (EIP-681): `ethereum:0x…@1?value=2e18`, or `ethereum:TOKEN/transfer?address=0x…&uint256=1e6` for
/// a token.
package struct PaymentRequest: Hashable, Sendable {
    /// The reason why a text is not such a link.
    package enum Problem: Error, Hashable, Sendable {
        /// An address or a chain is wrong.
        case address(PrefixedAddress.Problem)
        /// It calls another function of a contract than its transfer.
        case function(String)
        /// A value is missing, or not a whole number of base units.
        case value(String)
        /// A parameter is there twice, or belongs to nothing that is known.
        case parameter(String)
    }

    /// Who is paid, with the chain.
    package let recipient: PrefixedAddress
    /// The contract of the token; nil for the network's own coin.
    package let token: Address?
    /// The amount in base units; nil if the payer chooses it.
    package let units: BigInteger?

    /// The parameters that name fees, which a wallet chooses itself.
    private static let fees: Set<String> = ["gas", "gasLimit", "gasPrice"]

    /// Whether a text is such a link, and not merely an address.
    package static func isLink(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("ethereum:") && (text.hasPrefix("ethereum:pay-") || text.contains { $0 == "?" || $0 == "/" })
    }

    /// Parses a link.
    package init(_ text: some StringProtocol, networks: NetworkList) throws(Problem) {
        let halves = text.dropFirst("ethereum:".count).split(
            separator: "?" as Character, maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves[0].split(separator: "/" as Character, maxSplits: 1, omittingEmptySubsequences: false)
        var parameters = try PaymentRequest.parameters(halves.dropFirst().first ?? "")
        let target = path[0].hasPrefix("pay-") ? path[0].dropFirst(4) : path[0]
        let payee = try PaymentRequest.address("ethereum:\(target)", networks)
        switch path.dropFirst().first {
        case nil:
            (recipient, token) = (payee, nil)
            units = try parameters.removeValue(forKey: "value").map { text throws(Problem) in
                try PaymentRequest.units("value", text)
            }
        case "transfer":
            guard let to = parameters.removeValue(forKey: "address") else { throw .value("address") }
            let address = try PaymentRequest.address("\(to)", networks)
            recipient = PrefixedAddress(
                chainIDs: payee.chainIDs, address: address.address, hasChecksum: address.hasChecksum)
            token = payee.address
            units = try parameters.removeValue(forKey: "uint256").map { text throws(Problem) in
                try PaymentRequest.units("uint256", text)
            }
        case let function?: throw .function(String(function.prefix(40)))
        }
        if let other = parameters.keys.sorted().first(where: { !PaymentRequest.fees.contains($0) }) {
            throw .parameter(other)
        }
    }

    private static func address(_ text: String, _ networks: NetworkList) throws(Problem) -> PrefixedAddress {
        do throws(PrefixedAddress.Problem) {
            return try PrefixedAddress(text, networks: networks)
        } catch {
            throw .address(error)
        }
    }

    private static func parameters(_ text: some StringProtocol) throws(Problem) -> [String: Substring] {
        var parameters: [String: Substring] = [:]
        for pair in String(text).prefix(4096).split(separator: "&" as Character) {
            let halves = pair.split(separator: "=" as Character, maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(halves[0].prefix(40))
            guard halves.count == 2, parameters[name] == nil else { throw .parameter(name) }
            parameters[name] = halves[1]
        }
        return parameters
    }

    /// A whole number such as `1000` or `2.5e18`.
    private static func units(_ name: String, _ text: Substring) throws(Problem) -> BigInteger {
        guard let number = BigDecimal(text, syntax: .json), !number.isNegative,
            let units = BigInteger(number.description)
        else { throw .value(name) }
        return units
    }
}
