import NotesDomain
import SQLite
import Storage

/// Who did what at the server.
extension Transaction {
    /// Records what was done, and forgets what is too old.
    func record(_ entry: AuditEntry) throws {
        try run("DELETE FROM notes_audit WHERE at < ?", (now - .seconds(AuditEntry.days * 86_400)).milliseconds)
        try run(
            "INSERT INTO notes_audit (at, person, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
            entry.at.milliseconds, entry.person, entry.action.rawValue, entry.subject, entry.detail)
        try run("DELETE FROM notes_audit WHERE id <= last_insert_rowid() - ?", AuditEntry.maximumCount)
    }

    /// Records what is done in this transaction.
    func record(_ action: AuditEntry.Action, of note: String, by person: String, detail: String = "") throws {
        try record(AuditEntry(at: now, person: person, action, note, detail: detail))
    }

    /// Returns what was recorded, the newest first.
    func audit(of person: String?, limit: Int) throws -> [AuditEntry] {
        try rows(
            """
            SELECT at, person, action, subject, detail FROM notes_audit WHERE ?1 IS NULL OR person = ?1 OR subject = ?1
            ORDER BY id DESC LIMIT ?2
            """, person, limit
        ) { row in
            AuditEntry.Action(rawValue: row.text(2)).map {
                AuditEntry(
                    at: Instant(milliseconds: Int64(row.int(0))), person: row.text(1), $0, row.text(3),
                    detail: row.text(4))
            }
        }.compactMap(\.self)
    }
}
