import Testing

/// The notes server is written against the contract of its store: another implementation needs no change of it.
struct NoteServerLayerTests {
    /// The files of the server role: what serves clients, and the listener that calls it. Published pages show the person's own notes.
    private func files() throws -> [SourceFile] {
        let folders = ["Plugins/Notes/Application/Serving/", "Plugins/Notes/UI/Listener/"]
        let files = try SourceTree.read().filter { file in folders.contains { file.path.hasPrefix($0) } }
        #expect(files.count > 10)
        return files.filter { !$0.path.hasSuffix("/PublicationEndpoint.swift") }
    }

    @Test func `the server knows no transaction and no table`() throws {
        // The implementation, and what it is made of.
        let words: Set<String> = [
            "Transaction", "Store", "Database", "SQLiteNoteServerStore", "OpenNotes", "OpenNote", "TextLog",
            "StoredTexts", "EventBus", "PostgresNoteServerStore", "PostgresNoteDatabase", "PostgresTurn",
        ]
        for file in try files() {
            #expect(file.namedWords.isDisjoint(with: words), "\(file.path)")
            // Its members could not be called without the import.
            #expect(file.imports.isDisjoint(with: ["SQLite", "PostgreSQL", "Storage"]), "\(file.path)")
        }
    }

    @Test func `the contract has values alone`() throws {
        let contract = try SourceTree.read().filter { $0.path.hasPrefix("Plugins/Notes/Store/Server/") }
        #expect(contract.count == 3)
        for file in contract {
            #expect(file.imports.isDisjoint(with: ["SQLite", "PostgreSQL", "Storage"]), "\(file.path)")
        }
        let text = try SourceTree.text(of: "Plugins/Notes/Store/Server/NoteServerStore.swift")
        let calls = text.split(separator: "    func ").dropFirst()
        #expect(calls.count > 20)
        // What may not wait: that by which others are followed.
        let immediate = calls.filter { !$0.prefix { $0 != "/" }.contains("async throws") }.map {
            $0.prefix { $0 != "(" }
        }
        #expect(immediate == ["wakes", "receiveStored", "tellServers", "receiveMessages"])
    }
}
