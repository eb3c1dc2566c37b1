package import BigInteger

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

    /// The rule as views name it.
    package var name: String { self == .average ? "average" : rawValue.uppercased() }

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
    package let purchase: Trade
    /// The number of tokens that are left.
    package private(set) var amount: BigDecimal
    /// Their cost without fees.
    package private(set) var price: BigDecimal
    /// Their share of the fees.
    package private(set) var fee: BigDecimal
    /// Whether more than one purchase is in it, so that its tokens have neither a day nor a price of their own.
    package private(set) var isMixed = false

    /// The lot of a purchase.
    init(_ trade: Trade) {
        purchase = trade
        amount = trade.amount
        price = trade.amount * trade.price
        fee = trade.fee
    }

    /// The cost of the tokens that are left.
    package var cost: BigDecimal { price + fee }

    /// Whether each token of this lot cost more than each of the other when they were bought.
    func isDearer(than other: Lot) -> Bool {
        let (own, others) = (purchase, other.purchase)
        return (own.amount * own.price + own.fee) * others.amount > (others.amount * others.price + others.fee)
            * own.amount
    }

    /// Adds a purchase, for an average.
    mutating func add(_ trade: Trade) {
        isMixed = true
        amount += trade.amount
        price += trade.amount * trade.price
        fee += trade.fee
    }

    /// Takes `part` of the tokens out, at most all, and returns their cost, which is exact but for the fee if all had one price.
    mutating func take(_ part: BigDecimal) -> BigDecimal {
        let priceShare = isMixed ? CostBasis.share(of: price, part, of: amount) : purchase.price * part
        let feeShare = CostBasis.share(of: fee, part, of: amount)
        amount -= part
        price -= priceShare
        fee -= feeShare
        return priceShare + feeShare
    }
}
