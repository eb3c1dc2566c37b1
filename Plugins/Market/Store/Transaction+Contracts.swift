package import MarketDomain
import MarketKnownProviders
import SQLite
package import Storage

/// The contracts of tokens.
extension Transaction {
    /// Stores all contracts of a catalogue in the place of those that were known; an empty list changes nothing.
    package func storeContracts(_ contracts: [CoinContract], of catalogue: TokenKey.Catalogue) throws {
        guard !contracts.isEmpty else { return }
        if catalogue == .coingecko {
            try run("DELETE FROM market_contract WHERE instr(token, ':') = 0")
        } else {
            let prefix = TokenKey(catalogue, "").text
            try run("DELETE FROM market_contract WHERE substr(token, 1, ?) = ?", prefix.count, prefix)
        }
        for one in contracts {
            try run(
                "INSERT OR IGNORE INTO market_contract (token, chain, address, symbol, name) VALUES (?, ?, ?, ?, ?)",
                TokenKey(catalogue, one.id).text, one.contract.chain, one.contract.address, one.symbol, one.name)
        }
        try dropMatchesAgainstContracts()
        for catalogue in TokenKey.Catalogue.allCases where catalogue != .demo { try keepMatches(in: catalogue) }
    }

    /// Forgets what was found by an id or a name where a contract says otherwise.
    private func dropMatchesAgainstContracts() throws {
        let weaker = try rows("SELECT token, coin FROM market_match WHERE rule <> 'contract'") {
            (token: TokenKey($0.text(0)), coin: TokenKey($0.text(1)))
        }
        for match in weaker {
            let coins = try contractMatches(of: match.token, in: match.coin.catalogue)
            let tokens = try contractMatches(of: match.coin, in: match.token.catalogue)
            guard !coins.isEmpty || !tokens.isEmpty, !coins.contains(match.coin) else { continue }
            try run("DELETE FROM market_match WHERE token = ?", match.token.text)
        }
    }

    /// Returns the ids of another catalogue that have a contract in common with an id.
    func contractMatches(of key: TokenKey, in catalogue: TokenKey.Catalogue) throws -> [TokenKey] {
        try rows(
            """
            SELECT DISTINCT other.token FROM market_contract AS own JOIN market_contract AS other
            ON other.address = own.address AND other.chain = own.chain WHERE own.token = ?1 AND other.token <> ?1
            ORDER BY other.token
            """, key.text
        ) { TokenKey($0.text(0)) }.filter { $0.catalogue == catalogue }
    }

    /// Whether two ids have contracts on a chain, and none in common there.
    func hasOtherContract(_ key: TokenKey, _ other: TokenKey) throws -> Bool {
        let (own, others) = (try contracts(of: key), try contracts(of: other))
        let chains = Set(own.map(\.chain)).intersection(others.map(\.chain))
        return !chains.isEmpty && Set(own).isDisjoint(with: others)
    }

    /// Returns the contracts of an id.
    package func contracts(of key: TokenKey) throws -> [Contract] {
        try rows("SELECT chain, address FROM market_contract WHERE token = ?", key.text) {
            Contract(chain: $0.text(0), address: $0.text(1))
        }.compactMap(\.self)
    }

    /// Returns the tokens of a catalogue that have a contract at an address, on any chain.
    package func tokens(atAddress address: String, in catalogue: TokenKey.Catalogue) throws -> [KnownToken] {
        try tokens("address = ?", Contract.normalized(address), in: catalogue)
    }

    /// Returns the tokens of a catalogue that have a contract.
    package func tokens(withContract contract: Contract, in catalogue: TokenKey.Catalogue) throws -> [KnownToken] {
        try tokens("address = ? AND chain = ?", contract.address, contract.chain, in: catalogue)
    }

    private func tokens(
        _ condition: String, _ arguments: any Bindable..., in catalogue: TokenKey.Catalogue
    ) throws -> [KnownToken] {
        let found = try rows(
            "SELECT token, symbol, name FROM market_contract WHERE \(condition) ORDER BY token", arguments: arguments
        ) { (key: TokenKey($0.text(0)), symbol: $0.text(1), name: $0.text(2)) }
        var tokens: [KnownToken] = []
        for one in found where one.key.catalogue == catalogue && !tokens.contains(where: { $0.key == one.key }) {
            if let known = try token(one.key) {
                tokens.append(known)
            } else if let token = Token(id: one.key.id, symbol: one.symbol, name: one.name), !one.symbol.isEmpty {
                tokens.append(KnownToken(key: one.key, token: token, rank: nil))
            }
        }
        return tokens
    }

    // The name of a provider with a catalogue of its own is that of the catalogue; status-go shares one.

    /// The time of the last attempt to fetch the contracts of a provider; nil for none.
    package func lastContractFetch(_ provider: Provider) throws -> Instant? {
        try row("SELECT tried_at FROM market_contract_fetch WHERE catalogue = ?", provider.rawValue) {
            Instant(milliseconds: Int64($0.int(0)))
        }
    }

    /// Notes an attempt to fetch the contracts of a provider.
    package func noteContractFetch(_ provider: Provider) throws {
        try run(
            """
            INSERT INTO market_contract_fetch (catalogue, tried_at) VALUES (?1, ?2)
            ON CONFLICT (catalogue) DO UPDATE SET tried_at = ?2
            """, provider.rawValue, now.milliseconds)
    }
}
