package import BigInteger

/// What a portfolio is worth in the currency of its ledger. Nothing is rounded here; a view rounds each number that it shows once.
package struct PortfolioSummary: Hashable, Sendable {
    /// A token that is held.
    package struct Position: Hashable, Sendable {
        /// The id of the token.
        package let tokenID: String
        /// The number of tokens.
        package let amount: BigDecimal
        /// The number of tokens whose cost is not known.
        package let uncostedAmount: BigDecimal
        /// What was paid for the others.
        package let knownCost: BigDecimal
        /// Whether a part of that is by the closing price of a day, because the entry does not say it.
        package let isCostByClose: Bool
        /// The price of one; nil when it is not known.
        package let price: BigDecimal?

        /// What was paid for the tokens whose cost is known; nil if there are none.
        package var cost: BigDecimal? { uncostedAmount == amount ? nil : knownCost }
        /// What they are worth; nil without a price.
        package var value: BigDecimal? { price.map { $0 * amount } }
        /// What the tokens with a known cost are worth; nil without a price, and if there are none.
        package var costedValue: BigDecimal? { cost == nil ? nil : price.map { $0 * (amount - uncostedAmount) } }
        /// The value less the cost, of the tokens with a known cost; nil without a price, and if there are none.
        package var gain: BigDecimal? { costedValue.map { $0 - knownCost } }
        /// The gain in percent of the cost; nil if one of them is not known, and for a cost of zero.
        package var gainPercent: BigDecimal? { costedValue.flatMap { Conversion.percent(from: knownCost, to: $0) } }
    }

    /// The currency of all sums.
    package let currency: Currency
    /// The tokens, the most valuable first; those without a price last, by id.
    package let positions: [Position]

    /// Sums up the lots of a ledger that are wanted.
    package init(
        _ ledger: Ledger, prices: [String: BigDecimal], where isWanted: (Ledger.Key, Lot) -> Bool = { _, _ in true }
    ) {
        currency = ledger.currency
        var lots: [String: [Lot]] = [:]
        for (key, own) in ledger.lots {
            let wanted = own.filter { isWanted(key, $0) }
            if !wanted.isEmpty { lots[key.tokenID, default: []] += wanted }
        }
        positions = lots.map { id, lots in
            Position(
                tokenID: id, amount: lots.reduce(0) { $0 + $1.amount },
                uncostedAmount: lots.reduce(0) { $0 + ($1.cost == nil ? $1.amount : 0) },
                knownCost: lots.reduce(0) { $0 + ($1.cost ?? 0) },
                isCostByClose: lots.contains { $0.cost != nil && $0.isByClose }, price: prices[id])
        }.sorted { left, right in
            switch (left.value, right.value) {
            case (let first?, let second?) where first != second: first > second
            case (.some, nil): true
            case (nil, .some): false
            default: left.tokenID < right.tokenID
            }
        }
    }

    /// The value of the positions that have a price.
    package var value: BigDecimal { positions.reduce(0) { $0 + ($1.value ?? 0) } }
    /// The cost of the tokens that have a price and a known cost, so that the gain compares like with like.
    package var cost: BigDecimal { positions.reduce(0) { $0 + ($1.gain == nil ? 0 : $1.knownCost) } }
    /// The value less the cost, of the tokens that have a price and a known cost.
    package var gain: BigDecimal { positions.reduce(0) { $0 + ($1.gain ?? 0) } }
    /// The gain in percent of the cost; nil for a cost of zero.
    package var gainPercent: BigDecimal? { Conversion.percent(from: cost, to: cost + gain) }
    /// The ids of the tokens without a price, which no sum includes.
    package var unpriced: [String] { positions.filter { $0.price == nil }.map(\.tokenID) }
    /// The positions with tokens whose cost is not known, which no gain includes.
    package var uncosted: [Position] { positions.filter { $0.uncostedAmount > 0 } }

    /// Returns the share of a position in the value of all, in percent; nil without a price or value.
    package func share(of position: Position, fractionDigits: Int = 10) -> BigDecimal? {
        position.value.flatMap { $0.shifted(by: 2).divided(by: value, fractionDigits: fractionDigits) }
    }
}
