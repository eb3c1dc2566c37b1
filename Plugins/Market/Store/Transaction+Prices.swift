package import MarketDomain
import MarketKnownProviders
import SQLite
package import Storage

/// Tokens and their prices, each once.
extension Transaction {
    /// Stores rows of a provider and returns the keys of the tokens whose price changed. What is older than what is known
    /// changes nothing.
    ///
    /// A board says their ranks by their places.
    package func storeRows(
        _ rows: [MarketRow], from source: PriceSource, ofBoard isBoard: Bool = false
    ) throws -> Set<TokenKey> {
        var changed: Set<TokenKey> = []
        let arrivals = rows.map { row in
            Arrival(
                source.provider.key(row.token.id), token: row.token, rank: isBoard ? nil : row.rank, price: row.price,
                sparkline: row.sparkline)
        }
        try forEachKnown(arrivals, from: source) { arrival, known in
            if let token = arrival.token, !(known?.isSameToken ?? false) {
                try storeToken(token, arrival.key, rank: arrival.rank)
            }
            if try store(arrival, known, from: source) { changed.insert(arrival.key) }
        }
        return changed
    }

    /// Stores prices of tokens that are known; those of others are ignored. Returns the keys whose price changed.
    package func storePrices(
        _ updates: [(id: String, price: Price)], from source: PriceSource
    ) throws -> Set<TokenKey> {
        var changed: Set<TokenKey> = []
        let arrivals = updates.map { Arrival(source.provider.key($0.id), price: $0.price) }
        try forEachKnown(arrivals, from: source) { arrival, known in
            if let known, try store(arrival, known, from: source) { changed.insert(arrival.key) }
        }
        return changed
    }

    /// Stores what a search found, without prices.
    package func storeTokens(_ hits: [MarketDomain.SearchHit], of provider: Provider) throws {
        for hit in hits {
            let key = provider.key(hit.token.id)
            try storeToken(hit.token, key, rank: try hit.rank ?? token(key)?.rank)
        }
    }

    /// Stores a token; one that is stored like this already is not written again. The rank is kept while it has no place on a board.
    package func storeToken(_ token: Token, _ key: TokenKey, rank: Int?) throws {
        let folded = [token.name, token.symbol, token.id].joined(separator: " ").lowercased()
        try run(
            """
            INSERT INTO market_token (token, symbol, name, image, rank, folded) VALUES (
                ?1, ?2, ?3, ?4, iif(EXISTS (SELECT 1 FROM market_place WHERE token = ?1), NULL, ?5), ?6)
            ON CONFLICT (token) DO UPDATE SET symbol = excluded.symbol, name = excluded.name, image = excluded.image,
                rank = excluded.rank, folded = excluded.folded
            WHERE name <> excluded.name OR symbol <> excluded.symbol OR image IS NOT excluded.image
                OR rank IS NOT excluded.rank
            """, key.text, token.symbol, token.name, token.imageURL, rank, folded)
    }

    /// What arrived of a token.
    private struct Arrival {
        let key: TokenKey
        /// The key as text, by which the tables are sorted.
        let text: String
        let token: Token?
        let rank: Int?
        let price: StoredPrice?
        let sparkline: Sparkline?

        init(_ key: TokenKey, token: Token? = nil, rank: Int? = nil, price: Price, sparkline: Sparkline? = nil) {
            self.key = key
            text = key.text
            self.token = token
            self.rank = rank
            self.price = StoredPrice(price)
            self.sparkline = sparkline
        }
    }

    /// What is stored of a token, compared with what arrived.
    private struct Known {
        /// Whether the token is stored as it arrived.
        let isSameToken: Bool
        /// Whether the price is stored as it arrived.
        let isSamePrice: Bool
        /// The stored price, where the new one does not replace all of it.
        let old: StoredPrice?
    }

    /// Calls `body` with each arrival and what is stored then of its token, nil for one that is not known.
    ///
    /// They come in the order of the tables, so that each row is looked for and stored near the one before; those of one
    /// token in the order given.
    private func forEachKnown(
        _ arrivals: [Arrival], from source: PriceSource, _ body: (Arrival, Known?) throws -> Void
    ) throws {
        // Their places are sorted, as moving them costs more than moving numbers.
        let order = arrivals.indices.sorted { arrivals[$0].text < arrivals[$1].text }
        let arrivals = order.map { arrivals[$0] }
        var start = 0
        while start < arrivals.count {
            var end = start + 1
            // What comes again is compared with what the first arrival has become.
            while end < arrivals.count, arrivals[end].text != arrivals[end - 1].text { end += 1 }
            let known = try known(arrivals[start..<end], from: source)
            for place in start..<end { try body(arrivals[place], known[place - start]) }
            start = end
        }
    }

