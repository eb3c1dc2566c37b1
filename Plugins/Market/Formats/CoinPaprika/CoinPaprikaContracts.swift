import JSON
package import MarketDomain

/// The answer of CoinPaprika's `/contracts/{platform}`: an array with the address and the id of each token.
package enum CoinPaprikaContracts {
    private static let keys = JSONKeys(["id", "address"])

    /// Decodes the contracts of a chain; rows without an id or an address are left out.
    package static func contracts(_ body: [UInt8], chain: String) throws(GatewayError) -> [CoinContract] {
        var found: [CoinContract] = []
        try WireReader.rows(body) { cursor throws(JSONCursor.Problem) in
            guard try cursor.begin(.object) else { return }
            var (id, address) = ("", "")
            while let index = try cursor.nextMember(keys) {
                switch index {
                case 0: id = try cursor.textOrEmpty()
                case 1: address = try cursor.textOrEmpty()
                default: try cursor.skip()
                }
            }
            guard !id.isEmpty, let contract = Contract(chain: chain, address: address) else { return }
            found.append(CoinContract(id: id, contract: contract))
        }
        return found
    }
}
