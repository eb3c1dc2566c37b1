import SQLite
import Text

/// The documents of a store: reads them from their rows, and numbers their changes.
///
/// A commit only notes which entities it touched. Their documents are looked at when another hub is spoken to; those whose hash is another
/// one get the next number. So undo, imports, devices and accounts are seen alike, and a store that no other hub has joined pays nothing.
extension StoreConnection {
    private static let setting = "documents"

    /// Whether another hub has joined, or was joined.
    func hasDocuments() throws -> Bool {
        try connection.row("SELECT 1 FROM core_setting WHERE name = ?", Self.setting) { _ in true } ?? false
    }

    /// Notes that entities have changed, in any scope.
    func noteStaleDocuments(of subjects: some Sequence<String>, owner: String) throws {
        guard catalog[owner].map({ !$0.schema.documents.isEmpty }) ?? false else { return }
        try inScope(.store) {
            guard try hasDocuments() else { return }
            for subject in subjects {
                try connection.run("INSERT OR IGNORE INTO core_document_stale VALUES (?, ?)", owner, subject)
            }
        }
    }

    /// Forgets every copy of the content of entities that are deleted for good. That they are gone is still told.
    func forgetDocuments(of subjects: [String], owner: String) throws {
        guard try hasDocuments() else { return }
        try noteStaleDocuments(of: subjects, owner: owner)
        for kind in catalog[owner]?.schema.documents ?? [] {
            for subject in subjects {
                for name in try connection.rows(
                    "SELECT name FROM core_document INDEXED BY core_document_subject WHERE kind = ? AND subject = ?",
                    kind.id, subject,
                    body: { $0.text(0) })
                {
                    try connection.run(
                        """
                        UPDATE core_machine_item SET content = NULL
                        WHERE machine IN (SELECT name FROM core_machine) AND kind = ? AND local = ?
                        """, kind.id, name)
                    try connection.run(
                        "UPDATE core_machine_sent SET content = NULL WHERE kind = ? AND local = ?", kind.id, name)
                    try connection.run("DELETE FROM core_machine_held WHERE kind = ? AND name = ?", kind.id, name)
                }
            }
        }
    }

    /// Begins to number documents: all entities are to be looked at.
    func startDocuments() throws {
        guard try !hasDocuments() else { return }
        try connection.run("INSERT INTO core_setting VALUES (?, 'on')", Self.setting)
        for entry in catalog.entries where problems[entry.schema.owner] == nil { try noteAllDocuments(of: entry) }
    }

    /// Notes that all entities of a plugin are to be looked at: their documents may have another form.
    func noteAllDocuments(of entry: SchemaCatalog.Entry) throws {
        guard try hasDocuments() else { return }
        for table in Set(entry.schema.documents.flatMap { $0.tables.map { [$0.name, $0.subject] } }) {
            try connection.run(
                """
                INSERT OR IGNORE INTO core_document_stale
                SELECT DISTINCT ?, \(quoted(table[1])) FROM \(quoted(table[0]))
                """, entry.schema.owner)
        }
    }

    /// The kind named `id`, with its plugin; nil if no plugin that is on declares it.
    func documentKind(_ id: String) -> (entry: SchemaCatalog.Entry, kind: DocumentKind)? {
        for entry in catalog.entries where problems[entry.schema.owner] == nil {
            if let kind = entry.schema.documents.first(where: { $0.id == id }) { return (entry, kind) }
        }
        return nil
    }

    /// Looks at entities that have changed, at most `limit`.
    /// - Returns: whether all were looked at.
    func refreshDocuments(limit: Int) throws -> Bool {
        let stale = try connection.rows(
            "SELECT owner, subject FROM core_document_stale LIMIT ?", limit
        ) { ($0.text(0), $0.text(1)) }
        for (owner, subject) in stale {
            for kind in catalog[owner]?.schema.documents ?? [] { try numberDocuments(of: subject, kind) }
            try connection.run("DELETE FROM core_document_stale WHERE owner = ? AND subject = ?", owner, subject)
        }
        return stale.count < limit
    }

    /// Gives numbers to the documents of an entity that have changed.
    ///
    /// The index is named: without statistics SQLite would look at all documents of the kind, for each of its entities.
    func numberDocuments(of subject: String, _ kind: DocumentKind) throws {
        var names = Set(
            try connection.rows(
                """
                SELECT name FROM core_document INDEXED BY core_document_subject
                WHERE kind = ? AND subject = ? AND gone = 0
                """, kind.id, subject
            ) { $0.text(0) })
        if let part = kind.part, let table = kind.tables.first {
            names.formUnion(
                try connection.rows(
                    "SELECT DISTINCT \(part) FROM \(quoted(table.name)) WHERE \(quoted(table.subject)) = ?", subject
                ) { kind.name(of: subject, part: $0.text(0)) })
        } else {
            names.insert(subject)
        }
        for name in names.sorted() { try numberDocument(name, kind) }
    }

    /// Gives a number to a document if it has changed.
    func numberDocument(_ name: String, _ kind: DocumentKind) throws {
        let known = try connection.row(
            "SELECT etag, gone FROM core_document WHERE kind = ? AND name = ?", kind.id, name
        ) { (etag: $0.text(0), isGone: $0.bool(1)) }
        let document = try document(name, kind)
        // Writing a document is what costs most here.
        let etag = try document.etag
        if document.isEmpty {
            guard let known, !known.isGone else { return }
        } else if let known, !known.isGone, known.etag == etag {
            return
        }
        try connection.run(
            """
            INSERT INTO core_document VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(max(number), 0) + 1 FROM core_document), ?5)
            ON CONFLICT (kind, name) DO UPDATE SET etag = excluded.etag, number = excluded.number, gone = excluded.gone
            """, kind.id, name, kind.parse(name).subject, etag, document.isEmpty)
    }

    /// The highest number.
    func documentNumber() throws -> Int {
        try connection.row("SELECT coalesce(max(number), 0) FROM core_document") { $0.int(0) } ?? 0
    }

    /// Reads a document; empty if it does not exist.
    func document(_ name: String, _ kind: DocumentKind) throws -> Document {
        var document = Document()
        let (subject, part) = kind.parse(name)
        for table in kind.tables {
            let layout = try layout(of: table.name)
            let keys = layout.filter { $0.isKey && $0.name != table.subject }.map(\.name)
            let columns = layout.filter { !$0.isKey && table.isExchanged($0.name) }.map(\.name)
            // A constant stands for no columns.
            let selected = (keys + columns).map { quoted($0) }.joined(separator: ", ")
            let condition = part == nil ? "" : " AND \(kind.part ?? "") = ?2"
            var rows: [ByteString: Document.Row] = [:]
            try connection.scan(
                "SELECT \(selected.isEmpty ? "1" : selected) FROM \(quoted(table.name)) WHERE \(quoted(table.subject)) = ?1"
                    + condition, arguments: [subject] + (part.map { [$0] } ?? [])
            ) { row in
                let key = Document.key(keys.indices.map { row.value($0) })
                var cells: Document.Row = [:]
                for (index, column) in columns.enumerated() {
                    let value = row.value(keys.count + index)
                    if table.isExchanged(column, value) { cells[column] = Document.Cell(value) }
                }
                rows[key] = cells
                return true
            }
            if !rows.isEmpty { document.tables[table.name] = rows }
        }
        return document
    }
}