    /// Looks tokens up, all in one query. Texts are compared where they lie, as most are what they were.
    private func known(_ arrivals: ArraySlice<Arrival>, from source: PriceSource) throws -> [Known?] {
        var known = [Known?](repeating: nil, count: arrivals.count)
        var keys = JSONWriter()
        keys.array { keys in for arrival in arrivals { keys.value(arrival.text) } }
        try scan(
            """
            SELECT symbol, name, image, rank, time, mask, fields, key FROM json_each(?)
            CROSS JOIN market_token ON market_token.token = value
            LEFT JOIN market_price ON market_price.token = market_token.token AND provider = ? AND currency = ?
            """, keys.string, source.provider.rawValue, source.currency.code
        ) { row in
            let place = row.int(7)
            known[place] = Self.compare(arrivals[arrivals.startIndex + place], row)
            return true
        }
        return known
    }

    private static func compare(_ arrival: Arrival, _ row: borrowing Row) -> Known {
        var isSameToken = true
        if let token = arrival.token {
            isSameToken =
                row.isText(token.symbol, at: 0) && row.isText(token.name, at: 1) && row.isText(token.imageURL, at: 2)
                && (arrival.rank == nil || row.optionalInt(3) == arrival.rank)
        }
        guard let price = arrival.price, !row.isNull(4) else {
            return Known(isSameToken: isSameToken, isSamePrice: false, old: nil)
        }
        let (time, mask) = (Instant(milliseconds: Int64(row.int(4))), row.int(5))
        let isSame = row.isText(price.text, at: 6)
        let isReplaced = price.covers(mask, seen: time) || isSame && price.time == time && price.mask == mask
        return Known(
            isSameToken: isSameToken, isSamePrice: isSame,
            old: isReplaced ? nil : StoredPrice(time: time, text: row.text(6), mask: mask))
    }

    /// Stores a price, merged with the one that is known, and returns whether it is another one.
    private func store(_ arrival: Arrival, _ known: Known?, from source: PriceSource) throws -> Bool {
        guard let price = arrival.price else { return false }
        var (stored, isSame) = (price, known?.isSamePrice ?? false)
        if let old = known?.old {
            var merged = old.price
            merged.merge(price.price)
            stored = StoredPrice(merged) ?? price
            isSame = stored.text == old.text
        }
        try run(
            """
            INSERT INTO market_price (provider, currency, token, time, seen_at, mask, fields, sparkline)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (provider, currency, token) DO UPDATE SET time = excluded.time, seen_at = excluded.seen_at,
                mask = excluded.mask, fields = excluded.fields, sparkline = coalesce(excluded.sparkline, sparkline)
            """, source.provider.rawValue, source.currency.code, arrival.text, stored.time.milliseconds,
            now.milliseconds, stored.mask, stored.text, arrival.sparkline?.levels)
        return !isSame
    }

    /// Returns the rows of some tokens in their order; those that are not known are left out.
    package func boardRows(_ keys: [TokenKey], from source: PriceSource) throws -> [BoardRow] {
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
    package func pricedSources(in currency: Currency) throws -> [PriceSource] {
        try rows(
            "SELECT provider FROM market_price WHERE currency = ? GROUP BY provider ORDER BY max(seen_at) DESC",
            currency.code
        ) { Provider(rawValue: $0.text(0)) }.compactMap { provider in
            provider.map { PriceSource($0, currency) }
        }
    }

    /// The columns that a ``BoardRow`` is read from.
    static let rowColumns = "market_token.token, symbol, name, image, time, mask, fields, sparkline, seen_at"
}

extension BoardRow {
    /// Reads the columns of `Transaction.rowColumns`.
    init?(_ row: borrowing Row) {
        let key = TokenKey(row.text(0))
        let image = row.optionalText(3)
        guard let token = Token(id: key.id, symbol: row.text(1), name: row.text(2), imageURL: image) else { return nil }
        let price = row.optionalInt(4).map {
            StoredPrice(time: Instant(milliseconds: Int64($0)), text: row.text(6), mask: row.int(5))
        }
        self.init(
            key: key, token: token, price: price, sparkline: row.optionalBlob(7).map(Sparkline.init(levels:)),
            seenAt: row.optionalInt(8).map { Instant(milliseconds: Int64($0)) })
    }
}

extension Row {
    /// Whether a column has this text; nil is NULL.
    fileprivate func isText(_ text: String?, at column: Int) -> Bool {
        guard let text else { return isNull(column) }
        return withBytes(column) { $0.elementsEqual(text.utf8) } && !isNull(column)
    }
}
