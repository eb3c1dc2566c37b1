import SQLite
import Storage

/// The notes that everyone with their address can read.
extension Transaction {
    /// Returns the live note with this token; nil if there is none.
    func note(withPublicationToken token: String) throws -> String? {
        try row(
            """
            SELECT p.note FROM notes_publication p JOIN notes_note n ON n.id = p.note
            WHERE p.token = ? AND n.deleted_at IS NULL
            """, token
        ) { $0.text(0) }
    }

    /// Returns the token of a note; nil for one that is not public.
    func publicationToken(of note: String) throws -> String? {
        try row("SELECT token FROM notes_publication WHERE note = ?", note) { $0.text(0) }
    }

    /// Gives a note a token, or takes it away.
    func setPublicationToken(_ token: String?, of note: String) throws {
        if let token {
            try run("INSERT INTO notes_publication (note, token) VALUES (?, ?)", note, token)
        } else {
            try run("DELETE FROM notes_publication WHERE note = ?", note)
        }
    }

    /// Returns the notes that have a token, which may be in the trash.
    func publications() throws -> [(note: String, token: String)] {
        try rows("SELECT note, token FROM notes_publication ORDER BY note") { ($0.text(0), $0.text(1)) }
    }
}
