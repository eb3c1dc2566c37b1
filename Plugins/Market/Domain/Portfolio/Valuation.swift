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
    /// The closing prices of tokens by day, for entries without a value of their own.
    package let prices: [TokenDay: Money]

    package init(
        in currency: Currency, rates: ExchangeRates = ExchangeRates(), prices: [TokenDay: Money] = [:]
    ) {
        self.currency = currency
        self.rates = rates
        self.prices = prices
    }
}

extension Trade {
    /// The tokens whose closing prices of the day give the entry its value; none if it has one of its own, or gets none. A swap has
    /// the value of the first of them that has a price.
    var tokensOfValue: [Tokens] {
        guard value == nil else { return [] }
        let own = Tokens(tokenID: tokenID, amount: amount)
        switch kind {
        case .swap: return [own] + (received.map { [$0] } ?? [])
        case .income, .giftReceived, .fee: return [own]
        case .buy, .sell, .transfer, .giftGiven, .loss: return []
        }
    }

    /// The tokens and days whose closing prices can give the entry or its fee a value.
    package var closesOfValue: [Valuation.TokenDay] {
        var tokens = tokensOfValue
        if case .coin(let coin, nil) = fee { tokens.append(coin) }
        return tokens.map { Valuation.TokenDay(tokenID: $0.tokenID, day: date) }
    }
}

/// What tokens are worth in the currency of a ledger.
struct Worth {
    let amount: BigDecimal
    /// Whether it is that of a closing price, because the entry does not say it.
    var isByClose = false
}

/// Finds the values of entries in the currency of a ledger; see the rules of the ledger in docs/market.md.
struct Valuer {
    let valuation: Valuation
    /// The conversions that could not be made.
    private(set) var missing: Set<Valuation.MissingRate> = []
    /// The closing prices that are not known.
    private(set) var missingCloses: Set<Valuation.TokenDay> = []

    init(_ valuation: Valuation) { self.valuation = valuation }

    /// An amount of the currency of `trade`; nil without a rate.
    private mutating func money(_ amount: BigDecimal, of trade: Trade) -> Worth? {
        convert(amount, from: trade.currency, on: trade.date).map { Worth(amount: $0) }
    }

    private mutating func convert(_ amount: BigDecimal, from currency: Currency, on day: CivilDate) -> BigDecimal? {
        let result = valuation.rates.convert(amount, from: currency, to: valuation.currency, on: day)
        if result == nil { missing.insert(Valuation.MissingRate(currency: currency, day: day)) }
        return result
    }

    /// The value of all tokens of `trade`; nil when it is not known.
    mutating func value(_ trade: Trade) -> Worth? {
        if let total = trade.total { return money(total, of: trade) }
        if trade.kind == .loss { return Worth(amount: 0) }
        return priced(trade.tokensOfValue, on: trade.date)
    }

    /// The fee of `trade`, whose tokens are worth `value`; nil when it is not known.
    mutating func fee(_ trade: Trade, value: Worth?) -> Worth? {
        switch trade.fee {
        case .money(let amount): return amount.isZero ? Worth(amount: 0) : money(amount, of: trade)
        case .coin(let tokens, let given):
            if let given { return money(given, of: trade) }
            func share(of all: BigDecimal) -> Worth? {
                value.map {
                    Worth(amount: CostBasis.share(of: $0.amount, tokens.amount, of: all), isByClose: $0.isByClose)
                }
            }
            if value != nil, trade.kind != .loss {
                if tokens.tokenID == trade.tokenID { return share(of: trade.amount) }
                if let received = trade.received, tokens.tokenID == received.tokenID {
                    return share(of: received.amount)
                }
            }
            return priced([tokens], on: trade.date)
        }
    }

    /// The value of the first of some tokens that has a closing price and, where that needs one, a rate.
    private mutating func priced(_ tokens: [Trade.Tokens], on day: CivilDate) -> Worth? {
        var unknown: [Valuation.TokenDay] = []
        for one in tokens {
            let wanted = Valuation.TokenDay(tokenID: one.tokenID, day: day)
            guard let price = valuation.prices[wanted] else {
                unknown.append(wanted)
                continue
            }
            if let amount = convert(price.amount * one.amount, from: price.currency, on: day) {
                return Worth(amount: amount, isByClose: true)
            }
        }
        missingCloses.formUnion(unknown)
        return nil
    }
}
