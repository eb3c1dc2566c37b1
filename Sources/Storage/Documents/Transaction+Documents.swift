import SQLite
import Text

/// A document in a list of changes.
package struct DocumentEntry: Hashable, Sendable {
    /// Its kind.
    package let kind: String
    /// Its name, which is the id of its entity, and may have a part after that.
    package let name: String
    /// The hash of its bytes; empty if it is gone.
    package let etag: String
    /// The number of its last change.
    package let number: Int

    package init(kind: String, name: String, etag: String, number: Int) {
        self.kind = kind
        self.name = name
        self.etag = etag
        self.number = number
    }
}

/// The documents that hubs exchange. What is read is what ``refreshDocuments(limit:)`` has looked at.
extension Transaction {
    /// Begins to number documents, when the first hub joins.
    package func startDocuments() throws { try asCore { try store.startDocuments() } }

    /// Gives numbers to documents that have changed, for at most `limit` entities.
    /// - Returns: whether that were all.
    package func refreshDocuments(limit: Int) throws -> Bool { try asCore { try store.refreshDocuments(limit: limit) } }

    /// Whether there are entities that have changed since documents were last looked at.
    package func hasStaleDocuments() throws -> Bool {
        try asCore { try row("SELECT 1 FROM core_document_stale LIMIT 1") { _ in true } ?? false }
    }

    /// The number of the last change.
    package func documentNumber() throws -> Int { try asCore { try store.documentNumber() } }

    /// The kinds of documents of all plugins that are on, in the order in which they are exchanged, with the plugin of each.
    package func documentKinds() -> [(owner: String, kind: DocumentKind)] {
        store.catalog.entries.filter { store.problems[$0.schema.owner] == nil }.flatMap { entry in
            entry.schema.documents.map { (entry.schema.owner, $0) }
        }
    }

