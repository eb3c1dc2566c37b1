package import BigInteger
import Text

/// Percentages as people read them.
package enum PercentFormat {
    /// Where a change points, after rounding: 0.00 % is flat.
    package enum Direction: Sendable { case up, flat, down }

    /// Formats a change with its sign: `+1.24 %`, `-3.1 %`, and `0.00 %` for what rounds to nothing.
    package static func signed(_ percent: BigDecimal, fractionDigits: Int = 2) -> String {
        let text = NumberFormat.grouped(percent.magnitude.text(fractionDigits: fractionDigits))
        return switch direction(percent, fractionDigits: fractionDigits) {
        case .up: "+\(text) %"
        case .flat: "\(text) %"
        case .down: "-\(text) %"
        }
    }

    /// Formats a share or the size of a change: `87 %`.
    package static func unsigned(_ percent: BigDecimal, fractionDigits: Int = 2) -> String {
        NumberFormat.grouped(percent.magnitude.text(fractionDigits: fractionDigits)) + " %"
    }

    /// Returns where a change points.
    package static func direction(_ percent: BigDecimal, fractionDigits: Int = 2) -> Direction {
        let rounded = percent.rounded(fractionDigits: fractionDigits)
        return rounded.isZero ? .flat : rounded.isNegative ? .down : .up
    }
}
