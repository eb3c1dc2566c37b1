package import BigInteger

/// Conversions between tokens and currencies. Each computes exactly and rounds once, half up, at its end.
package enum Conversion {
    /// The number of digits after the point of an amount of a token that comes out of a division.
    package static let tokenDigits = 20

    /// Returns the value of `amount` at `price`, rounded to the currency's minor unit.
    package static func fiat(_ amount: BigDecimal, at price: BigDecimal, in currency: Currency) -> Money {
        Money(amount * price, currency).rounded
    }

    /// Returns the amount of a token that `fiat` buys at `price`; nil for a price of zero.
    package static func token(
        for fiat: BigDecimal, at price: BigDecimal, fractionDigits: Int = tokenDigits
    ) -> BigDecimal? {
        fiat.divided(by: price, fractionDigits: fractionDigits)
    }

    /// Returns `amount` of one thing in units of another, by their prices in a common currency; nil when the price of the
    /// other one is zero. What would be rounded to zero has as many digits as four that count need.
    package static func convert(
        _ amount: BigDecimal, at price: BigDecimal, toPrice otherPrice: BigDecimal, fractionDigits: Int
    ) -> BigDecimal? {
        let value = amount * price
        let result = value.divided(by: otherPrice, fractionDigits: fractionDigits)
        guard let result, result.isZero, !value.isZero else { return result }
        let smaller = (fractionDigits...fractionDigits + 80).lazy.compactMap { digits in
            value.divided(by: otherPrice, fractionDigits: digits).flatMap { $0.isZero ? nil : digits + 3 }
        }.first
        return smaller.flatMap { value.divided(by: otherPrice, fractionDigits: $0) } ?? result
    }

    /// Returns the size of a change of `percent` in a value, without its sign, rounded to the currency's minor unit.
    package static func change(of value: Money, percent: BigDecimal) -> Money {
        Money((value.amount * percent).shifted(by: -2).magnitude, value.currency).rounded
    }

    /// Returns the change from `old` to `new` in percent; nil when `old` is zero.
    package static func percent(from old: BigDecimal, to new: BigDecimal, fractionDigits: Int = 10) -> BigDecimal? {
        ((new - old).shifted(by: 2)).divided(by: old.magnitude, fractionDigits: fractionDigits)
    }
}
