package import BigInteger
package import CivilDate

/// What is changed in an entry of the ledger; nil stays as it is.
package struct TradeChange: Hashable, Sendable {
    /// What happened. A kind without a price or destination drops it.
    package var kind: Trade.Kind?
    /// The number of tokens.
    package var amount: BigDecimal?
    /// What they were worth.
    package var value: Trade.Value?
    /// Whether the value is not known any more.
    package var dropsValue = false
    /// What a swap gave.
    package var received: Trade.Tokens?
    /// The fee.
    package var fee: Trade.Fee?
    /// The currency of value and fee.
    package var currency: Currency?
    /// The day; another day without a time drops the time.
    package var date: CivilDate?
    /// The time of the day in seconds from midnight.
    package var time: Int?
    /// Whether the time is not known any more.
    package var dropsTime = false
    /// The source of an income.
    package var income: Trade.Income?
    /// The place; empty for none.
    package var place: String?
    /// The place where a transfer ended; empty for none.
    package var destination: String?
    /// The portfolio; empty for the one without a name.
    package var portfolio: String?
    /// The remark; empty for none.
    package var note: String?
    /// All tags.
    package var tags: [String]?

    package init() {}

    /// Returns the changed entry.
    package func applied(to trade: Trade) throws(Trade.Problem) -> Trade {
        let kind = kind ?? trade.kind
        // What a new kind cannot have goes with the old kind, unless it is asked for.
        let isNew = kind != trade.kind
        var details = trade.details
        if isNew { details.income = nil }
        if isNew, kind != .transfer { details.destination = "" }
        details.income = income ?? details.income
        details.place = place ?? details.place
        details.destination = destination ?? details.destination
        details.portfolio = portfolio ?? details.portfolio
        details.note = note ?? details.note
        details.tags = tags ?? details.tags
        let oldValue = dropsValue || isNew && !kind.hasValue ? nil : trade.value
        return try Trade(
            id: trade.id, tokenID: trade.tokenID, kind: kind, amount: amount ?? trade.amount,
            value: value ?? oldValue, received: received ?? (isNew && kind != .swap ? nil : trade.received),
            fee: fee ?? trade.fee, currency: currency ?? trade.currency, date: date ?? trade.date,
            time: time ?? (dropsTime || date.map { $0 != trade.date } ?? false ? nil : trade.time), details: details)
    }
}
