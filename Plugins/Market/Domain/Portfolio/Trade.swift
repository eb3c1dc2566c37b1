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
    /// The time of the day in seconds from midnight; nil when it is not known.
    package let time: Int?

    /// Creates a trade.
    package init(
        id: String, tokenID: String, kind: Kind, amount: BigDecimal, price: BigDecimal, fee: BigDecimal = 0,
        currency: Currency, date: CivilDate, time: Int? = nil
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
        self.time = time
    }

    private init(_ trade: Trade, tokenID: String) {
        id = trade.id
        self.tokenID = tokenID
        kind = trade.kind
        amount = trade.amount
        price = trade.price
        fee = trade.fee
        currency = trade.currency
        date = trade.date
        time = trade.time
    }

    /// Returns the same trade with another id of its token.
    package func of(token id: String) -> Trade { Trade(self, tokenID: id) }

    /// Returns trades by day, and those of one day as given. If the time of a trade is known, those of its token on that day are
    /// in the order of their times, after purchases and before sales without one.
    package static func ordered(_ trades: [Trade]) -> [Trade] {
        struct TokenDay: Hashable {
            let token: String
            let day: CivilDate
        }
        let timed = Set(trades.filter { $0.time != nil }.map { TokenDay(token: $0.tokenID, day: $0.date) })
        func rank(_ trade: Trade) -> Int {
            guard timed.contains(TokenDay(token: trade.tokenID, day: trade.date)) else { return 0 }
            return trade.time ?? (trade.kind == .buy ? -1 : 86_400)
        }
        return trades.map { (trade: $0, rank: rank($0)) }.sorted {
            ($0.trade.date, $0.rank) < ($1.trade.date, $1.rank)
        }.map(\.trade)
    }
}

/// What is changed in a trade; nil stays as it is.
package struct TradeChange: Hashable, Sendable {
    /// The direction.
    package var kind: Trade.Kind?
    /// The number of tokens.
    package var amount: BigDecimal?
    /// The price of one token.
    package var price: BigDecimal?
    /// The fee of the whole trade.
    package var fee: BigDecimal?
    /// The currency of price and fee.
    package var currency: Currency?
    /// The day; another day without a time drops the time.
    package var date: CivilDate?
    /// The time of the day in seconds from midnight.
    package var time: Int?
    /// Whether the time is not known any more.
    package var dropsTime = false

    package init() {}

    /// Returns the changed trade.
    package func applied(to trade: Trade) throws(Trade.Problem) -> Trade {
        try Trade(
            id: trade.id, tokenID: trade.tokenID, kind: kind ?? trade.kind, amount: amount ?? trade.amount,
            price: price ?? trade.price, fee: fee ?? trade.fee, currency: currency ?? trade.currency,
            date: date ?? trade.date,
            time: time ?? (dropsTime || date.map { $0 != trade.date } ?? false ? nil : trade.time))
    }
}
