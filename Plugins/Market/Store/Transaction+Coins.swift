package import MarketDomain
import MarketKnownProviders
import SQLite
package import Storage

/// One coin, one id: hub's own, with the ids of providers beside it.
///
/// hub's id of a coin is that of CoinGecko where it is known, and else the first one that hub met. What a person says of two
/// ids is a fact of `market_link`, with history and undo. What hub found out itself is kept in `market_match`, so that it
/// stays true when a provider gives a second coin the same name.
extension Transaction {
    /// Returns hub's id of the coin that a provider's id is of.
    package func coin(of key: TokenKey) throws -> TokenKey {
        if let known = try knownCoin(of: key) { return known }
        return try match(of: key, in: .coingecko)?.key ?? key
    }

    /// Returns the id of the same coin in another catalogue; nil when it is not known to have one.
    package func counterpart(of key: TokenKey, in catalogue: TokenKey.Catalogue) throws -> TokenKey? {
        let coin = try coin(of: key)
        if coin.catalogue == catalogue { return coin }
        if let known = try keys(of: coin).first(where: { $0.catalogue == catalogue }) { return known }
        if key.catalogue == catalogue { return key }
        return try match(of: coin, in: catalogue)?.key
    }

    /// Keeps what is known of the coins of lists, trades and alerts: each gets its id in this catalogue as soon as there is one.
    package func keepMatches(in catalogue: TokenKey.Catalogue) throws {
        let used = try rows(Self.usedTokens) { TokenKey($0.text(0)) }
        for key in used where key.catalogue != catalogue {
            let coin = try knownCoin(of: key) ?? key
            guard coin.catalogue != catalogue, try !keys(of: coin).contains(where: { $0.catalogue == catalogue }),
                let found = try match(of: coin, in: catalogue)
            else { continue }
            // hub's id is that of CoinGecko, whichever of the two came first.
            let (own, other) = catalogue == .coingecko ? (found.key, coin) : (coin, found.key)
            try run(
                "INSERT OR IGNORE INTO market_match (token, coin, rule) VALUES (?, ?, ?)", other.text, own.text,
                found.match.rawValue)
        }
    }

    /// Whether a list, a trade or an alert names a coin.
    package func namesCoins() throws -> Bool {
        try row("SELECT EXISTS (\(Self.usedTokens))") { $0.bool(0) } ?? false
    }

    private static let usedTokens = """
        SELECT token FROM market_watch UNION SELECT token FROM market_alert UNION SELECT token FROM market_trade
        UNION SELECT received_token FROM market_trade WHERE received_token IS NOT NULL
        UNION SELECT fee_token FROM market_trade WHERE fee_token IS NOT NULL
        """

    /// Notes that a person says that an id is of a coin. An id that is linked to itself is one of its own.
    package func link(_ key: TokenKey, to coin: TokenKey) throws {
        try run(
            """
            INSERT INTO market_link (token, coin) VALUES (?, ?)
            ON CONFLICT (token) DO UPDATE SET coin = excluded.coin WHERE coin <> excluded.coin
            """, key.text, coin.text)
        try run("UPDATE market_link SET coin = ? WHERE coin = ? AND token <> ?", coin.text, key.text, coin.text)
    }

    /// Forgets what a person said of an id, and returns whether there was something.
    package func unlink(_ key: TokenKey) throws -> Bool {
        guard try row("SELECT 1 FROM market_link WHERE token = ?", key.text, body: { _ in true }) ?? false else {
            return false
        }
        try run("DELETE FROM market_link WHERE token = ?", key.text)
        return true
    }

    /// Returns the ids that are known beside hub's own, by coin.
    package func coinIDs() throws -> [CoinID] {
        try rows(
            """
            SELECT coin, own.token, rule, name FROM (
                SELECT coin, token, 'word' AS rule FROM market_link WHERE coin <> token
                UNION ALL SELECT coin, token, rule FROM market_match WHERE token NOT IN (SELECT token FROM market_link)
            ) AS own LEFT JOIN market_token ON market_token.token = coin ORDER BY coin, own.token
            """
        ) { row -> CoinID? in
            CoinMatch(rawValue: row.text(2)).map { match in
                CoinID(
                    coin: TokenKey(row.text(0)), name: row.optionalText(3) ?? row.text(0), key: TokenKey(row.text(1)),
                    match: match)
            }
        }.compactMap(\.self)
    }

    /// hub's id as it is stored; a link of a person counts before all else.
    private func knownCoin(of key: TokenKey) throws -> TokenKey? {
        try row(
            """
            SELECT coin FROM market_link WHERE token = ?1
            UNION ALL SELECT coalesce((SELECT coin FROM market_link WHERE token = market_match.coin), coin)
            FROM market_match WHERE token = ?1 LIMIT 1
            """, key.text
        ) { TokenKey($0.text(0)) }
    }

    /// The other ids of a coin as they are stored, those that a person named first.
    private func keys(of coin: TokenKey) throws -> [TokenKey] {
        try rows(
            """
            SELECT token FROM market_link WHERE coin = ?1 AND token <> ?1
            UNION ALL SELECT token FROM market_match WHERE coin = ?1 AND token NOT IN (SELECT token FROM market_link)
            """, coin.text
        ) { TokenKey($0.text(0)) }
    }

    /// The id of the same coin in another catalogue, by what is known of both. A symbol alone is never enough.
    private func match(of key: TokenKey, in catalogue: TokenKey.Catalogue) throws -> (key: TokenKey, match: CoinMatch)?
    {
        guard key.catalogue != catalogue, key.catalogue != .demo, catalogue != .demo, try !isLinked(key) else {
            return nil
        }
        // A contract says more than any word.
        let byContract = try contractMatches(of: key, in: catalogue).filter { try !isLinked($0) }
        if let other = byContract.first { return byContract.count == 1 ? (other, .contract) : nil }
        guard let token = try token(key)?.token else { return nil }
        if let other = key.spelled(in: catalogue, symbol: token.symbol),
            try self.token(other)?.token.symbol == token.symbol, try !isLinked(other)
        {
            return (other, .id)
        }
        func named(_ wanted: TokenKey.Catalogue) throws -> [TokenKey] {
            try tokens(withSymbol: token.symbol, in: wanted).filter {
                $0.token.name.lowercased() == token.name.lowercased()
            }.map(\.key)
        }
        let (here, there) = (try named(key.catalogue), try named(catalogue))
        guard here.count == 1, there.count == 1, try !isLinked(there[0]), try !hasOtherContract(key, there[0])
        else { return nil }
        return (there[0], .name)
    }

    /// Whether a person said of which coin an id is.
    private func isLinked(_ key: TokenKey) throws -> Bool {
        try row("SELECT 1 FROM market_link WHERE token = ?", key.text) { _ in true } ?? false
    }
}
