import NotesDomain
import SQLite
import Storage

/// The tokens of the server's accounts, by their hashes.
extension Transaction {
    /// Whether there is any account.
    func hasTokens() throws -> Bool { try row("SELECT 1 FROM notes_token LIMIT 1") { $0.int(0) } != nil }

    /// What clients without an account may do: what the settings say, or else everything while there is no account.
    func legacyMode(_ decided: LegacyMode?) throws -> LegacyMode { try decided ?? (hasTokens() ? .off : .open) }

    /// Returns whose a token is, and when it was last used; nil for an unknown one.
    func token(_ hash: [UInt8]) throws -> (person: String, usedAt: Instant?)? {
        try row("SELECT person, used_at FROM notes_token WHERE hash = ?", hash) {
            ($0.text(0), $0.optionalInt(1).map { Instant(milliseconds: Int64($0)) })
        }
    }

    /// Adds a token of a person.
    func addToken(_ hash: [UInt8], of person: String) throws {
        try run(
            "INSERT INTO notes_token (hash, person, created_at) VALUES (?, ?, ?)", hash, person, now.milliseconds)
    }

    /// Records that a token is used now.
    func setUsed(_ hash: [UInt8]) throws {
        try run("UPDATE notes_token SET used_at = ? WHERE hash = ?", now.milliseconds, hash)
    }

    /// Removes all tokens of a person; returns how many there were.
    func removeTokens(of person: String) throws -> Int {
        try run("DELETE FROM notes_token WHERE person = ?", person)
    }

    /// Returns the accounts, which are the people with a token, by their names.
    func serverAccounts() throws -> [ServerAccount] {
        try rows(
            "SELECT person, count(*), min(created_at), max(used_at) FROM notes_token GROUP BY person ORDER BY person"
        ) {
            ServerAccount(
                name: $0.text(0), tokens: $0.int(1), createdAt: Instant(milliseconds: Int64($0.int(2))),
                usedAt: $0.optionalInt(3).map { Instant(milliseconds: Int64($0)) })
        }.map { account in
            var account = account
            (account.usage, account.limits) = (try usage(of: account.name), try limits(of: account.name))
            return account
        }
    }
}

/// What accounts have, and may have.
extension Transaction {
    /// Sets the limits of an account; nil gives it those of the settings.
    func setLimits(_ limits: AccountLimits?, of person: String) throws {
        try run("DELETE FROM notes_limit WHERE person = ?", person)
        guard let limits else { return }
        try run(
            "INSERT INTO notes_limit (person, notes, texts, attachments) VALUES (?, ?, ?, ?)", person, limits.notes,
            limits.texts, limits.attachments)
    }

    /// Returns the limits of an account of its own.
    func limits(of person: String) throws -> AccountLimits? {
        try row("SELECT notes, texts, attachments FROM notes_limit WHERE person = ?", person) {
            AccountLimits(notes: $0.optionalInt(0), texts: $0.optionalInt(1), attachments: $0.optionalInt(2))
        }
    }

    /// Returns what an account has.
    func usage(of person: String) throws -> AccountUsage {
        let own = "(SELECT id FROM notes_note WHERE owner = ?1)"
        return try row(
            """
            SELECT (SELECT count(*) FROM notes_note WHERE owner = ?1),
                (SELECT ifnull(sum(length(events)), 0) FROM notes_log WHERE note IN \(own))
                    + (SELECT ifnull(sum(length(events)), 0) FROM notes_events WHERE note IN \(own)),
                (SELECT ifnull(sum(size), 0) FROM notes_attachment WHERE note IN \(own))
            """, person
        ) { AccountUsage(notes: $0.int(0), texts: $0.int(1), attachments: $0.int(2)) } ?? AccountUsage()
    }

    /// Returns what an account has and may have; nil where there are no limits.
    func limited(_ person: String, _ meter: AccountMeter) throws -> AccountMeter.Account? {
        let hasOwn = try row("SELECT 1 FROM notes_limit LIMIT 1") { $0.int(0) } != nil
        guard !person.isEmpty, hasOwn || !meter.defaults.isEmpty else { return nil }
        let limits = try limits(of: person) ?? meter.defaults
        return limits.isEmpty ? nil : AccountMeter.Account(usage: try usage(of: person), limits: limits)
    }

    /// Throws if an account may not have `more`.
    func take(_ more: AccountUsage, for person: String, _ meter: AccountMeter) throws {
        guard more != AccountUsage() else { return }
        var account = meter.account(person, for: more, at: now)
        if account == nil {
            account = try limited(person, meter)
            if let account { meter.keep(account, of: person, at: now) }
        }
        if let account { try meter.take(more, for: person, account) }
    }
}
