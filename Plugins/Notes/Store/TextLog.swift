import NotesDomain
import SQLite
import Storage
import TextCRDT

/// The stored form of a note's texts with their history: a packed beginning, and after it the edits as they came. Which edit is
/// where is known here only.
struct TextLog {
    /// The bytes of edits after the packed beginning from which on they are packed, and their share of it.
    private static let (packedBytes, packedShare) = (8192, 2)

    let transaction: Transaction
    let note: String

    /// Reads the texts with all their edits.
    func read() throws -> NoteDocument {
        var parts: [NoteField: [[UInt8]]] = [:]
        for query in [
            "SELECT field, events FROM notes_log WHERE note = ?",
            "SELECT field, events FROM notes_events WHERE note = ? ORDER BY place",
        ] {
            try transaction.scan(query, note) { row in
                parts[Self.field(row.text(0)), default: []].append(row.blob(1))
                return true
            }
        }
        do {
            var document = try NoteDocument(title: parts[.title] ?? [], content: parts[.content] ?? [])
            for (field, agent, first, edits) in try older() {
                try document.apply(edits, to: field, by: agent, at: document[field].version, from: first)
            }
            return document
        } catch let error as TextCRDTError {
            throw HubError.damagedLog(
                of: note, hint: "hub doctor checks the store; a backup has the note", cause: error)
        }
    }

    /// Stores the edits of a patch, which the document has and the stored one lacks.
    func append(_ patch: NotePatch, of document: @autoclosure () -> NoteDocument) throws {
        let last = try transaction.row(
            "SELECT place, size FROM notes_events WHERE note = ? ORDER BY place DESC LIMIT 1", note
        ) { (place: $0.int(0), size: $0.int(1)) }
        var (place, size) = last ?? (0, 0)
        if last == nil, try hasOlder() { return try pack(document()) }
        for field in NoteField.allCases {
            guard let events = patch[field] else { continue }
            (place, size) = (place + 1, size + events.count)
            try transaction.run(
                "INSERT INTO notes_events (note, place, field, events, size) VALUES (?, ?, ?, ?, ?)", note, place,
                field.rawValue, events, size)
        }
        guard size > Self.packedBytes, try size > packedSize() / Self.packedShare else { return }
        try pack(document())
    }

    /// Stores texts with their whole history in place of what is stored.
    func pack(_ document: NoteDocument) throws {
        for field in NoteField.allCases where !document[field].version.heads.isEmpty {
            try transaction.run(
                """
                INSERT INTO notes_log (note, field, events) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET events = excluded.events
                """, note, field.rawValue, document.encoded(field))
        }
        for table in ["notes_events", "notes_addition"] {
            try transaction.run("DELETE FROM \(table) WHERE note = ?", note)
        }
    }

    private func packedSize() throws -> Int {
        try transaction.row("SELECT ifnull(sum(length(events)), 0) FROM notes_log WHERE note = ?", note) { $0.int(0) }
            ?? 0
    }

    private static func field(_ text: String) -> NoteField { NoteField(rawValue: text) ?? .content }

    // MARK: The form before notes_events

    /// The edits of the newest text that a store of an older version has beside the log.
    private func older() throws -> [(field: NoteField, agent: String, first: Int, edits: [TextEdit])] {
        try transaction.rows(
            "SELECT field, agent, first, edits FROM notes_addition WHERE note = ? ORDER BY place", note
        ) { (Self.field($0.text(0)), $0.text(1), $0.int(2), try [TextEdit](decoding: $0.blob(3))) }
    }

    private func hasOlder() throws -> Bool {
        try transaction.row("SELECT 1 FROM notes_addition WHERE note = ? LIMIT 1", note) { $0.int(0) } != nil
    }
}

extension Transaction {
    /// Returns the texts of a note with all their edits.
    func document(of id: String) throws -> NoteDocument { try TextLog(transaction: self, note: id).read() }
}
