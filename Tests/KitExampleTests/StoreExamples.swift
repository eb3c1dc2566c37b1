import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

// example
enum PantrySchema {
    static let words = FullTextTable("pantry_words", over: "pantry_text", columns: ["name"])

    static let schema = PluginSchema(
        owner: "pantry",
        migrations: [
            Migration(
                "0001-jars",
                """
                CREATE TABLE pantry_jar (
                    id TEXT PRIMARY KEY, name TEXT NOT NULL, grams INTEGER NOT NULL, photo_blob TEXT) STRICT;
                CREATE TABLE pantry_text (
                    number INTEGER PRIMARY KEY, jar TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
                CREATE VIRTUAL TABLE pantry_words USING fts5(
                    name, content='pantry_text', content_rowid='number', detail=column, tokenize='ascii');
                """)
        ], recorded: [RecordedTable("pantry_jar", subject: "id")],
        reindex: { ids, transaction in for id in ids { try transaction.reindexJar(id) } },
        merge: { change, transaction in try transaction.mergeJar(change) })
}
// end

// example
extension PantrySchema {
    /// Once pictures were in a column; this moves them to files, and leaves rows alone that have one.
    static let photoFiles = Migration(
        "0002-photo-files", "ALTER TABLE pantry_jar ADD COLUMN photo BLOB;",
        blobs: BlobMove(table: "pantry_jar", content: "photo", blob: "photo_blob"))
}
// end

// example
extension Transaction {
    /// Undoes a change of a jar that was changed later: the name goes back, a later weight stays and is named.
    func mergeJar(_ change: OutdatedChange) throws -> [String]? {
        guard case .text(let id)? = change.key.first, case .text(let name)? = change.wanted["name"] else { return nil }
        try run("UPDATE pantry_jar SET name = ? WHERE id = ?", name, id)
        return change.wanted.keys.filter { $0 != "name" }.map { "the later \($0)" }
    }
}
// end

// example
extension Transaction {
    func jars(_ condition: String = "", _ arguments: [any Bindable] = []) throws -> [Jar] {
        try rows("SELECT id, name, grams FROM pantry_jar \(condition) ORDER BY name", arguments: arguments) { row in
            Jar(id: row.text(0), name: row.text(1), grams: row.int(2))
        }
    }

    func addJar(_ name: String, grams: Int) throws -> Jar {
        let jar = Jar(id: Identifier.make(), name: name, grams: grams)
        try run("INSERT INTO pantry_jar VALUES (?, ?, ?, NULL)", jar.id, jar.name, jar.grams)
        try reindexJar(jar.id)
        return jar
    }
}
// end

// example
extension Transaction {
    /// Derives the row of words of a jar, which may be gone.
    func reindexJar(_ id: String) throws {
        let known = try row("SELECT number FROM pantry_text WHERE jar = ?", id) { $0.int(0) }
        if let known { try removeTexts(known...known, from: PantrySchema.words) }
        try run("DELETE FROM pantry_text WHERE jar = ?", id)
        guard let jar = try jars("WHERE id = ?", [id]).first else { return }
        try run("INSERT INTO pantry_text (jar, name) VALUES (?, ?)", id, jar.name.lowercased())
        try addTexts(lastInsertedRow...lastInsertedRow, to: PantrySchema.words)
        try mergeSegments(of: PantrySchema.words)
    }

    /// Returns the jars that have words with these beginnings.
    func jars(matching text: String) throws -> [Jar] {
        let words = SearchWord.words(of: text.lowercased())
        if words.isEmpty { return try jars() }
        let query = words.map { $0.quoted + "*" }.joined(separator: " ")
        return try jars(
            """
            WHERE id IN (SELECT jar FROM pantry_text WHERE number IN
                (SELECT rowid FROM pantry_words WHERE pantry_words MATCH ?))
            """, [query])
    }
}
// end

/// The store: schema, reading, writing, searching, history.
struct StoreExamples {
    private let database = Database(
        at: .memory, plugins: [PantrySchema.schema], clock: FixedClock(), executors: .queues)
    private var store: Store { database.store(for: "pantry") }

