import MarketDomain
import MarketKnownProviders
import Storage

/// The coins of what a wallet holds: a token is the coin that has its contract on its chain, whatever both are called.
extension MarketPlugin {
    /// Returns the coin of a token, or of the network itself, with its price; nil for one that is not known.
    func pricedCoin(of token: WalletToken?, on network: Network) async throws -> RankedRow? {
        guard let coin = try await coin(of: token, on: network) else { return nil }
        return try await prices(of: [coin], in: currency, isOffline: false).rows.first
    }

    private func coin(of token: WalletToken?, on network: Network) async throws -> KnownToken? {
        guard let token else {
            guard let key = network.coin else { return nil }
            return try await store.read { try $0.token(key) }
        }
        guard let chain = network.contractChain,
            let contract = Contract(chain: chain, address: token.address.checksummed)
        else { return nil }
        let catalogues = catalogues
        func known() async throws -> [KnownToken] {
            try await store.read { transaction in
                try catalogues.lazy.map { try transaction.tokens(withContract: contract, in: $0) }
                    .first { !$0.isEmpty } ?? []
            }
        }
        var found = try await known()
        if found.isEmpty {
            try await refreshContracts(isOffline: false)
            found = try await known()
        }
        // Two coins of one contract leave open which one it is.
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the tokens of a network that are contracts of the coins that a word names.
    func tokens(ofCoin word: String, among known: [WalletToken], on network: Network) async throws -> [WalletToken] {
        guard let chain = network.contractChain, let coins = try await self.known(word) else {
            return []
        }
        try await refreshContracts(isOffline: false)
        let addresses = try await store.read { transaction in
            Set(
                try coins.flatMap { try transaction.contracts(of: $0.key) }.filter { $0.chain == chain }
                    .map(\.address))
        }
        return known.filter { addresses.contains(Contract.normalized($0.address.checksummed)) }
    }
}
