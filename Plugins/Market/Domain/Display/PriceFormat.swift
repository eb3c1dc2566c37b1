package import BigInteger
import Text

/// Prices as people read them: as many digits as a price of this size needs.
package enum PriceFormat {
    /// Formats a price with its currency's sign: `$51,100.00`, `$0.00002000`.
    /// - Parameter trimsZeros: Drops zeros at the end beyond the digits of the currency's minor unit.
    package static func text(_ price: BigDecimal, _ currency: Currency, trimsZeros: Bool = false) -> String {
        FiatFormat.plain(
            digits(price.magnitude, currency, trimsZeros: trimsZeros), isNegative: price.isNegative, currency)
    }

    /// Formats a price without a sign of the currency, for a column whose heading names it: `91,204.10`, `0.4512`.
    package static func column(_ price: BigDecimal, _ currency: Currency) -> String {
        (price.isNegative ? "-" : "")
            + NumberFormat.grouped(digits(price.magnitude, currency, trimsZeros: true))
    }

    private static func digits(_ magnitude: BigDecimal, _ currency: Currency, trimsZeros: Bool) -> String {
        let text = magnitude.text(fractionDigits: fractionDigits(of: magnitude, currency))
        guard trimsZeros, let point = text.firstIndex(of: ".") else { return text }
        let kept = currency.isCoin ? 2 : currency.fractionDigits
        var end = text.endIndex
        while text.distance(from: point, to: end) > kept + 1, text[text.index(before: end)] == "0" {
            end = text.index(before: end)
        }
        return String(text[..<(text.index(before: end) == point ? point : end)])
    }

    /// The number of digits after the point for a price without its sign.
    package static func fractionDigits(of magnitude: BigDecimal, _ currency: Currency) -> Int {
        guard !magnitude.isZero else { return currency.isCoin ? 2 : currency.fractionDigits }
        if currency.isCoin {
            if magnitude >= 1000 { return 0 }
            if magnitude >= 50 { return 3 }
            if magnitude >= 1 { return 6 }
            if magnitude >= BigDecimal(1, scale: 6) { return 8 }
            return tinyDigits(magnitude)
        }
        if magnitude < BigDecimal(1, scale: 6) { return tinyDigits(magnitude) }
        if magnitude < BigDecimal(5, scale: 2) { return 8 }
        if magnitude < 1 { return 6 }
        if currency.code == "jpy", magnitude < 100 { return 2 }
        return magnitude > 100_000 ? 0 : currency.fractionDigits
    }

    private static func tinyDigits(_ magnitude: BigDecimal) -> Int {
        if magnitude < BigDecimal(1, scale: 12) { return 18 }
        return magnitude < BigDecimal(1, scale: 9) ? 15 : 12
    }

    /// The number of digits after the point that an amount of a token needs so that a cent's worth of it shows: 6 when the
    /// price is not known.
    package static func tokenDigits(price: BigDecimal?) -> Int {
        guard let price, let cent = BigDecimal(1, scale: 2).divided(by: price, fractionDigits: 40) else { return 6 }
        return tokenDigits(cent: cent)
    }

    /// The number of zeros after the point of `cent`, one cent's worth of a token, and one more when 1 follows them.
    package static func tokenDigits(cent: BigDecimal) -> Int {
        guard let exponent = cent.leadingExponent, exponent < 0 else { return 0 }
        let first = cent.magnitude.coefficient.description.first
        return -exponent - 1 + (first == "1" ? 1 : 0)
    }
}