    @Test func `one write is one commit with a place in the history`() async throws {
        // example
        let operation = Operation("pantry new")
        let jar = try await store.write(operation) { try $0.addJar("Plum", grams: 300) }
        let jars = try await store.read { try $0.jars() }
        // end
        #expect(jars == [jar])

        // example
        let planned = try await store.write(Operation("pantry new", isPlan: true)) { transaction in
            try transaction.addJar("Cherry", grams: 200)
        }
        // end
        #expect(planned.name == "Cherry")
        #expect(try await store.read { try $0.jars() } == [jar])

        // example
        let history: History = database.history
        #expect(try await history.operations(limit: 10).map(\.name) == ["pantry new"])
        _ = try await history.undo(operation.id, as: Operation("undo"))
        #expect(try await store.read { try $0.jars() } == [])
        // end
    }

    @Test func `undo of a change that was changed later asks the plugin`() async throws {
        let id = try await store.write(Operation("pantry new")) { try $0.addJar("Plum", grams: 300).id }
        let both = Operation("pantry edit")
        try await store.write(both) { try $0.run("UPDATE pantry_jar SET name = 'Plums', grams = 200 WHERE id = ?", id) }
        try await store.write(Operation("pantry eat")) {
            try $0.run("UPDATE pantry_jar SET grams = 50 WHERE id = ?", id)
        }
        let result = try await database.history.undo(both.id, as: Operation("undo"))
        #expect("\(result)".contains("the later grams"), "\(result)")
        #expect(try await store.read { try $0.jars() } == [Jar(id: id, name: "Plum", grams: 50)])
    }

    @Test func `a migration may move content to files`() {
        #expect(PantrySchema.photoFiles.blobs?.blob == "photo_blob")
    }

    @Test func `long work is many short transactions, and one operation`() async throws {
        // example
        try await store.bulk(Operation("pantry import")) { (bulk: BulkWrite) in
            try await bulk.forEach(in: ["Apple", "Pear", "Quince"]) { transaction, name in
                _ = try transaction.addJar(name, grams: 250)
            }
        }
        // end
        #expect(try await store.read { try $0.jars() }.map(\.name) == ["Apple", "Pear", "Quince"])
        #expect(try await store.read { try $0.jars(matching: "qui") }.map(\.name) == ["Quince"])
    }

    @Test func `ids are shown as short as they are unique`() async throws {
        let id = try await store.write(Operation("pantry new")) { try $0.addJar("Plum", grams: 300).id }
        // example
        let short = try await store.read { try $0.shortIDs(of: [id], inTables: ["pantry_jar"]) }
        #expect(short[id]?.count == ShortIDs.minimum)
        // end

        let other = Identifier.make()
        let order = [id, other].sorted()
        // example
        let names = try await store.read { transaction in
            // The rows come in the order of their ids, and so do the look-ups.
            var sought = SortedIDs(order)
            var names: [String?] = [nil, nil]
            try transaction.scan("SELECT id, name FROM pantry_jar ORDER BY id") { row in
                if let place = sought.place(of: row, 0) { names[place] = row.text(1) }
                return true
            }
            return names
        }
        // end
        #expect(names == order.map { $0 == id ? "Plum" : nil })
    }

    @Test func `hubs exchange the rows of an entity`() throws {
        func jar(_ grams: Int, _ label: String) -> Document {
            var jar = Document()
            jar.tables["pantry_jar"] = [
                ByteString("[]"): ["grams": .init(.integer(grams)), "label": .init(.blob(Array(label.utf8)))]
            ]
            return jar
        }
        let merge = try DocumentMerge(
            PantrySchema.documents[0], base: jar(300, ""), ours: jar(200, "Plum"), theirs: jar(250, "2026"))
        #expect(merge.document == jar(200, "Plum2026"))
    }

    @Test func `one process at a time holds a lock`() async throws {
        let folder = try TemporaryFolder()
        // example
        let locks = FileLocks(directory: folder.path, clock: FixedClock())  // context.locks
        let lock: FileLock? = try await locks.tryAcquire("pantry/scale")
        let other = try await locks.tryAcquire("pantry/scale")
        let holder = try locks.holder(of: "pantry/scale")
        withExtendedLifetime(lock) {}  // the lock is given back with the value
        // end
        #expect(lock != nil && other == nil && holder != nil)
    }
}

// example
extension PantrySchema {
    /// Jars are the same on all machines of the person; of two names that meet, both are kept.
    static let documents = [
        DocumentKind(
            "jars", noun: ("jar", "jars"),
            tables: [
                DocumentTable(
                    "pantry_jar", subject: "id",
                    rules: [
                        "grams": .least, "label": .merged { (met: CellConflict) in CellMerge(met.ours + met.theirs) },
                    ])
            ], match: ["name"])
    ]
}
// end