    /// For each kind, a word that is the same on two machines that store its rows alike.
    package func documentForms() -> [String: String] {
        Dictionary(
            documentKinds().map { ($0.kind.id, String(store.catalog[$0.owner]?.schema.migrations.count ?? 0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The number of documents of each kind.
    package func documentCounts() throws -> [String: Int] {
        try asCore {
            let rows = try rows("SELECT kind, count(*) FROM core_document WHERE gone = 0 GROUP BY kind") {
                ($0.text(0), $0.int(1))
            }
            return Dictionary(rows) { first, _ in first }
        }
    }

    /// Returns the changes after `number`, in that order, at most `limit`.
    package func documentChanges(after number: Int, limit: Int) throws -> [DocumentEntry] {
        try asCore {
            try rows(
                "SELECT kind, name, etag, number FROM core_document WHERE number > ? ORDER BY number LIMIT ?", number,
                limit
            ) { DocumentEntry(kind: $0.text(0), name: $0.text(1), etag: $0.text(2), number: $0.int(3)) }
        }
    }

    /// Returns the documents of a kind that an entity has.
    package func documents(of subject: String, _ kind: DocumentKind) throws -> [DocumentEntry] {
        try asCore {
            try rows(
                """
                SELECT kind, name, etag, number FROM core_document INDEXED BY core_document_subject
                WHERE kind = ? AND subject = ? AND gone = 0 ORDER BY name
                """, kind.id, subject
            ) { DocumentEntry(kind: $0.text(0), name: $0.text(1), etag: $0.text(2), number: $0.int(3)) }
        }
    }

    /// Notes that a document that was never here is gone, so that the home is told.
    package func noteGone(_ name: String, of kind: DocumentKind) throws {
        _ = try asCore {
            try run(
                """
                INSERT OR IGNORE INTO core_document
                VALUES (?, ?, ?, '', (SELECT coalesce(max(number), 0) + 1 FROM core_document), 1)
                """, kind.id, name, kind.subject(of: name))
        }
    }

    /// Reads a document as it is now; empty if it does not exist.
    package func document(_ name: String, of kind: DocumentKind) throws -> Document {
        try asCore { try store.document(name, kind) }
    }

    /// Returns for each entity a word that those of another machine have if they are the same; an entity that has none is left out. Lists
    /// have their names.
    package func identities(of kind: DocumentKind) throws -> [String] {
        try asCore {
            let names = try rows("SELECT name FROM core_document WHERE kind = ? AND gone = 0", kind.id) { $0.text(0) }
            if kind.match.isEmpty { return names }
            guard let table = kind.tables.first else { return [] }
            let columns = kind.match.map { quoted($0) }.joined(separator: ", ")
            let trash = table.rules.first(where: { if case .trash = $0.value { true } else { false } })?.key
            let condition =
                (kind.match.map { "\(quoted($0)) IS NOT NULL" } + (trash.map { ["\(quoted($0)) IS NULL"] } ?? []))
                .joined(separator: " AND ")
            return try rows("SELECT \(columns) FROM \(quoted(table.name)) WHERE \(condition)") { row in
                String(try Document.etag(Document.key(kind.match.indices.map { row.value($0) }).bytes).prefix(16))
            }
        }
    }

    /// Makes the rows of an entity those of a document, which is removed for good if that is empty, and lets the plugin derive from them.
    ///
    /// All or nothing: what the rules of the plugin do not allow throws ``DocumentProblem``, and nothing is changed. With `renaming`, a word
    /// for this machine, an entity here that has the same unique name gets the word after its own.
    package func write(
        _ document: Document, as name: String, of kind: DocumentKind, renaming word: String? = nil
    ) throws {
        let subject = kind.parse(name).subject
        do {
            try asCore {
                try store.connection.savepoint {
                    try store.inScope(.plugin(entry.number)) {
                        if let word { try makeRoom(for: document, subject, kind, word) }
                        try writeRows(document, name, kind)
                        try entry.schema.reindex([subject], self)
                    }
                    try store.numberDocument(name, kind)
                }
            }
        } catch let error as SQLiteError where !error.isDiskFull && !error.isBusy && !error.isReadOnly {
            throw DocumentProblem(reason: error.message)
        }
    }

    /// Publishes that entities were changed from outside.
    package func announceDocuments(of subjects: [String]) throws { try entry.schema.announce(subjects, self) }

    private func writeRows(_ document: Document, _ name: String, _ kind: DocumentKind) throws {
        let current = try self.document(name, of: kind)
        let subject = kind.parse(name).subject
        for table in document.tables.keys where !kind.tables.contains(where: { $0.name == table }) {
            throw DocumentProblem(reason: "it has rows of \(table), which does not belong to it")
        }
        for table in kind.tables.reversed() {
            let kept = document.tables[table.name] ?? [:]
            for key in (current.tables[table.name] ?? [:]).keys where kept[key] == nil {
                let (condition, values) = try place(of: key, subject, table)
                try run("DELETE FROM \(quoted(table.name)) WHERE \(condition)", arguments: values)
            }
        }
        for table in kind.tables {
            let columns = Set(try store.layout(of: table.name).filter { !$0.isKey }.map(\.name))
            let revision = table.rules.first { if case .revision = $0.value { true } else { false } }?.key
            for (key, row) in document.tables[table.name] ?? [:] {
                if let unknown = row.keys.first(where: { !columns.contains($0) || !table.isExchanged($0) }) {
                    throw DocumentProblem(reason: "it has a value \(unknown), which is not exchanged")
                }
                if let own = row.first(where: { !table.isExchanged($0.key, $0.value.value) })?.key {
                    throw DocumentProblem(reason: "its \(own) is one of another machine alone")
                }
                if let old = current.tables[table.name]?[key] {
                    try update(row, over: old, at: key, subject, table, revision)
                } else {
                    try insert(row, at: key, subject, table, revision)
                }
            }
        }
    }

    private func update(
        _ row: Document.Row, over old: Document.Row, at key: ByteString, _ subject: String, _ table: DocumentTable,
        _ revision: String?
    ) throws {
        let changed = row.filter { old[$0.key] != $0.value }.sorted { $0.key < $1.key }
        let dropped = old.keys.filter { row[$0] == nil }.sorted()
        if changed.isEmpty, dropped.isEmpty { return }
        let (condition, values) = try place(of: key, subject, table)
        var settings = changed.map { "\(quoted($0.key)) = ?" } + dropped.map { "\(quoted($0)) = NULL" }
        if let revision { settings.append("\(quoted(revision)) = \(quoted(revision)) + 1") }
        try run(
            "UPDATE \(quoted(table.name)) SET \(settings.joined(separator: ", ")) WHERE \(condition)",
            arguments: changed.map(\.value.value) + values)
    }

    private func insert(
        _ row: Document.Row, at key: ByteString, _ subject: String, _ table: DocumentTable, _ revision: String?
    ) throws {
        let keys = try store.keyColumns(of: table.name).filter { $0 != table.subject }
        let rest = try Document.values(of: key)
        guard rest.count == keys.count else { throw DocumentProblem(reason: "a row has another key") }
        let cells = row.sorted { $0.key < $1.key }
        let columns = [table.subject] + keys + cells.map(\.key) + (revision.map { [$0] } ?? [])
        let values: [any Bindable] =
            [subject] + rest + cells.map(\.value.value) + (revision == nil ? [] : [1])
        try run(
            """
            INSERT INTO \(quoted(table.name)) (\(columns.map { quoted($0) }.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """, arguments: values)
    }

    private func place(of key: ByteString, _ subject: String, _ table: DocumentTable) throws -> (String, [any Bindable])
    {
        let keys = try store.keyColumns(of: table.name).filter { $0 != table.subject }
        let rest = try Document.values(of: key)
        guard rest.count == keys.count else { throw DocumentProblem(reason: "a row has another key") }
        let condition = ([table.subject] + keys).map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        return (condition, [subject] + rest)
    }

    /// Gives an entity here another name if it has that of the document.
    private func makeRoom(for document: Document, _ subject: String, _ kind: DocumentKind, _ word: String) throws {
        guard let column = kind.uniqueName, let table = kind.tables.first,
            let row = document.tables[table.name]?.values.first, case .text(let name)? = row[column]?.value
        else { return }
        let trash = table.rules.first { if case .trash = $0.value { true } else { false } }?.key
        if let trash, row[trash]?.value != .null { return }
        let isLive = trash.map { "\(quoted($0)) IS NULL" } ?? "1"
        let other = try self.row(
            """
            SELECT \(quoted(table.subject)) FROM \(quoted(table.name))
            WHERE \(quoted(column)) = ? AND \(isLive) AND \(quoted(table.subject)) <> ?
            """, name, subject
        ) { $0.text(0) }
        guard let other else { return }
        var mine = try self.document(other, of: kind)
        for number in 1...9 {
            let new = number == 1 ? "\(name) (\(word))" : "\(name) (\(word) \(number))"
            let isTaken = try self.row(
                "SELECT 1 FROM \(quoted(table.name)) WHERE \(quoted(column)) = ? AND \(isLive)", new
            ) { _ in true }
            if isTaken != nil { continue }
            for key in (mine.tables[table.name] ?? [:]).keys {
                mine.tables[table.name]?[key]?[column] = Document.Cell(.text(new))
            }
            return try write(mine, as: other, of: kind)
        }
    }
}

extension Document {
    /// The time of what the document is about, by the column that its kind names.
    package func time(of kind: DocumentKind) -> Instant? {
        guard let column = kind.lazyFiles, let table = kind.tables.first, let row = tables[table.name]?.values.first,
            case .integer(let time)? = row[column]?.value
        else { return nil }
        return Instant(milliseconds: Int64(time))
    }

    /// The files that its rows name.
    package var blobs: Set<String> {
        Set(
            tables.values.flatMap(\.values).flatMap { row in
                row.compactMap { column, cell in
                    guard column == "blob" || column.hasSuffix("_blob"), case .text(let id) = cell.value else {
                        return nil
                    }
                    return id
                }
            })
    }

    /// The values by which an entity is known to be the same as one of another machine; nil if there are none, or it is in the trash.
    func identity(_ kind: DocumentKind) -> [Cell]? {
        guard !kind.match.isEmpty, let table = kind.tables.first, let row = tables[table.name]?.values.first else {
            return nil
        }
        for (column, rule) in table.rules {
            if case .trash = rule, let cell = row[column], cell.value != .null { return nil }
        }
        let cells = kind.match.compactMap { row[$0] }
        return cells.count == kind.match.count && !cells.contains { $0.value == .null } ? cells : nil
    }
}
