package import BigInteger
package import MarketDomain
import MarketKnownProviders
import SQLite
package import Storage

/// What is known of the last fetch from a source.
package struct SourceState: Hashable, Sendable {
    /// The source.
    package let source: PriceSource
    /// When a page arrived last.
    package let fetchedAt: Instant
    /// The number of tokens that the provider says it has; nil when it does not.
    package let total: Int?
    /// Whether the last page was read.
    package let isComplete: Bool
    /// The number of rows of the last page that could not be read.
    package let droppedRows: Int
    /// The number of fields that could not be read, in rows that were kept.
    package let lostFields: Int
}

/// The order of tokens of each source. A token has one place: a newer page takes it from an older place, as in ``Leaderboard``.
extension Transaction {
    /// Stores a part of the board and returns the keys whose price changed.
    package func storeSlice(_ slice: BoardSlice, from source: PriceSource) throws -> Set<TokenKey> {
        let changed = try storeRows(slice.rows.rows, from: source, ofBoard: true)
        let (provider, currency) = (source.provider.rawValue, source.currency.code)
        let start = slice.places.lowerBound
        let ids = slice.rows.rows.prefix(slice.places.count).map { source.provider.key($0.token.id).text }
        let end = start + ids.count
        let limit = slice.isLast ? end : max(slice.total ?? Int.max, end)
        // Most tokens are where they were.
        let old = try Dictionary(
            uniqueKeysWithValues: rows(
                "SELECT place, token FROM market_place WHERE provider = ? AND currency = ? AND place >= ? AND place < ?",
                provider, currency, start, end
            ) { ($0.int(0), $0.text(1)) })
        let moved = zip(start..., ids).filter { old[$0] != $1 }
        try run(
            """
            DELETE FROM market_place WHERE provider = ? AND currency = ? AND (place >= ? AND place < ? OR place >= ?)
            """, provider, currency, end, slice.places.upperBound, limit)
        try move(moved, in: source)
        try run(
            """
            INSERT INTO market_source (provider, currency, fetched_at, total, is_complete, dropped_rows, lost_fields)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (provider, currency) DO UPDATE SET fetched_at = excluded.fetched_at,
                total = coalesce(excluded.total, total), is_complete = excluded.is_complete OR (market_source.is_complete AND EXISTS (
                    SELECT 1 FROM market_place WHERE market_place.provider = excluded.provider
                        AND market_place.currency = excluded.currency AND place >= ?)),
                dropped_rows = excluded.dropped_rows, lost_fields = excluded.lost_fields
            """, provider, currency, now.milliseconds, slice.total, slice.isLast, slice.rows.droppedRows,
            slice.rows.lostFields, end)
        return changed
    }

    /// The number of tokens whose places are known and whose prices were seen after a time: those that a part of the board
    /// has, or would have if it is the last, and of these the number of those that would lose their places with it.
    package func losses(
        by slice: BoardSlice, from source: PriceSource, seenAfter time: Instant
    ) throws -> (lost: Int, known: Int) {
        let end = slice.isLast ? Int.max : slice.places.upperBound
        let sent = Set(slice.rows.rows.map { source.provider.key($0.token.id).text })
        let known = try rows(
            """
            SELECT market_place.token FROM market_place JOIN market_price ON market_price.token = market_place.token
                AND market_price.provider = market_place.provider AND market_price.currency = market_place.currency
            WHERE market_place.provider = ? AND market_place.currency = ? AND place >= ? AND place < ? AND seen_at > ?
            """, source.provider.rawValue, source.currency.code, slice.places.lowerBound, end, time.milliseconds
        ) { $0.text(0) }
        let lost = slice.end < slice.places.upperBound || slice.isLast ? known.count { !sent.contains($0) } : 0
        return (lost, known.count)
    }

    /// Gives tokens their places, which they take from those that had them. A token has one place, so it leaves its old one.
    private func move(_ tokens: [(place: Int, token: String)], in source: PriceSource) throws {
        guard !tokens.isEmpty else { return }
        var places = JSONWriter()
        places.object { places in
            for (place, token) in tokens {
                places.name(String(place))
                places.value(token)
            }
        }
        let (provider, currency) = (source.provider.rawValue, source.currency.code)
        try run(
            """
            DELETE FROM market_place WHERE provider = ? AND currency = ? AND token IN (SELECT value FROM json_each(?))
            """, provider, currency, places.string)
        try run(
            """
            INSERT OR REPLACE INTO market_place (provider, currency, place, token)
            SELECT ?, ?, CAST(key AS INTEGER), value FROM json_each(?)
            """, provider, currency, places.string)
        try run(
            "UPDATE market_token SET rank = NULL WHERE rank IS NOT NULL AND token IN (SELECT value FROM json_each(?))",
            places.string)
    }

