package import HubKit
package import MarketDomain
import SQLite

/// Tokens and their prices, each once.
extension Transaction {
    /// Stores rows of a provider and returns the keys of the tokens whose price changed. What is older than what is known
    /// changes nothing.
    package func storeRows(_ rows: [MarketRow], from source: PriceTable.Source) throws -> Set<TokenKey> {
        var changed: Set<TokenKey> = []
        for row in rows {
            let key = source.provider.key(row.token.id)
            try storeToken(row.token, key, rank: row.rank)
            if try storePrice(row.price, of: key, from: source, sparkline: Sparkline(prices: row.sparkline)) {
                changed.insert(key)
            }
        }
        return changed
    }

    /// Stores prices of tokens that are known; those of others are ignored. Returns the keys whose price changed.
    package func storePrices(
        _ updates: [(id: String, price: Price)], from source: PriceTable.Source
    ) throws -> Set<TokenKey> {
        var changed: Set<TokenKey> = []
        for (id, price) in updates {
            let key = source.provider.key(id)
            guard try hasToken(key), try storePrice(price, of: key, from: source, sparkline: nil) else { continue }
            changed.insert(key)
        }
        return changed
    }

    /// Stores what a search found, without prices.
    package func storeTokens(_ hits: [MarketDomain.SearchHit], of provider: Provider) throws {
        for hit in hits { try storeToken(hit.token, provider.key(hit.token.id), rank: hit.rank) }
    }

    private func storeToken(_ token: Token, _ key: TokenKey, rank: Int?) throws {
        let folded = [token.name, token.symbol, token.id].joined(separator: " ").lowercased()
        // A row that says the same is not written again.
        try run(
            """
            INSERT INTO market_token (token, symbol, name, image, rank, folded) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (token) DO UPDATE SET symbol = excluded.symbol, name = excluded.name, image = excluded.image,
                rank = excluded.rank, folded = excluded.folded
            WHERE name <> excluded.name OR symbol <> excluded.symbol OR image IS NOT excluded.image
                OR rank IS NOT excluded.rank
            """, key.text, token.symbol, token.name, token.imageURL, rank, folded)
    }

    private func hasToken(_ key: TokenKey) throws -> Bool {
        try row("SELECT 1 FROM market_token WHERE token = ?", key.text) { _ in true } ?? false
    }

    private func storePrice(
        _ price: Price, of key: TokenKey, from source: PriceTable.Source, sparkline: Sparkline?
    ) throws -> Bool {
        guard var stored = StoredPrice(price) else { return false }
        let old = try storedPrice(of: key, from: source)
        if let old {
            if !stored.covers(old) {
                var merged = old.price
                merged.merge(price)
                stored = StoredPrice(merged) ?? stored
            }
        }
        try run(
            """
            INSERT INTO market_price (provider, currency, token, time, seen_at, mask, fields, sparkline)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (provider, currency, token) DO UPDATE SET time = excluded.time, seen_at = excluded.seen_at,
                mask = excluded.mask, fields = excluded.fields, sparkline = coalesce(excluded.sparkline, sparkline)
            """, source.provider.rawValue, source.currency.code, key.text, stored.time.milliseconds, now.milliseconds,
            stored.mask, stored.text, sparkline?.levels)
        return stored.text != old?.text
    }

    private func storedPrice(of key: TokenKey, from source: PriceTable.Source) throws -> StoredPrice? {
        try row(
            "SELECT time, mask, fields FROM market_price WHERE provider = ? AND currency = ? AND token = ?",
            source.provider.rawValue, source.currency.code, key.text
        ) { StoredPrice(time: Instant(milliseconds: Int64($0.int(0))), text: $0.text(2), mask: $0.int(1)) }
    }

    /// Returns the rows of some tokens in their order; those that are not known are left out.
    package func boardRows(_ keys: [TokenKey], from source: PriceTable.Source) throws -> [BoardRow] {
        try keys.compactMap { key in
            try row(
                """
                SELECT \(Self.rowColumns) FROM market_token LEFT JOIN market_price ON market_price.token = market_token.token
                    AND provider = ? AND currency = ? WHERE market_token.token = ?
                """, source.provider.rawValue, source.currency.code, key.text
            ) { BoardRow($0) } ?? nil
        }
    }

    /// Returns the sources with prices in a currency, the one with the latest price first.
    package func pricedSources(in currency: Currency) throws -> [PriceTable.Source] {
        try rows(
            "SELECT provider FROM market_price WHERE currency = ? GROUP BY provider ORDER BY max(seen_at) DESC",
            currency.code
        ) { Provider(rawValue: $0.text(0)) }.compactMap { provider in
            provider.map { PriceTable.Source($0, currency) }
        }
    }

    /// The columns that a ``BoardRow`` is read from.
    static let rowColumns = "market_token.token, symbol, name, image, rank, time, mask, fields, sparkline, seen_at"
}

extension BoardRow {
    /// Reads the columns of `Transaction.rowColumns`.
    init?(_ row: borrowing Row) {
        let key = TokenKey(row.text(0))
        let image = row.optionalText(3)
        guard let token = Token(id: key.id, symbol: row.text(1), name: row.text(2), imageURL: image) else { return nil }
        let price = row.optionalInt(5).map {
            StoredPrice(time: Instant(milliseconds: Int64($0)), text: row.text(7), mask: row.int(6))
        }
        self.init(
            key: key, token: token, rank: row.optionalInt(4), price: price,
            sparkline: row.optionalBlob(8).map(Sparkline.init(levels:)),
            seenAt: row.optionalInt(9).map { Instant(milliseconds: Int64($0)) })
    }
}
