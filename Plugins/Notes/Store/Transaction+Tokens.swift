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
        }
    }
}