    /// Returns what is known of the sources, the one that was fetched last first.
    package func sources() throws -> [SourceState] {
        try rows(
            """
            SELECT provider, currency, fetched_at, total, is_complete, dropped_rows, lost_fields FROM market_source
            ORDER BY fetched_at DESC, provider
            """
        ) { row -> SourceState? in
            guard let provider = Provider(rawValue: row.text(0)), let currency = Currency(row.text(1)) else {
                return nil
            }
            return SourceState(
                source: PriceSource(provider, currency), fetchedAt: Instant(milliseconds: Int64(row.int(2))),
                total: row.optionalInt(3), isComplete: row.bool(4), droppedRows: row.int(5), lostFields: row.int(6))
        }.compactMap(\.self)
    }

    /// The number of tokens of the board.
    package func placeCount(of source: PriceSource) throws -> Int {
        try row(
            "SELECT count(*) FROM market_place WHERE provider = ? AND currency = ?", source.provider.rawValue,
            source.currency.code
        ) { $0.int(0) } ?? 0
    }

    /// Returns when the prices at some places were fetched, the oldest and the newest; nil when no place has a price.
    private func fetchTimes(
        of source: PriceSource, places: Range<Int>
    ) throws -> (oldest: Instant, newest: Instant)? {
        try row(
            """
            SELECT min(seen_at), max(seen_at) FROM market_place JOIN market_price ON market_price.token = market_place.token
                AND market_price.provider = market_place.provider AND market_price.currency = market_place.currency
            WHERE market_place.provider = ? AND market_place.currency = ? AND place >= ? AND place < ?
            """, source.provider.rawValue, source.currency.code, places.lowerBound, places.upperBound
        ) { row in
            row.optionalInt(0).map { oldest in
                (Instant(milliseconds: Int64(oldest)), Instant(milliseconds: Int64(row.int(1))))
            }
        } ?? nil
    }

    /// Returns when the oldest price at some places was fetched; nil when nothing is known of them. Places after the last
    /// token are never old.
    package func fetchTime(of places: Range<Int>, from source: PriceSource) throws -> Instant? {
        guard let state = try sources().first(where: { $0.source == source }) else { return nil }
        if let total = state.total, places.lowerBound >= max(total, 1) { return now }
        guard let times = try fetchTimes(of: source, places: places) else {
            return state.isComplete ? state.fetchedAt : nil
        }
        // A time that lies ahead was noted before the clock was set back.
        return times.newest > now ? nil : times.oldest
    }

    /// Returns a part of the board in the order of ranks.
    package func places(
        of source: PriceSource, offset: Int = 0, limit: Int = .max
    ) throws -> [BoardRow] {
        try rows(
            """
            SELECT \(Self.rowColumns) FROM market_place JOIN market_token ON market_token.token = market_place.token
            LEFT JOIN market_price ON market_price.token = market_place.token
                AND market_price.provider = market_place.provider AND market_price.currency = market_place.currency
            WHERE market_place.provider = ? AND market_place.currency = ? ORDER BY place LIMIT ? OFFSET ?
            """, source.provider.rawValue, source.currency.code, limit, offset
        ) { BoardRow($0) }.compactMap(\.self)
    }

    /// Returns one number of each token of the board in the order of ranks; nil where it is not known.
    package func placeValues(
        _ field: Price.Field, of source: PriceSource
    ) throws -> [(token: String, value: BigDecimal?)] {
        try rows(
            """
            SELECT market_place.token, mask, fields FROM market_place
            LEFT JOIN market_price ON market_price.token = market_place.token
                AND market_price.provider = market_place.provider AND market_price.currency = market_place.currency
            WHERE market_place.provider = ? AND market_place.currency = ? ORDER BY place
            """, source.provider.rawValue, source.currency.code
        ) { row in
            let mask = row.int(1)
            return (row.text(0), row.withBytes(2) { StoredPrice.value(field, in: $0, mask: mask) })
        }
    }

    /// Returns the rank on the board, from 1; nil for a token that is not on it.
    package func position(of key: TokenKey, on source: PriceSource) throws -> Int? {
        let (provider, currency) = (source.provider.rawValue, source.currency.code)
        guard
            let place = try row(
                "SELECT place FROM market_place WHERE provider = ? AND currency = ? AND token = ?", provider, currency,
                key.text, body: { $0.int(0) })
        else { return nil }
        return try row(
            "SELECT count(*) FROM market_place WHERE provider = ? AND currency = ? AND place <= ?", provider, currency,
            place
        ) { $0.int(0) }
    }
}
