/// A page of a size of its own that covers the visible rows, for backends that keep one page live.
package struct VisiblePage: Hashable, Sendable {
    /// The number of rows of a page.
    package let size: Int
    /// The number of the page, from 1.
    package let number: Int

    /// The maximum number of rows of a board.
    private static let maximumCount = 20_000

    package init(size: Int, number: Int) {
        self.size = size
        self.number = number
    }

    /// The smallest page that covers `count` rows from the row `first`, counted from 0; nil without rows.
    ///
    /// Page k of size s covers the rows when k·s ≤ first and first + count ≤ (k + 1)·s. So for each k the least size is known
    /// without a search, and a greater k never needs a greater size.
    package init?(first: Int, count: Int) {
        guard first >= 0, count > 0, first <= Self.maximumCount, count <= Self.maximumCount else { return nil }
        for index in stride(from: first / count, through: 0, by: -1) {
            let size = max(count, (first + count + index) / (index + 1))
            guard index * size <= first else { continue }
            self.init(size: size, number: index + 1)
            return
        }
        self.init(size: first + count, number: 1)
    }

    /// The rows that it covers, counted from 0.
    package var rows: Range<Int> { (number - 1) * size..<number * size }
}
