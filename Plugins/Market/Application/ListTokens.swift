package import MarketDomain
import MarketKnownProviders
package import Storage

/// Which part of the board is wanted, and in which order.
package struct BoardQuery: Sendable {
    /// The words that names, symbols or ids have; none for all tokens.
    package var words: [String] = []
    /// The order of the rows.
    package var order = LeaderboardOrder(.rank)
    /// The number of rows before the first one.
    package var offset = 0
    /// The maximum number of rows.
    package var limit = Int.max
    /// The currency of prices.
    package var currency: Currency
    /// The only tokens that are wanted; nil for all.
    package var only: Set<TokenKey>?
    /// Whether nothing may go out.
    package var isOffline = false
    /// Whether prices are fetched although they are young.
    package var isForced = false

    package init(currency: Currency) { self.currency = currency }

    /// Whether it is a part of the list in the order of ranks.
    var isPlain: Bool { words.isEmpty && only == nil && order == LeaderboardOrder(.rank) }
}

/// A row of the board with its place.
package struct RankedRow: Sendable, Hashable {
    /// The number in the order of ranks, from 1, without gaps; nil for a token that is not on the board.
    package let number: Int?
    /// The key by which the token is stored and compared: that of the preferred provider if it is known there.
    package let key: TokenKey
    /// The token and its price.
    package let row: BoardRow
    /// The currency of its price.
    package let currency: Currency
    /// The source of its price.
    package let provider: Provider?

    /// Creates a row; without a `key`, that of the row is the one of the preferred provider.
    package init(number: Int?, key: TokenKey? = nil, row: BoardRow, currency: Currency, provider: Provider?) {
        self.number = number
        self.key = key ?? row.key
        self.row = row
        self.currency = currency
        self.provider = provider
    }
}

extension [RankedRow] {
    /// The time as of which the rows are shown: when the oldest of them was fetched, or the newest price of the provider if that
    /// lies before; nil without prices.
    package var shownAsOf: Instant? {
        [compactMap(\.row.seenAt).min(), compactMap(\.row.time).max()].compactMap(\.self).min()
    }
}

/// A part of the board.
package struct BoardView: Sendable {
    /// The rows.
    package let rows: [RankedRow]
    /// The number of rows of all parts.
    package let count: Int
    /// The number of tokens that the provider says it has; nil when it does not.
    package let total: Int?
    /// Whether the provider may have more tokens than are known.
    package let hasMore: Bool
    /// The source, and what stood in the way of a newer one.
    package internal(set) var origin: PriceOrigin
    /// The rows and fields of the last page that could not be read.
    package let unread: (rows: Int, fields: Int)
}

extension MarketPlugin {
    /// Returns a part of the board, after fetching what is too old.
    package func board(_ query: BoardQuery) async throws -> BoardView {
        // Filtered and otherwise sorted parts are of what is known, so one page is enough for them.
        let isPart = query.isPlain && query.limit < Int.max - query.offset
        let needed = isPart ? query.offset..<query.offset + query.limit : 0..<1
        let origin = try await refreshBoard(
            needed, in: query.currency, isOffline: query.isOffline, isForced: query.isForced)
        let view = try await store.read { try read(query, origin, $0) }
        // Their rows may be from pages that were read long ago.
        let old = view.rows.filter { !isYoung($0.row.seenAt) }.map(\.row.key)
        guard origin.isFresh, !origin.isOffline, let source = origin.source, !old.isEmpty,
            old.count <= source.provider.maximumPlaces, !source.provider.isPush
        else { return view }
        var refreshed = origin
        if let error = try await fetchTokens(old, source) {
            refreshed.failures.append(PriceOrigin.Failure(provider: source.provider, error: error))
        }
        let current = refreshed
        return try await store.read { try read(query, current, $0) }
    }

    /// Reads a part of the board as it is stored.
    func read(_ query: BoardQuery, _ origin: PriceOrigin, _ transaction: Transaction) throws -> BoardView {
        guard let source = origin.source else {
            return BoardView(rows: [], count: 0, total: nil, hasMore: false, origin: origin, unread: (0, 0))
        }
        let state = try transaction.sources().first { $0.source == source }
        let (part, count) =
            if query.isPlain {
                try plainRows(query, source, in: transaction)
            } else if query.words.isEmpty, query.only == nil, let field = query.order.column.field {
                try rows(query, by: field, source, in: transaction)
            } else {
                try orderedRows(query, source, in: transaction)
            }
        return BoardView(
            rows: part, count: count, total: state?.total, hasMore: !(state?.isComplete ?? true), origin: origin,
            unread: (state?.droppedRows ?? 0, state?.lostFields ?? 0))
    }

    private func rankedRow(
        _ number: Int?, _ row: BoardRow, _ source: PriceSource, _ transaction: Transaction
    ) throws -> RankedRow {
        RankedRow(
            number: number, key: try preferred(row.key, transaction), row: row, currency: source.currency,
            provider: source.provider)
    }

    private func plainRows(
        _ query: BoardQuery, _ source: PriceSource, in transaction: Transaction
    ) throws -> ([RankedRow], Int) {
        let rows = try transaction.places(of: source, offset: query.offset, limit: query.limit)
        let ranked = try zip((query.offset + 1)..., rows).map { try rankedRow($0, $1, source, transaction) }
        return (ranked, try transaction.placeCount(of: source))
    }

    /// The board by a number of prices: of all tokens only that number is read, and whole rows of the part alone.
    private func rows(
        _ query: BoardQuery, by field: Price.Field, _ source: PriceSource, in transaction: Transaction
    ) throws -> ([RankedRow], Int) {
        let values = try transaction.placeValues(field, of: source)
        let ordered = query.order.sorted(Array(values.indices), value: { values[$0].value })
        let part = ordered.dropFirst(query.offset).prefix(query.limit)
        let rows = try part.compactMap { index in
            try transaction.boardRows([TokenKey(values[index].token)], from: source).first.map { row in
                try rankedRow(index + 1, row, source, transaction)
            }
        }
        return (rows, values.count)
    }

    private func orderedRows(
        _ query: BoardQuery, _ source: PriceSource, in transaction: Transaction
    ) throws -> ([RankedRow], Int) {
        var ranked = try zip(1..., try transaction.places(of: source)).map {
            try rankedRow($0, $1, source, transaction)
        }
        if let only = query.only { ranked = ranked.filter { only.contains($0.key) } }
        if !query.words.isEmpty {
            let words = query.words.map { $0.lowercased() }
            ranked = ranked.filter { item in
                let text = [item.row.token.name, item.row.token.symbol, item.row.token.id].joined(separator: " ")
                    .lowercased()
                return words.allSatisfy { text.contains($0) }
            }
        }
        let sorted = query.order.sorted(ranked)
        return (Array(sorted.dropFirst(query.offset).prefix(query.limit)), sorted.count)
    }
}

extension LeaderboardOrder {
    /// Returns the rows in this order; `rows` are in the order of ranks.
    package func sorted(_ rows: [RankedRow]) -> [RankedRow] {
        switch column {
        case .rank: isDescending ? rows.reversed() : rows
        case .name: sorted(rows, text: { $0.row.token.name })
        case .symbol: sorted(rows, text: { $0.row.token.symbol })
        case .price, .change1h, .change24h, .change7d, .volume, .marketCap:
            sorted(rows, value: { item in column.field.flatMap { item.row.value($0) } })
        }
    }
}
