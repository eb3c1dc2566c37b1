import SQLite

/// The blobs in a backup file: a table of pieces, so that neither writing nor reading holds a whole file.
struct BlobBackup {
    private static let table = "core_backup_blob"
    private let copy: Connection

    init(_ copy: Connection) { self.copy = copy }

    /// Adds all blobs that the copy needs.
    /// - Returns: those that are missing or damaged, which the copy is without.
    func add(_ blobs: BlobStore) throws -> [BlobID] {
        let needed = try BlobReferences(copy).all()
        if needed.isEmpty { return [] }
        try copy.execute(
            """
            CREATE TABLE \(Self.table) (
                hash TEXT NOT NULL, number INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (hash, number)) STRICT
            """)
        try copy.run("BEGIN")
        var unreadable: [BlobID] = []
        for blob in needed.sorted(by: { $0.text < $1.text }) {
            guard blobs.size(of: blob) != nil, try blobs.isSound(blob) else {
                unreadable.append(blob)
                continue
            }
            let reader = try blobs.reader(blob)
            var number = 0
            // An empty blob has one empty piece.
            repeat {
                guard let bytes = try reader.next() ?? (number == 0 ? [] : nil) else { break }
                try copy.run("INSERT INTO \(Self.table) VALUES (?, ?, ?)", blob.text, number, bytes)
                number += 1
            } while true
        }
        try copy.run("COMMIT")
        return unreadable
    }

    /// Writes the blobs to `blobs`, except those that are there already, and takes them out of the copy.
    /// - Returns: those that do not have the content that their names say.
    func extract(to blobs: BlobStore) throws -> [String] {
        guard try copy.row("SELECT 1 FROM sqlite_master WHERE name = ?", Self.table, body: { $0.int(0) }) != nil else {
            return []
        }
        var damaged: [String] = []
        for name in try copy.rows("SELECT DISTINCT hash FROM \(Self.table)", body: { $0.text(0) }) {
            guard let blob = BlobID(name) else {
                damaged.append(name)
                continue
            }
            if blobs.size(of: blob) != nil, try blobs.isSound(blob) { continue }
            let draft = BlobDraft(blobs)
            try copy.scan("SELECT content FROM \(Self.table) WHERE hash = ? ORDER BY number", arguments: [name]) {
                row in
                try draft.write(row.blob(0))
                return true
            }
            if try draft.publish(keeping: nil).id != blob { damaged.append(name) }
        }
        try copy.execute("DROP TABLE \(Self.table); VACUUM")
        return damaged
    }
}
