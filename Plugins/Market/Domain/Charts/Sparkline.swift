/// A small drawing of prices over some days: equally distant levels from 0, the lowest price, to 255, the highest.
package struct Sparkline: Hashable, Sendable {
    /// The number of levels that are kept: one for three hours of seven days.
    package static let count = 56

    /// The levels, the earliest first.
    package let levels: [UInt8]

    package init(levels: [UInt8]) { self.levels = levels }

    /// The places of the prices that are kept of `count` equally distant ones: all of a few, else the first, the last and those
    /// between them that are as far apart as possible.
    package static func kept(of count: Int) -> [Int] {
        let kept = min(Sparkline.count, count)
        return kept < 2 ? Array(0..<kept) : (0..<kept).map { (count - 1) * $0 / (kept - 1) }
    }

    /// Creates the drawing of prices; nil without at least two.
    package init?(prices: [Double]) {
        let all = prices.filter(\.isFinite)
        self.init(kept: Sparkline.kept(of: all.count).map { all[$0] })
    }

    /// Creates the drawing of prices of which all are kept; nil without at least two. Those that are not finite are left out.
    package init?(kept: [Double]) {
        var (low, high, count) = (Double.infinity, -Double.infinity, 0)
        for price in kept where price.isFinite { (low, high, count) = (min(low, price), max(high, price), count + 1) }
        guard count >= 2 else { return nil }
        // Halves, since the distance of two prices may be greater than any number.
        let extent = high / 2 - low / 2
        var levels: [UInt8] = []
        levels.reserveCapacity(count)
        for price in kept where price.isFinite {
            // The nearest level, as what is not negative is cut off downwards.
            levels.append(extent > 0 ? UInt8((price / 2 - low / 2) / extent * 255 + 0.5) : 128)
        }
        self.levels = levels
    }
}
