import HubKitTesting
import SQLite
import Testing

@testable import Storage

/// Full-text tables whose segments SQLite does not merge by itself.
struct FullTextTests {
    private static let words = FullTextTable("shelf_words", over: "shelf_text", columns: ["text"])
    private static let schema = PluginSchema(
        owner: "shelf",
        migrations: [
            Migration(
                "texts",
                """
                CREATE TABLE shelf_text (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
                CREATE VIRTUAL TABLE shelf_words USING fts5(
                    text, content = 'shelf_text', content_rowid = 'number', tokenize = 'ascii');
                \(words.disableAutomaticMerge)
                """)
        ])

    @Test func `one transaction may add more rows one by one than FTS5 has segments`() async throws {
        let database = Database(at: .memory, plugins: [Self.schema], clock: SystemClock(), executors: .queues)
        let store = database.store(for: "shelf")
        try await store.write(Operation("add", kind: .cache)) { transaction in
            for number in 1...2600 {
                let text = (0..<60).map { "w\(number)x\($0)" }.joined(separator: " ")
                // FTS5 writes a segment at each savepoint.
                try transaction.store.connection.savepoint {
                    try transaction.run("INSERT INTO shelf_text VALUES (?, ?)", number, text + " all")
                    try transaction.addTexts(number...number, to: Self.words)
                }
                if number % 500 == 0 { try transaction.mergeSegments(of: Self.words) }
            }
        }
        let found = try await store.read { transaction in
            try transaction.rows("SELECT count(*) FROM shelf_words WHERE shelf_words MATCH ?", "all") { $0.int(0) }
        }
        #expect(found == [2600])
        await database.close()
    }
}
