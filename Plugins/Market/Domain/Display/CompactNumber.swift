package import BigInteger
import Text

/// Large numbers with a suffix for thousands (K), millions (M), billions (B) and trillions (T), rounded once.
package enum CompactNumber {
    /// How many digits are kept.
    package enum Precision: Hashable, Sendable {
        /// At most this many digits after the point.
        case fraction(Int)
        /// At most this many digits in all, and none of the whole part is lost.
        case significant(Int)
    }

    private static let suffixes = ["", "K", "M", "B", "T"]

    /// Formats a number: `14.2K`, or `376.6 B` with a separator of a blank. Zeros at the end of the fraction are left out;
    /// with `.fraction`, what is below 1,000 keeps all its digits.
    package static func text(
        _ value: BigDecimal, _ precision: Precision = .fraction(1), separator: String = ""
    ) -> String {
        let magnitude = value.magnitude
        guard let exponent = magnitude.leadingExponent else { return "0" }
        var unit = min(max(exponent, 0) / 3, suffixes.count - 1)
        var number = rounded(magnitude, unit: unit, precision)
        // 999,999 is 1M, not 1000K.
        if number >= 1000, unit < suffixes.count - 1 {
            unit += 1
            number = rounded(magnitude, unit: unit, precision)
        }
        let sign = value.isNegative && !number.isZero ? "-" : ""
        return sign + NumberFormat.grouped(number.description) + (unit > 0 ? separator + suffixes[unit] : "")
    }

    private static func rounded(_ magnitude: BigDecimal, unit: Int, _ precision: Precision) -> BigDecimal {
        let scaled = magnitude.shifted(by: -3 * unit)
        switch precision {
        case .fraction(let digits): return unit == 0 ? scaled : scaled.rounded(fractionDigits: digits)
        case .significant(let digits):
            return scaled.rounded(fractionDigits: max(digits - 1 - (scaled.leadingExponent ?? 0), 0))
        }
    }
}
