package import BigInteger
import Text

/// Sums of money as people read them: with the currency's sign, separated thousands and a fixed number of digits.
package enum FiatFormat {
    /// What stands for a value that is not known.
    package static let unknown = "—"

    /// Formats a value: `$1,204.50`, `CHF 1.00`, `-$5.00`. A value too small for its digits is `<$0.01`, not zero.
    package static func text(_ value: BigDecimal, _ currency: Currency, fractionDigits: Int? = nil) -> String {
        let digits = fractionDigits ?? currency.fractionDigits
        let rounded = value.magnitude.rounded(fractionDigits: digits)
        if !value.isZero, value.magnitude < BigDecimal(1, scale: digits) {
            return (value.isNegative ? "-" : "") + threshold(digits, currency)
        }
        return plain(rounded.text(fractionDigits: digits), isNegative: value.isNegative, currency)
    }

    /// Formats a balance; a missing one is zero.
    package static func balance(_ value: BigDecimal?, _ currency: Currency) -> String { text(value ?? 0, currency) }

    /// Formats the smallest number of `digits` digits after the point: `<$0.01` for 2, `0` without digits.
    package static func threshold(_ digits: Int, _ currency: Currency? = nil) -> String {
        guard digits > 0 else { return "0" }
        return "<" + (currency?.prefix ?? "") + BigDecimal(1, scale: digits).text(fractionDigits: digits)
    }

    /// Formats digits after a sign and the currency's sign.
    static func plain(_ magnitude: String, isNegative: Bool, _ currency: Currency) -> String {
        (isNegative ? "-" : "") + currency.prefix + NumberFormat.grouped(magnitude)
    }

    /// Cuts a number to `fractionDigits` digits after the point and pads it with zeros; it never rounds: `123.45` for
    /// 123.456.
    package static func cut(_ value: BigDecimal, fractionDigits: Int) -> String {
        value.text(fractionDigits: max(fractionDigits, 0), rounding: .down)
    }
}
