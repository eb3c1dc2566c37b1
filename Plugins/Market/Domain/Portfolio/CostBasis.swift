package import BigInteger

/// The rule by which the cost of what is sold is found.
package enum CostBasis: String, CaseIterable, Sendable {
    /// What was bought first is sold first.
    case fifo
    /// Each token costs the average of all that are held.
    case average

    /// The digits after the point of a cost that comes out of a division, half up. What a division rounds away stays with
    /// the tokens that are still held, so the sum of all costs is exact.
    package static let fractionDigits = 24

    /// Returns the share `part` / `whole` of a cost, rounded to ``fractionDigits``; all of it when the parts are equal.
    static func share(of cost: BigDecimal, _ part: BigDecimal, of whole: BigDecimal) -> BigDecimal {
        guard part != whole else { return cost }
        return (cost * part).divided(by: whole, fractionDigits: fractionDigits) ?? cost
    }
}

/// Tokens that were bought together and are still held.
package struct Lot: Hashable, Sendable {
    /// The trade that bought them; of an average, the first one.
    package let tradeID: String
    /// The number of tokens that are left.
    package private(set) var amount: BigDecimal
    /// Their cost without fees.
    package private(set) var price: BigDecimal
    /// Their share of the fees.
    package private(set) var fee: BigDecimal

    /// The lot of a purchase.
    init(_ trade: Trade) {
        tradeID = trade.id
        amount = trade.amount
        price = trade.amount * trade.price
        fee = trade.fee
    }

    /// The cost of the tokens that are left.
    package var cost: BigDecimal { price + fee }

    /// Adds a purchase, for an average.
    mutating func add(_ trade: Trade) {
        amount += trade.amount
        price += trade.amount * trade.price
        fee += trade.fee
    }

    /// Takes `part` of the tokens out, at most all, and returns their cost.
    /// - Parameter unitPrice: The price of one token, if all have the same; the cost is then exact but for the fee.
    mutating func take(_ part: BigDecimal, unitPrice: BigDecimal?) -> BigDecimal {
        let priceShare = unitPrice.map { $0 * part } ?? CostBasis.share(of: price, part, of: amount)
        let feeShare = CostBasis.share(of: fee, part, of: amount)
        amount -= part
        price -= priceShare
        fee -= feeShare
        return priceShare + feeShare
    }
}
