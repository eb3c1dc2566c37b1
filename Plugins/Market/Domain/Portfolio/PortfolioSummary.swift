package import BigInteger

/// What a portfolio is worth in one currency. Nothing is rounded here; a view rounds each number that it shows once.
package struct PortfolioSummary: Hashable, Sendable {
    /// A token that is held.
    package struct Position: Hashable, Sendable {
        /// The id of the token.
        package let tokenID: String
        /// The number of tokens.
        package let amount: BigDecimal
        /// What was paid for them.
        package let cost: BigDecimal
        /// The price of one; nil when it is not known.
        package let price: BigDecimal?

        /// What they are worth; nil without a price.
        package var value: BigDecimal? { price.map { $0 * amount } }
        /// The value less the cost; nil without a price.
        package var gain: BigDecimal? { value.map { $0 - cost } }
        /// The gain in percent of the cost; nil without a price, and for a cost of zero.
        package var gainPercent: BigDecimal? { value.flatMap { Conversion.percent(from: cost, to: $0) } }
    }

    /// The currency of all sums.
    package let currency: Currency
    /// The tokens, the most valuable first; those without a price last, by id.
    package let positions: [Position]

    /// Sums up the lots of a ledger that were bought in `currency`.
    package init(_ ledger: Ledger, in currency: Currency, prices: [String: BigDecimal]) {
        self.currency = currency
        positions = ledger.lots.filter { $0.key.currency == currency }.map { key, lots in
            Position(
                tokenID: key.tokenID, amount: lots.reduce(0) { $0 + $1.amount }, cost: lots.reduce(0) { $0 + $1.cost },
                price: prices[key.tokenID])
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
    /// The cost of the positions that have a price, so that the gain compares like with like.
    package var cost: BigDecimal { positions.reduce(0) { $0 + ($1.value == nil ? 0 : $1.cost) } }
    /// The value less the cost.
    package var gain: BigDecimal { value - cost }
    /// The gain in percent of the cost; nil for a cost of zero.
    package var gainPercent: BigDecimal? { Conversion.percent(from: cost, to: value) }
    /// The ids of the tokens without a price, which no sum includes.
    package var unpriced: [String] { positions.filter { $0.price == nil }.map(\.tokenID) }

    /// Returns the share of a position in the value of all, in percent; nil without a price or value.
    package func share(of position: Position, fractionDigits: Int = 10) -> BigDecimal? {
        position.value.flatMap { $0.shifted(by: 2).divided(by: value, fractionDigits: fractionDigits) }
    }
}
