/// What is known of the market: the order of tokens, their names and their prices, of one source.
///
/// Each token is stored once, and relations are ids. Tokens that left the board are forgotten unless they are needed elsewhere,
/// such as a watchlist.
package struct MarketState: Hashable, Sendable {
    /// The order of tokens.
    package private(set) var leaderboard = Leaderboard()
    /// The tokens by id.
    package private(set) var tokens: [String: Token] = [:]
    /// The prices of the board's source.
    package private(set) var prices: PriceTable

    /// Creates the state of a source of which nothing is known.
    package init(source: PriceTable.Source) { prices = PriceTable(source: source) }

    /// Stores a page of the board and returns the ids whose token or price changed; nil, and nothing is stored, if the page is
    /// of another source.
    /// - Parameter pinned: The ids that stay known when they leave the board.
    package mutating func store(
        _ page: LeaderboardFlow.Page, from source: PriceTable.Source, pinned: Set<String> = []
    ) -> Set<String>? {
        guard var changed = store(page.rows.rows, from: source) else { return nil }
        let gone = leaderboard.apply(
            page: page.page.number, size: page.page.size, ids: page.rows.rows.map(\.token.id), total: page.total,
            isLast: page.rows.sentCount < page.page.size)
        for id in gone.subtracting(pinned) { tokens[id] = nil }
        if !gone.isEmpty { prices.keep(Set(tokens.keys)) }
        changed.formUnion(gone)
        return changed
    }

    /// Stores rows of tokens wherever they are on the board, such as those of a watchlist.
    package mutating func store(_ rows: [MarketRow], from source: PriceTable.Source) -> Set<String>? {
        guard var changed = prices.merge(rows.map { ($0.token.id, $0.price) }, from: source) else { return nil }
        for row in rows where tokens[row.token.id] != row.token {
            tokens[row.token.id] = row.token
            changed.insert(row.token.id)
        }
        return changed
    }

    /// Stores prices of tokens that are known; those of others are ignored.
    package mutating func store(
        _ updates: [(id: String, price: Price)], from source: PriceTable.Source
    ) -> Set<String>? {
        prices.merge(updates.filter { tokens[$0.id] != nil }, from: source)
    }

    /// The tokens of the board in an order.
    package func ids(in order: LeaderboardOrder) -> [String] {
        order.sorted(leaderboard.ids, tokens: tokens, prices: prices.prices)
    }
}
