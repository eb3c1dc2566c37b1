import BigInteger
import CivilDate
package import MarketDomain
import SQLite
package import Storage

/// The trades of the portfolio.
extension Transaction {
    /// Returns the live trades in the order of their days and times, those without a time as they were stored; with `inTrash` those in the
    /// trash.
    package func trades(inTrash: Bool = false) throws -> [TradeRecord] {
        try tradeRecords("deleted_at IS \(inTrash ? "NOT " : "")NULL")
    }

    /// Returns the trade `id`, live or in the trash; nil if there is none.
    package func trade(_ id: String) throws -> TradeRecord? { try tradeRecords("id = ?", id).first }

    /// Whether a trade was imported from `source`, live or in the trash.
    package func hasTrade(from source: String) throws -> Bool {
        try row("SELECT 1 FROM market_trade WHERE source = ?", source) { _ in true } ?? false
    }

    /// Stores a new trade; `source` names the line of a file that it comes from.
    package func insertTrade(_ trade: Trade, source: String? = nil) throws {
        try run(
            """
            INSERT INTO market_trade (id, token, kind, amount, price, fee, currency, day, time, source, revision,
                created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
            """, trade.id, trade.tokenID, trade.kind.rawValue, trade.amount.description, trade.price.description,
            trade.fee.description, trade.currency.code, trade.date.description, trade.time, source,
            now.milliseconds, now.milliseconds)
    }

    /// Replaces the values of the trade that has the id of `trade`.
    package func updateTrade(_ trade: Trade) throws {
        try run(
            """
            UPDATE market_trade SET token = ?, kind = ?, amount = ?, price = ?, fee = ?, currency = ?, day = ?, time = ?,
                revision = revision + 1, changed_at = ? WHERE id = ?
            """, trade.tokenID, trade.kind.rawValue, trade.amount.description, trade.price.description,
            trade.fee.description, trade.currency.code, trade.date.description, trade.time, now.milliseconds, trade.id)
    }

    /// Permanently deletes the trade `id`.
    package func destroyTrade(_ id: String) throws { try run("DELETE FROM market_trade WHERE id = ?", id) }

    private func tradeRecords(_ condition: String, _ arguments: any Bindable...) throws -> [TradeRecord] {
        try rows(
            """
            SELECT id, market_trade.token, kind, amount, price, fee, currency, day, revision, deleted_at, symbol, time
            FROM market_trade LEFT JOIN market_token ON market_token.token = market_trade.token
            WHERE \(condition) ORDER BY day, time, market_trade.rowid
            """, arguments: arguments
        ) { row in
            let id = row.text(0)
            guard let kind = Trade.Kind(rawValue: row.text(2)), let amount = BigDecimal(row.text(3)),
                let price = BigDecimal(row.text(4)), let fee = BigDecimal(row.text(5)),
                let currency = Currency(row.text(6)), let day = CivilDate(row.text(7)),
                let trade = try? Trade(
                    id: id, tokenID: row.text(1), kind: kind, amount: amount, price: price, fee: fee,
                    currency: currency, date: day, time: row.optionalInt(11))
            else {
                throw HubError(
                    .internal, code: "damaged-trade", "the stored trade \(id) cannot be read",
                    hint: "hub doctor checks the store")
            }
            return TradeRecord(
                trade: trade, symbol: row.optionalText(10) ?? row.text(1), revision: row.int(8),
                deletedAt: row.optionalInt(9).map { Instant(milliseconds: Int64($0)) })
        }
    }
}

/// The user's lists of tokens.
extension Transaction {
    /// Returns the lists by name, each in its order.
    package func watchlists() throws -> [Watchlist] {
        let entries = try rows("SELECT list, token FROM market_watch ORDER BY list, position, token") {
            (list: $0.text(0), token: $0.text(1))
        }
        var lists: [Watchlist] = []
        for entry in entries {
            if lists.last?.name != entry.list { lists.append(Watchlist(name: entry.list)) }
            _ = lists[lists.count - 1].add(entry.token)
        }
        return lists
    }

    /// Returns a list; an empty one when there is none of this name.
    package func watchlist(_ name: String) throws -> Watchlist {
        Watchlist(
            name: name,
            ids: try rows("SELECT token FROM market_watch WHERE list = ? ORDER BY position, token", name) {
                $0.text(0)
            })
    }

    /// Stores a list in the place of the one with its name.
    package func storeWatchlist(_ list: Watchlist) throws {
        let old = try watchlist(list.name).ids
        for id in old where !list.ids.contains(id) {
            try run("DELETE FROM market_watch WHERE list = ? AND token = ?", list.name, id)
        }
        for (position, id) in list.ids.enumerated() {
            try run(
                """
                INSERT INTO market_watch (list, token, position) VALUES (?, ?, ?)
                ON CONFLICT (list, token) DO UPDATE SET position = excluded.position
                WHERE position <> excluded.position
                """, list.name, id, position)
        }
    }
}
