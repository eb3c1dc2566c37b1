package import BigInteger

/// An exact sum of a currency.
package struct Money: Hashable, Sendable {
    /// The number of units of the currency, not rounded.
    package let amount: BigDecimal
    /// The currency.
    package let currency: Currency

    package init(_ amount: BigDecimal, _ currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    /// The amount rounded half up to the currency's minor unit, for a last step only.
    package var rounded: Money { Money(amount.rounded(fractionDigits: currency.fractionDigits), currency) }

    /// Returns the sum; nil for different currencies, which are never mixed.
    package func adding(_ other: Money) -> Money? {
        currency == other.currency ? Money(amount + other.amount, currency) : nil
    }
}
