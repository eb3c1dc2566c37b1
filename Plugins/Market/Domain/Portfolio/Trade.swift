package import BigInteger
package import CivilDate

/// A purchase or sale of a token.
package struct Trade: Hashable, Sendable {
    /// The direction of a trade.
    package enum Kind: String, CaseIterable, Sendable { case buy, sell }

    /// The reason why values are not a trade.
    package enum Problem: Error, Hashable, Sendable {
        /// The amount is not above zero.
        case amount
        /// The price is below zero.
        case price
        /// The fee is below zero.
        case fee
    }

    /// The id of the stored trade.
    package let id: String
    /// The id of the token.
    package let tokenID: String
    /// Whether it was bought or sold.
    package let kind: Kind
    /// The number of tokens, above zero.
    package let amount: BigDecimal
    /// The price of one token.
    package let price: BigDecimal
    /// The fee of the whole trade: it adds to the cost of a purchase and lessens the proceeds of a sale.
    package let fee: BigDecimal
    /// The currency of price and fee.
    package let currency: Currency
    /// The day of the trade.
    package let date: CivilDate

    /// Creates a trade.
    package init(
        id: String, tokenID: String, kind: Kind, amount: BigDecimal, price: BigDecimal, fee: BigDecimal = 0,
        currency: Currency, date: CivilDate
    ) throws(Problem) {
        guard amount > 0 else { throw .amount }
        guard !price.isNegative else { throw .price }
        guard !fee.isNegative else { throw .fee }
        self.id = id
        self.tokenID = tokenID
        self.kind = kind
        self.amount = amount
        self.price = price
        self.fee = fee
        self.currency = currency
        self.date = date
    }
}
