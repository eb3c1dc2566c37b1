package import BigInteger
package import CivilDate

/// The entries of a portfolio, worked through by day: what is held, at which cost, and what was gained. The rules are numbered in
/// docs/market.md.
package struct Ledger: Hashable, Sendable {
    /// Tokens that are matched with each other only.
    package struct Key: Hashable, Sendable {
        /// The id of the token.
        package let tokenID: String
        /// The name of the portfolio; empty for the one without a name.
        package let portfolio: String
        /// The place; nil when all places are one.
        package let place: String?
    }

    /// Tokens that left, and what they gained.
    package struct Disposal: Hashable, Sendable {
        /// What the tokens were used for.
        package enum Use: String, CaseIterable, Sendable { case sell, swap, gift, loss, fee }

        /// Tokens of the disposal that come from one purchase, or from an average.
        package struct Part: Hashable, Sendable {
            /// The entry that acquired them; nil for an average of several.
            package let purchase: Trade?
            /// The day of their acquisition; nil for an average of several days.
            package let acquired: CivilDate?
            /// The number of tokens.
            package let amount: BigDecimal
            /// What was paid for them; nil when it is not known.
            package let cost: BigDecimal?
            /// What was received for them, without the fee; nil when it is not known.
            package let proceeds: BigDecimal?
            /// Their share of the fee; nil when it is not known.
            package let fee: BigDecimal?
            /// The sums that closing prices gave, because the entries do not say them.
            package let byClose: Set<Sum>
        }

        /// A sum of a part.
        package enum Sum: String, CaseIterable, Sendable { case proceeds, cost }

        /// The entry.
        package let trade: Trade
        /// What the tokens were used for.
        package let use: Use
        /// The token, its portfolio and its place.
        package let key: Key
        /// The purchases that were used, in their order.
        package let parts: [Part]
    }

    /// An entry that needs more tokens than were held. That part of it is left out as a whole.
    package struct Shortfall: Hashable, Sendable {
        /// The entry.
        package let trade: Trade
        /// What the tokens were used for; nil for a transfer.
        package let use: Disposal.Use?
        /// The token, its portfolio and its place.
        package let key: Key
        /// The number of tokens that were needed.
        package let amount: BigDecimal
        /// The number of tokens that were held.
        package let held: BigDecimal
    }

    /// Tokens that were received as income.
    package struct Income: Hashable, Sendable {
        /// The entry.
        package let trade: Trade
        /// What they were worth; nil when it is not known.
        package let value: BigDecimal?
        /// Whether that is by the closing price of the day, because the entry does not say it.
        package let isByClose: Bool
    }

    /// The rule for costs.
    package let basis: CostBasis
    /// The currency of all sums.
    package let currency: Currency
    /// The lots that are held, in the order in which they are sold.
    package let lots: [Key: [Lot]]
    /// The disposals in their order.
    package let disposals: [Disposal]
    /// What was left out.
    package let shortfalls: [Shortfall]
    /// The income in its order.
    package let incomes: [Income]
    /// The conversions for which a rate is missing, by day; their amounts are not known.
    package let missingRates: [Valuation.MissingRate]
    /// The closing prices that are missing, by day; what they would value is not known.
    package let missingCloses: [Valuation.TokenDay]

    /// Works through entries in the order of their days and times; see ``Trade/ordered(_:)``. With `perPlace` the tokens of each
    /// place are matched with each other only, except by share pools, which know no places.
    package init(_ trades: [Trade], basis: CostBasis, in valuation: Valuation, perPlace: Bool = false) {
        self.basis = basis
        currency = valuation.currency
        let steps = LedgerSteps(trades, perPlace: perPlace && basis != .pool, valuation)
        if basis == .pool {
            let pools = SharePools(steps.steps)
            (lots, disposals) = (pools.lots, pools.disposals)
        } else {
            var books = LotBooks(basis)
            for step in steps.steps { books.apply(step) }
            (lots, disposals) = (books.lots, books.disposals)
        }
        shortfalls = steps.shortfalls
        incomes = steps.incomes
        missingRates = steps.valuer.missing.sorted {
            ($0.day, $0.currency.code) < ($1.day, $1.currency.code)
        }
        missingCloses = steps.valuer.missingCloses.sorted { ($0.day, $0.tokenID) < ($1.day, $1.tokenID) }
    }
}

extension LedgerSteps.Removal {
    /// Divides proceeds and fee among parts: each gets its share of what is left, so the last one gets the rest.
    func disposal(_ taken: [TakenTokens]) -> Ledger.Disposal {
        var (left, value, fee) = (amount, self.value?.amount, self.fee?.amount)
        let hasCloses = self.value?.isByClose ?? false || self.fee?.isByClose ?? false
        let parts = taken.map { part in
            let feeShare = fee.map { CostBasis.share(of: $0, part.amount, of: left) }
            let valueShare = isAtCost ? part.cost : value.map { CostBasis.share(of: $0, part.amount, of: left) }
            if let share = feeShare { fee = fee.map { $0 - share } }
            if let share = valueShare { value = value.map { $0 - share } }
            left -= part.amount
            let proceeds: BigDecimal? = if let valueShare, let feeShare { valueShare - feeShare } else { nil }
            var byClose: Set<Ledger.Disposal.Sum> = part.isByClose ? [.cost] : []
            if proceeds != nil, hasCloses || isAtCost && part.isByClose { byClose.insert(.proceeds) }
            return Ledger.Disposal.Part(
                purchase: part.purchase, acquired: part.acquired, amount: part.amount, cost: part.cost,
                proceeds: proceeds, fee: feeShare, byClose: byClose)
        }
        return Ledger.Disposal(trade: trade, use: use, key: key, parts: parts)
    }
}
