import BigInteger

/// The rule by which the cost of what is sold is found.
package enum CostBasis: String, CaseIterable, Sendable {
    /// What was bought first is sold first.
    case fifo
    /// What was bought last is sold first.
    case lifo
    /// What cost most is sold first; of equal costs, what was bought first.
    case hifo
    /// Each token costs the average of all that are held.
    case average
    /// The share pools of the United Kingdom: purchases of the same day, then of the next 30 days, then the average.
    case pool

    /// The rule as views name it.
    package var name: String {
        switch self {
        case .average: "average"
        case .pool: "share pool"
        case .fifo, .lifo, .hifo: rawValue.uppercased()
        }
    }

    /// The digits after the point of an amount of money that comes out of a division, half up. What a division rounds away stays
    /// with the tokens that are still held, so the sum of all costs is exact.
    package static let fractionDigits = 24

    /// Returns the share `part` / `whole` of a sum, rounded to ``fractionDigits``; all of it when the parts are equal.
    static func share(of sum: BigDecimal, _ part: BigDecimal, of whole: BigDecimal) -> BigDecimal {
        guard part != whole else { return sum }
        return (sum * part).divided(by: whole, fractionDigits: fractionDigits) ?? sum
    }
}
