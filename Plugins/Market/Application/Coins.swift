package import MarketDomain
import MarketKnownProviders
package import Storage

/// What a person says of the ids of coins.
extension MarketPlugin {
    /// Returns the ids that are known beside hub's own, by coin.
    package func coinIDs() async throws -> [CoinID] { try await store.read { try $0.coinIDs() } }

    /// How long the contracts of a catalogue are used before they are fetched again.
    private static var contractAge: Duration { .seconds(7 * 86_400) }
    /// The same of a program on this machine, whose calls are not counted, and which names only coins that its board has shown.
    private static var localContractAge: Duration { .seconds(3600) }

    /// Fetches the contracts of the providers' tokens, if the network may be used and they are old: one call of each provider that has
    /// such a list, a few of one that has a list for each chain. Those of status-go stand in for CoinGecko's where CoinGecko is not
    /// used.
    package func refreshContracts(isOffline: Bool) async throws {
        guard !isOffline, !self.isOffline else { return }
        for provider in health.available(now: clock.now) where provider != .demo {
            if provider.isPush,
                health.providers.contains(where: { $0 != provider && $0.catalogue == provider.catalogue })
            {
                continue
            }
            let last = try await store.read { try $0.lastContractFetch(provider) }
            let age = provider.isPush ? Self.localContractAge : Self.contractAge
            if let last, last <= clock.now, clock.now - last < age { continue }
            let gateway = try await gateways.gateway(provider)
            do throws(GatewayError) {
                let contracts = try await health.noting(provider, clock) { () async throws(GatewayError) in
                    try await gateway.contracts()
                }
                try? await storeContracts(
                    provider.isPush ? knownContracts(contracts, of: provider) : contracts, of: provider)
            } catch { log.info("no contracts of \(provider.rawValue): \(error.text(now: clock.now))") }
        }
    }

    /// The contracts whose id and symbol are those of a coin that is known: the lists of wallets also have ids of their own.
    private func knownContracts(_ contracts: [CoinContract], of provider: Provider) async throws -> [CoinContract] {
        try await store.read { transaction in
            try contracts.filter { one in
                try transaction.token(provider.key(one.id))?.token.symbol.lowercased() == one.symbol.lowercased()
            }
        }
    }

    /// Whether contracts are of use: a coin is named, and the providers have ids of several kinds.
    func needsContracts() async throws -> Bool {
        guard catalogues.filter({ $0 != .demo }).count > 1 else { return false }
        return try await store.read { try $0.namesCoins() }
    }

    /// Stores the contracts of a provider's tokens, with the time.
    func storeContracts(_ contracts: [CoinContract], of provider: Provider) async throws {
        try await store.write(Operation("market contracts", who: .service("market"), kind: .fetched)) { transaction in
            try transaction.storeContracts(contracts, of: provider.catalogue)
            try transaction.noteContractFetch(provider)
        }
    }

    /// Notes that two ids are of one coin, and returns hub's id of it: CoinGecko's if one of them is, and else the second one.
    package func linkCoins(_ first: TokenKey, _ second: TokenKey, operation: Operation) async throws -> TokenKey {
        guard first != second else {
            throw HubError(
                .usage, code: "same-id", "\(first.text) is one id", hint: "name two ids, such as those of two providers"
            )
        }
        return try await store.write(operation) { transaction in
            let isFirst = first.catalogue == .coingecko && second.catalogue != .coingecko
            let (key, other) = isFirst ? (second, first) : (first, second)
            _ = try transaction.unlink(other)
            let coin = try transaction.coin(of: other)
            guard coin != key else { return coin }
            try transaction.link(key, to: coin)
            try transaction.emit(coin: key, try transaction.token(coin)?.token.name)
            return coin
        }
    }

    /// Notes that an id is of a coin of its own; throws `not-linked` if it is.
    package func unlinkCoin(_ key: TokenKey, operation: Operation) async throws {
        try await store.write(operation) { transaction in
            guard try transaction.coin(of: key) != key else {
                throw HubError(
                    .notFound, code: "not-linked", "\(key.text) is not linked to another coin",
                    hint: "hub market coins lists the links")
            }
            try transaction.link(key, to: key)
            try transaction.emit(coin: key, try transaction.token(key)?.token.name)
        }
    }
}

extension Transaction {
    /// Publishes that the coin of an id changed.
    func emit(coin key: TokenKey, _ name: String?) throws {
        try emit(
            Event(MarketEvents.coinsChanged, subject: key.text) { body in
                body.name("name")
                body.value(name ?? key.text)
            })
    }
}
