package import BigInteger

/// An order of the rows of a board: by a column, stable, what is not known last in both directions.
package struct LeaderboardOrder: Hashable, Sendable {
    /// A column.
    package enum Column: String, CaseIterable, Sendable {
        case rank, name, symbol, price, change1h, change24h, change7d, volume, marketCap

        /// Whether the first order of the column is descending: large numbers are looked for, names are read from A.
        package var isDescendingAtFirst: Bool {
            switch self {
            case .rank, .name, .symbol: false
            case .price, .change1h, .change24h, .change7d, .volume, .marketCap: true
            }
        }

        /// The field of a price that the column shows; nil for columns that are not numbers of a price.
        package var field: Price.Field? {
            switch self {
            case .rank, .name, .symbol: nil
            case .price: .current
            case .change1h: .change1h
            case .change24h: .change24h
            case .change7d: .change7d
            case .volume: .volume24h
            case .marketCap: .marketCap
            }
        }
    }

    /// The column.
    package let column: Column
    /// Whether the greatest comes first.
    package let isDescending: Bool

    /// Creates an order; without a direction it is the column's first one.
    package init(_ column: Column, isDescending: Bool? = nil) {
        self.column = column
        self.isDescending = isDescending ?? column.isDescendingAtFirst
    }

    /// The order after a column was chosen: the same column is turned around.
    package func choosing(_ column: Column) -> LeaderboardOrder {
        column == self.column ? LeaderboardOrder(column, isDescending: !isDescending) : LeaderboardOrder(column)
    }

    /// Returns the ids in this order; `ids` are in the order of ranks.
    package func sorted(_ ids: [String], tokens: [String: Token], prices: [String: Price]) -> [String] {
        switch column {
        case .rank: return isDescending ? ids.reversed() : ids
        case .name, .symbol:
            return sorted(
                ids, by: { id in tokens[id].map { (column == .name ? $0.name : $0.symbol).lowercased() } })
        case .price, .change1h, .change24h, .change7d, .volume, .marketCap:
            return sorted(ids, value: { id in column.field.flatMap { prices[id]?.value($0) } })
        }
    }

    /// Returns the elements in this order by a number, what has none last; `elements` are in the order of ranks.
    package func sorted<Element>(_ elements: [Element], value: (Element) -> BigDecimal?) -> [Element] {
        sorted(elements, by: { value($0).map(SortKey.init) })
    }

    /// Returns the elements in this order by a text; `elements` are in the order of ranks.
    package func sorted<Element>(_ elements: [Element], text: (Element) -> String) -> [Element] {
        sorted(elements, by: { text($0).lowercased() })
    }

    private func sorted<Element, Key: Comparable>(_ elements: [Element], by key: (Element) -> Key?) -> [Element] {
        let keyed = elements.indices.map { (place: $0, key: key(elements[$0])) }
        // The sort of the standard library is stable, so equal keys keep the order of ranks.
        return keyed.sorted { left, right in
            guard let first = left.key else { return false }
            guard let second = right.key else { return true }
            return isDescending ? first > second : first < second
        }.map { elements[$0.place] }
    }
}

/// A number to sort by. The nearest `Double` is computed once; rounding keeps the order, so the exact value is asked only when
/// two are equal.
private struct SortKey: Comparable {
    let approximate: Double
    let exact: BigDecimal

    init(_ value: BigDecimal) {
        approximate = value.approximate
        exact = value
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        left.approximate == right.approximate ? left.exact < right.exact : left.approximate < right.approximate
    }
}
