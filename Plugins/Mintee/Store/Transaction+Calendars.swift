import SQLite
package import Storage

/// The calendars of accounts with their sync tokens.
extension Transaction {
    /// Returns the calendar for tasks of an account; nil if it has not been found yet.
    package func calendar(of account: String) throws -> KnownCalendar? {
        try row("SELECT href, name, token, state FROM mintee_calendar WHERE account = ?", account) {
            KnownCalendar(
                account: account, href: $0.text(0), name: $0.text(1), token: $0.optionalText(2),
                state: $0.optionalText(3))
        }
    }

    /// Stores the calendar with its sync token. The links of a previous calendar are deleted.
    package func saveCalendar(_ calendar: KnownCalendar) throws {
        if try self.calendar(of: calendar.account)?.href != calendar.href {
            try run("DELETE FROM mintee_todo WHERE account = ?", calendar.account)
        }
        try run(
            "INSERT OR REPLACE INTO mintee_calendar (account, href, name, token, state) VALUES (?, ?, ?, ?, ?)",
            calendar.account, calendar.href, calendar.name, calendar.token, calendar.state)
    }

    /// Deletes the stored calendar of an account, after it was deleted on the server.
    package func forgetCalendar(of account: String) throws {
        try run("DELETE FROM mintee_todo WHERE account = ?", account)
        try run("DELETE FROM mintee_calendar WHERE account = ?", account)
    }
}

/// The calendar for tasks of an account.
package struct KnownCalendar: Hashable, Sendable {
    /// The name of the account.
    package let account: String
    /// The path of the calendar on the server.
    package let href: String
    /// The name of the calendar.
    package let name: String
    /// The sync token (RFC 6578) of the last sync; nil to fetch everything.
    package var token: String?
    /// The sync token or CTag of the calendar, which changes with its contents; nil if unknown.
    package var state: String?

    package init(account: String, href: String, name: String, token: String? = nil, state: String? = nil) {
        self.account = account
        self.href = href
        self.name = name
        self.token = token
        self.state = state
    }
}
