/// A small drawing of prices over some days: equally distant levels from 0, the lowest price, to 255, the highest.
package struct Sparkline: Hashable, Sendable {
    /// The number of levels that are kept: one for three hours of seven days.
    package static let count = 56

    /// The levels, the earliest first.
    package let levels: [UInt8]

    package init(levels: [UInt8]) { self.levels = levels }

    /// Creates the drawing of prices; nil without at least two.
    package init?(prices: [Double]) {
        let prices = prices.filter(\.isFinite)
        guard prices.count >= 2, let low = prices.min(), let high = prices.max() else { return nil }
        let (count, extent) = (min(Sparkline.count, prices.count), high - low)
        levels = (0..<count).map { index in
            let price = prices[(prices.count - 1) * index / (count - 1)]
            return extent > 0 ? UInt8(((price - low) / extent * 255).rounded()) : 128
        }
    }
}
