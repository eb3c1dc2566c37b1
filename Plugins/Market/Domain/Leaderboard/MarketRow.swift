/// A token with its price, as one row of a provider's answer.
package struct MarketRow: Hashable, Sendable {
    /// The token.
    package let token: Token
    /// The provider's rank; nil for coins that it does not rank, which are shown last.
    package let rank: Int?
    /// The price.
    package let price: Price
    /// The drawing of the last seven days; nil if it was not asked for.
    package let sparkline: Sparkline?

    package init(token: Token, rank: Int? = nil, price: Price, sparkline: Sparkline? = nil) {
        self.token = token
        self.rank = rank
        self.price = price
        self.sparkline = sparkline
    }
}

/// The rows of an answer, and what could not be read of it.
package struct MarketPage: Hashable, Sendable {
    /// The rows in the provider's order, each id once; of repeated ones the last.
    package let rows: [MarketRow]
    /// The number of rows that were sent, so that a short page is known as the last one.
    package let sentCount: Int
    /// The number of rows that could not be read.
    package let droppedRows: Int
    /// The number of fields that had a wrong type or a number out of range, in rows that were kept.
    package let lostFields: Int

    /// Creates a page; of rows with one id the last is kept.
    package init(rows: [MarketRow], sentCount: Int, droppedRows: Int, lostFields: Int) {
        var last: [String: Int] = [:]
        for (index, row) in rows.enumerated() { last[row.token.id] = index }
        self.rows =
            last.count == rows.count
            ? rows : rows.enumerated().filter { last[$0.element.token.id] == $0.offset }.map(\.element)
        self.sentCount = sentCount
        self.droppedRows = droppedRows
        self.lostFields = lostFields
    }
}
