import BigInteger
package import CivilDate

/// What the entries of a ledger are valued with: the currency of its sums, the rates of exchange, and prices of days.
package struct Valuation: Hashable, Sendable {
    /// A token on a day.
    package struct TokenDay: Hashable, Sendable {
        /// The id of the token.
        package let tokenID: String
        /// The day.
        package let day: CivilDate

        package init(tokenID: String, day: CivilDate) {
            self.tokenID = tokenID
            self.day = day
        }
    }

    /// A conversion that needs a rate which is not known.
    package struct MissingRate: Hashable, Sendable {
        /// The currency of the entry.
        package let currency: Currency
        /// The day of the entry.
        package let day: CivilDate
    }

    /// The currency of all sums.
    package let currency: Currency
    /// The rates of exchange.
    package let rates: ExchangeRates
    /// The prices of tokens by day, for entries without a value.
    package let prices: [TokenDay: Money]

    package init(
        in currency: Currency, rates: ExchangeRates = ExchangeRates(), prices: [TokenDay: Money] = [:]
    ) {
        self.currency = currency
        self.rates = rates
        self.prices = prices
    }
}

/// Finds the values of entries in the currency of a ledger; see the rules of the ledger in docs/market.md.
struct Valuer {
    let valuation: Valuation
    /// The conversions that could not be made.
    private(set) var missing: Set<Valuation.MissingRate> = []

    init(_ valuation: Valuation) { self.valuation = valuation }

    /// An amount of the currency of `trade`; nil without a rate.
    mutating func money(_ amount: BigDecimal, of trade: Trade) -> BigDecimal? {
        convert(amount, from: trade.currency, on: trade.date)
    }

    private mutating func convert(_ amount: BigDecimal, from currency: Currency, on day: CivilDate) -> BigDecimal? {
        let result = valuation.rates.convert(amount, from: currency, to: valuation.currency, on: day)
        if result == nil { missing.insert(Valuation.MissingRate(currency: currency, day: day)) }
        return result
    }

    /// The value of all tokens of `trade`; nil when it is not known.
    mutating func value(_ trade: Trade) -> BigDecimal? {
        if let total = trade.total { return money(total, of: trade) }
        switch trade.kind {
        case .swap:
            return priced(trade.tokenID, trade.amount, on: trade.date)
                ?? trade.received.flatMap { priced($0.tokenID, $0.amount, on: trade.date) }
        case .income, .fee: return priced(trade.tokenID, trade.amount, on: trade.date)
        case .loss: return 0
        case .buy, .sell, .transfer, .giftReceived, .giftGiven: return nil
        }
    }

    /// The fee of `trade`, whose tokens are worth `value`; nil when it is not known.
    mutating func fee(_ trade: Trade, value: BigDecimal?) -> BigDecimal? {
        switch trade.fee {
        case .money(let amount): return amount.isZero ? 0 : money(amount, of: trade)
        case .coin(let tokens, let given):
            if let given { return money(given, of: trade) }
            if let value, trade.kind != .loss {
                if tokens.tokenID == trade.tokenID {
                    return CostBasis.share(of: value, tokens.amount, of: trade.amount)
                }
                if let received = trade.received, tokens.tokenID == received.tokenID {
                    return CostBasis.share(of: value, tokens.amount, of: received.amount)
                }
            }
            return priced(tokens.tokenID, tokens.amount, on: trade.date)
        }
    }

    private mutating func priced(_ tokenID: String, _ amount: BigDecimal, on day: CivilDate) -> BigDecimal? {
        guard let price = valuation.prices[.init(tokenID: tokenID, day: day)] else { return nil }
        return convert(price.amount * amount, from: price.currency, on: day)
    }
}
