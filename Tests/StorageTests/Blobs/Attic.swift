import SQLite
import Storage

/// A small plugin for the tests of blobs: boxes that name one each.
enum Attic {
    static let schema = PluginSchema(
        owner: "attic",
        migrations: [
            Migration(
                "boxes", "CREATE TABLE attic_box (id TEXT NOT NULL PRIMARY KEY, label TEXT, lid_blob TEXT) STRICT;")
        ], recorded: [RecordedTable("attic_box", subject: "id")])

    /// A database in `folder`, and its store.
    static func open(_ folder: String) -> (database: Database, store: Store) {
        let database = Database(at: .directory(folder), plugins: [schema], clock: SystemClock(), executors: .queues)
        return (database, database.store(for: "attic"))
    }
}

extension Store {
    /// Stores `bytes` as a blob, in two pieces, and a box that names it.
    @discardableResult
    func put(_ bytes: [UInt8], in box: String) async throws -> BlobID {
        guard let blobs = database.blobs else { throw HubError(.internal, code: "memory", "no blobs in memory") }
        let writer = try await blobs.writer()
        try await writer.write(Array(bytes.prefix(bytes.count / 2)))
        try await writer.write(Array(bytes.dropFirst(bytes.count / 2)))
        let stored = try await writer.finish()
        let id = stored.id
        _ = try await stored.whileKept {
            try await write(Operation("put")) { tx in
                try tx.run("INSERT OR IGNORE INTO attic_box VALUES (?, '', ?)", box, id.text)
            }
        }
        return id
    }

    /// The boxes with the ids of their blobs.
    func boxes() async throws -> [String: BlobID] {
        try await read { tx in
            Dictionary(
                try tx.rows("SELECT id, lid_blob FROM attic_box") { ($0.text(0), BlobID($0.text(1))) }.compactMap {
                    id, blob in
                    blob.map { (id, $0) }
                }
            ) { first, _ in first }
        }
    }
}

extension BlobStore {
    /// All bytes of a blob.
    func bytes(_ blob: BlobID) async throws -> [UInt8] {
        let reader = try await reader(blob)
        var bytes: [UInt8] = []
        while let piece = try await reader.next() { bytes += piece }
        return bytes
    }
}
