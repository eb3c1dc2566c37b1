import BigInteger
import CivilDate
package import MarketDomain
import SQLite
package import Storage

/// The entries of the ledger.
extension Transaction {
    /// Returns the live entries in the order of their days and times, those without a time as they were stored; with `inTrash` those
    /// in the trash.
    package func trades(inTrash: Bool = false) throws -> [TradeRecord] {
        try tradeRecords("deleted_at IS \(inTrash ? "NOT " : "")NULL")
    }

    /// Returns the entry `id`, live or in the trash; nil if there is none.
    package func trade(_ id: String) throws -> TradeRecord? { try tradeRecords("id = ?", id).first }

    /// Whether an entry was imported from `source`, live or in the trash.
    package func hasTrade(from source: String) throws -> Bool {
        try row("SELECT 1 FROM market_trade WHERE source = ?", source) { _ in true } ?? false
    }

    /// Stores a new entry; `source` names the line of a file that it comes from.
    package func insertTrade(_ trade: Trade, source: String? = nil) throws {
        let columns = Self.valueColumns.joined(separator: ", ")
        let marks = Self.valueColumns.map { _ in "?" }.joined(separator: ", ")
        try run(
            """
            INSERT INTO market_trade (\(columns), source, revision, created_at, changed_at, id)
            VALUES (\(marks), ?, 1, ?, ?, ?)
            """, arguments: Self.values(trade) + [source, now.milliseconds, now.milliseconds, trade.id])
    }

    /// Replaces the values of the entry that has the id of `trade`.
    package func updateTrade(_ trade: Trade) throws {
        let columns = Self.valueColumns.map { "\($0) = ?" }.joined(separator: ", ")
        try run(
            "UPDATE market_trade SET \(columns), revision = revision + 1, changed_at = ? WHERE id = ?",
            arguments: Self.values(trade) + [now.milliseconds, trade.id])
    }

    /// Permanently deletes the entry `id`.
    package func destroyTrade(_ id: String) throws { try run("DELETE FROM market_trade WHERE id = ?", id) }

    private static let valueColumns = [
        "token", "kind", "amount", "price", "total", "received_token", "received_amount", "fee", "fee_token",
        "fee_value", "currency", "day", "time", "income", "place", "destination", "portfolio", "note", "tags",
    ]

    private static func values(_ trade: Trade) -> [any Bindable] {
        let total: BigDecimal? = if case .total(let total)? = trade.value { total } else { nil }
        let feeValue: BigDecimal? = if case .coin(_, let value) = trade.fee { value } else { nil }
        return [
            trade.tokenID, trade.kind.rawValue, trade.amount.description, trade.price?.description, total?.description,
            trade.received?.tokenID, trade.received?.amount.description,
            (trade.fee.coin?.amount ?? trade.fee.money ?? 0).description, trade.fee.coin?.tokenID,
            feeValue?.description, trade.currency.code, trade.date.description, trade.time,
            trade.details.income?.rawValue, trade.details.place, trade.details.destination, trade.details.portfolio,
            trade.details.note, trade.details.tags.joined(separator: "\n"),
        ]
    }

    private func tradeRecords(_ condition: String, _ arguments: any Bindable...) throws -> [TradeRecord] {
        let columns = Self.valueColumns.map { "market_trade.\($0)" }.joined(separator: ", ")
        return try rows(
            """
            SELECT \(columns), own.symbol, other.symbol, paid.symbol, id, revision, deleted_at
            FROM market_trade LEFT JOIN market_token own ON own.token = market_trade.token
            LEFT JOIN market_token other ON other.token = received_token
            LEFT JOIN market_token paid ON paid.token = fee_token
            WHERE \(condition) ORDER BY day, time, market_trade.rowid
            """, arguments: arguments
        ) { row in
            let id = row.text(22)
            guard let trade = Self.trade(id, row) else {
                throw HubError(
                    .internal, code: "damaged-trade", "the stored trade \(id) cannot be read",
                    hint: "hub doctor checks the store")
            }
            var symbols: [String: String] = [:]
            for (token, symbol) in [(0, 19), (5, 20), (8, 21)] {
                if let token = row.optionalText(token), let symbol = row.optionalText(symbol) {
                    symbols[token] = symbol
                }
            }
            return TradeRecord(
                trade: trade, symbols: symbols, revision: row.int(23),
                deletedAt: row.optionalInt(24).map { Instant(milliseconds: Int64($0)) })
        }
    }

    /// The entry of a row with the columns of ``valueColumns``; nil if one of them cannot be read.
    private static func trade(_ id: String, _ row: borrowing Row) -> Trade? {
        guard let kind = Trade.Kind(rawValue: row.text(1)), let amount = BigDecimal(row.text(2)),
            let price = number(row.optionalText(3)), let total = number(row.optionalText(4)),
            let receivedAmount = number(row.optionalText(6)), let feeAmount = BigDecimal(row.text(7)),
            let feeValue = number(row.optionalText(9)), let currency = Currency(row.text(10)),
            let day = CivilDate(row.text(11))
        else { return nil }
        let received: Trade.Tokens? =
            if let receivedAmount, let token = row.optionalText(5) {
                Trade.Tokens(tokenID: token, amount: receivedAmount)
            } else { nil }
        let fee: Trade.Fee =
            if let token = row.optionalText(8) {
                .coin(Trade.Tokens(tokenID: token, amount: feeAmount), value: feeValue)
            } else { .money(feeAmount) }
        var details = Trade.Details()
        details.income = row.optionalText(13).flatMap(Trade.Income.init)
        (details.place, details.destination) = (row.text(14), row.text(15))
        (details.portfolio, details.note) = (row.text(16), row.text(17))
        details.tags = row.text(18).split(separator: "\n").map(String.init)
        return try? Trade(
            id: id, tokenID: row.text(0), kind: kind, amount: amount,
            value: price.map { .each($0) } ?? total.map { .total($0) }, received: received, fee: fee,
            currency: currency, date: day, time: row.optionalInt(12), details: details)
    }

    /// A number or nothing; nil for a text that cannot be read.
    private static func number(_ text: String?) -> BigDecimal?? {
        guard let text else { return .some(nil) }
        return BigDecimal(text).map { .some($0) }
    }
}
