package import BigInteger
package import Time

/// A token as a board shows it. The price stays as it is stored until a field of it is asked for.
package struct BoardRow: Hashable, Sendable {
    /// The key of the token.
    package let key: TokenKey
    /// The token.
    package let token: Token
    /// The price; nil if the source never sent it.
    package let price: StoredPrice?
    /// The drawing of the last seven days; nil if it was never sent.
    package let sparkline: Sparkline?
    /// When the price arrived last, changed or not; nil if it was never sent.
    package let seenAt: Instant?

    package init(
        key: TokenKey, token: Token, price: StoredPrice?, sparkline: Sparkline?, seenAt: Instant?
    ) {
        self.key = key
        self.token = token
        self.price = price
        self.sparkline = sparkline
        self.seenAt = seenAt
    }

    /// The value of a field; nil when it is not known.
    package func value(_ field: Price.Field) -> BigDecimal? { price?.value(field) }

    /// When the price was seen last; nil if it was never sent.
    package var time: Instant? { price?.time }
}
