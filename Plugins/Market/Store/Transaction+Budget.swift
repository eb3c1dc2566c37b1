package import MarketDomain
import MarketKnownProviders
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

/// Who looks at prices, and until when: only what someone looks at is kept fresh.
extension Transaction {
    /// Notes what `reader` looks at until a time, and forgets readers whose time is over.
    package func setInterest(of reader: String, _ sight: PricesInSight, until: Instant) throws {
        try run("DELETE FROM market_interest WHERE until <= ? AND reader <> ?", now.milliseconds, reader)
        // No id has a control character.
        let tokens = sight.tokens.map(\.text).joined(separator: "\n")
        try run(
            """
            INSERT INTO market_interest (reader, first, rows, tokens, until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (reader) DO UPDATE SET first = excluded.first, rows = excluded.rows, tokens = excluded.tokens,
                until = excluded.until
            """, reader, sight.places.lowerBound, sight.places.upperBound, tokens, until.milliseconds)
    }

    /// Returns what `reader` looks at at a time; nil when it does not look at anything.
    package func interest(of reader: String, at now: Instant, limit: Duration) throws -> PricesInSight? {
        try row(
            "SELECT first, rows, tokens FROM market_interest WHERE reader = ? AND until > ? AND until <= ?", reader,
            now.milliseconds, (now + limit).milliseconds
        ) { PricesInSight($0) }
    }

    /// Returns what all readers look at now. A time that lies further ahead than `limit` was noted before the clock was set
    /// back, and counts as passed.
    package func interests(at now: Instant, limit: Duration) throws -> [PricesInSight] {
        try rows(
            "SELECT first, rows, tokens FROM market_interest WHERE until > ? AND until <= ? ORDER BY reader",
            now.milliseconds, (now + limit).milliseconds
        ) { PricesInSight($0) }
    }

    /// Whether anyone ever asked for the market.
    package func wasAsked() throws -> Bool {
        try row("SELECT 1 FROM market_interest LIMIT 1") { _ in true } ?? false
    }
}

extension PricesInSight {
    /// Reads the columns `first`, `rows` and `tokens`.
    fileprivate init(_ row: borrowing Row) {
        let end = max(row.int(1), 0)
        self.init(
            places: min(max(row.int(0), 0), end)..<end,
            tokens: row.text(2).split(separator: "\n").map { TokenKey(String($0)) })
    }
}
