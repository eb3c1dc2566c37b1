package import BigInteger
import CivilDate

/// Tokens that were taken out of a lot.
struct TakenTokens {
    let purchase: Trade?
    let acquired: CivilDate?
    let amount: BigDecimal
    let cost: BigDecimal?
    let isByClose: Bool
}

/// Tokens that were acquired together and are still held.
package struct Lot: Hashable, Sendable {
    /// The entry that acquired them; of an average, the first one.
    package let purchase: Trade
    /// The number of tokens that are left.
    package private(set) var amount: BigDecimal
    /// What they cost; nil when it is not known.
    package private(set) var cost: BigDecimal?
    /// Whether the cost, or a part of it, is by the closing price of a day, because the entry does not say it.
    package private(set) var isByClose: Bool
    /// Whether more than one purchase is in it, so that its tokens have neither a day nor a price of their own.
    package private(set) var isMixed: Bool
    /// The number of its acquisition; tokens that change their place keep it.
    let number: Int
    /// What all tokens of the acquisition cost, and their number.
    private let originalCost: BigDecimal?
    private let originalAmount: BigDecimal

    init(purchase: Trade, amount: BigDecimal, cost: Worth?, number: Int, isMixed: Bool = false) {
        self.purchase = purchase
        self.amount = amount
        self.cost = cost?.amount
        isByClose = cost?.isByClose ?? false
        self.number = number
        self.isMixed = isMixed
        originalCost = cost?.amount
        originalAmount = amount
    }

    private init(_ lot: Lot, amount: BigDecimal, cost: BigDecimal?) {
        purchase = lot.purchase
        self.amount = amount
        self.cost = cost
        isByClose = lot.isByClose
        number = lot.number
        isMixed = lot.isMixed
        originalCost = lot.originalCost
        originalAmount = lot.originalAmount
    }

    /// Whether each token of this lot cost more than each of the other when they were acquired. An unknown cost is below all others.
    func isDearer(than other: Lot) -> Bool {
        guard let originalCost else { return false }
        guard let others = other.originalCost else { return true }
        return originalCost * other.originalAmount > others * originalAmount
    }

    /// Adds tokens, for an average: its cost is known only if all costs are.
    mutating func add(_ amount: BigDecimal, cost: Worth?) {
        isMixed = true
        self.amount += amount
        if let own = self.cost, let cost { self.cost = own + cost.amount } else { self.cost = nil }
        isByClose = self.cost != nil && (isByClose || cost?.isByClose ?? false)
    }

    /// What it cost.
    var worth: Worth? { cost.map { Worth(amount: $0, isByClose: isByClose) } }

    /// Takes `part` of the tokens out, at most all.
    mutating func take(_ part: BigDecimal) -> TakenTokens {
        let taken = split(part)
        return TakenTokens(
            purchase: isMixed ? nil : purchase, acquired: isMixed ? nil : purchase.date, amount: part,
            cost: taken.cost, isByClose: isByClose)
    }

    /// Takes `part` of the tokens out as a lot of their own.
    mutating func split(_ part: BigDecimal) -> Lot {
        let share = cost.map { CostBasis.share(of: $0, part, of: amount) }
        amount -= part
        if let share { cost = cost.map { $0 - share } }
        return Lot(self, amount: part, cost: share)
    }
}
