package import MarketDomain
import SQLite
package import Storage

/// The calls that providers allow, in a row for each that all processes share.
extension Transaction {
    /// Returns the row of a provider; an empty one when it was never asked.
    package func budgetRow(of provider: Provider) throws -> CallBudget.Row {
        try row(
            "SELECT calls, month, month_calls, blocked_until, rate_limits FROM market_budget WHERE provider = ?",
            provider.rawValue
        ) { row in
            CallBudget.Row(
                calls: row.text(0).split(separator: " ").compactMap { Int64($0).map(Instant.init(milliseconds:)) },
                month: row.int(1), monthCalls: row.int(2),
                blockedUntil: row.optionalInt(3).map { Instant(milliseconds: Int64($0)) }, rateLimits: row.int(4))
        } ?? CallBudget.Row()
    }

    /// Stores the row of a provider.
    package func storeBudgetRow(_ row: CallBudget.Row, of provider: Provider) throws {
        try run(
            """
            INSERT INTO market_budget (provider, calls, month, month_calls, blocked_until, rate_limits)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (provider) DO UPDATE SET calls = excluded.calls, month = excluded.month,
                month_calls = excluded.month_calls, blocked_until = excluded.blocked_until,
                rate_limits = excluded.rate_limits
            """, provider.rawValue, row.calls.map { "\($0.milliseconds)" }.joined(separator: " "), row.month,
            row.monthCalls, row.blockedUntil?.milliseconds, row.rateLimits)
    }
}

/// Who reads the board, and until when: the service refreshes it only for readers.
extension Transaction {
    /// Notes that `reader` needs these rows of the board until a time.
    package func setInterest(of reader: String, rows: Range<Int>, until: Instant) throws {
        try run(
            """
            INSERT INTO market_interest (reader, first, rows, until) VALUES (?, ?, ?, ?)
            ON CONFLICT (reader) DO UPDATE SET first = excluded.first, rows = excluded.rows, until = excluded.until
            """, reader, rows.lowerBound, rows.upperBound, until.milliseconds)
    }

    /// Returns the rows that `reader` needs at a time; nil when it needs none.
    package func interest(of reader: String, at now: Instant, limit: Duration) throws -> Range<Int>? {
        try row(
            "SELECT first, rows FROM market_interest WHERE reader = ? AND until > ? AND until <= ?", reader,
            now.milliseconds, (now + limit).milliseconds
        ) { Self.range($0.int(0), $0.int(1)) }
    }

    /// Returns the rows that readers need now, from the first to the last one; nil without readers. A time that lies further
    /// ahead than `limit` was noted before the clock was set back, and counts as passed.
    package func neededRows(at now: Instant, limit: Duration) throws -> Range<Int>? {
        try row(
            """
            SELECT min(CASE WHEN rows > first THEN first END), max(rows) FROM market_interest WHERE until > ? AND until <= ?
            """, now.milliseconds, (now + limit).milliseconds
        ) { row in row.optionalInt(1).map { Self.range(row.optionalInt(0) ?? $0, $0) } } ?? nil
    }

    private static func range(_ first: Int, _ end: Int) -> Range<Int> { min(max(first, 0), end)..<end }

    /// Whether anyone ever asked for the market.
    package func wasAsked() throws -> Bool {
        try row("SELECT 1 FROM market_interest LIMIT 1") { _ in true } ?? false
    }
}
