import Glibc
import SQLite

/// A small file that a backup carries besides the database, such as the config file.
package struct BackupFile: Hashable, Sendable {
    /// The name, such as `config.toml`.
    package let name: String
    /// The bytes of the file.
    package let content: [UInt8]

    package init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
    }

    /// The table that holds them in a backup; a restored database is without it.
    static let table = "core_backup_file"
}

/// The result of a restore.
package struct RestoreReport: Sendable {
    /// The path of the replaced database.
    package let replaced: String
    /// The other files that the backup carries.
    package let files: [BackupFile]
}

extension StoreConnection {
    /// Copies the database as it is now, with `files` and what it needs of `blobs`, to a file that is whole and checked, or
    /// not there at all.
    ///
    /// The copy needs no log and no shared memory, so it can be read from a medium that cannot be written.
    /// - Returns: the blobs that could not be read.
    @discardableResult
    func copy(to path: String, with files: [BackupFile] = [], blobs: BlobStore? = nil) throws -> [BlobID] {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = slash == path.startIndex ? "." : String(path[..<slash])
        try Directory.make(folder)
        let draft = "\(path).\(Identifier.make()).part"
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open \(draft)") }
        close(descriptor)
        let unreadable: [BlobID]
        do {
            let counts = try inScope(.store) { try copyPages(to: draft) }
            unreadable = try Self.complete(draft, with: files, blobs: blobs, counts: counts)
            guard rename(draft, path) == 0 else { throw SystemError("rename \(draft)") }
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
            throw error
        }
        try DataDirectory(path: folder).synchronize()
        return unreadable
    }

    /// Copies all pages of one consistent view.
    /// - Returns: the number of rows of each table in that view.
    private func copyPages(to draft: String) throws -> [String: Int] {
        let isOwn = !connection.isInTransaction
        if isOwn { try connection.run("BEGIN") }
        defer { if isOwn, connection.isInTransaction { _ = try? connection.run("ROLLBACK") } }
        let counts = try connection.rowCounts()
        try connection.backup(to: draft)
        return counts
    }

    private static func complete(
        _ draft: String, with files: [BackupFile], blobs: BlobStore?, counts: [String: Int]
    ) throws -> [BlobID] {
        try DatabaseHeader.setJournal(.rollback, of: draft)
        var unreadable: [BlobID] = []
        if !files.isEmpty || blobs != nil {
            let copy = try Connection(draft, mode: .readWrite)
            // A draft that fails is removed, so its journal needs no file, for which there may be no room.
            try copy.execute("PRAGMA synchronous = FULL; PRAGMA journal_mode = MEMORY")
            try copy.execute(
                "CREATE TABLE \(BackupFile.table) (name TEXT NOT NULL PRIMARY KEY, content BLOB NOT NULL) STRICT")
            for file in files {
                try copy.run("INSERT INTO \(BackupFile.table) VALUES (?, ?)", file.name, file.content)
            }
            if let blobs { unreadable = try BlobBackup(copy).add(blobs) }
        }
        let copy = try Connection(draft, mode: .readOnly)
        var breaches = try copy.integrityProblems(limit: 3)
        let copied = try copy.rowCounts()
        breaches += counts.filter { copied[$0.key] != $0.value }.keys.sorted().prefix(3).map {
            "\($0) has \(copied[$0] ?? 0) rows, not \(counts[$0] ?? 0)"
        }
        guard breaches.isEmpty else {
            throw HubError(
                .internal, code: "backup-differs", "the backup differs from the store and was deleted",
                details: breaches, hint: "hub doctor checks the store; try another disk")
        }
        return unreadable
    }
}

extension Connection {
    /// The number of rows of every table but the virtual ones, whose contents lie in other tables.
    fileprivate func rowCounts() throws -> [String: Int] {
        let tables = try rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %'"
        ) { $0.text(0) }
        let counts = try tables.map { table in
            (table, try row("SELECT count(*) FROM \(quoted(table))") { $0.int(0) } ?? 0)
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// The files that a backup carries; none for one of an older hub.
    func backupFiles() throws -> [BackupFile] {
        guard try row("SELECT 1 FROM sqlite_master WHERE name = ?", BackupFile.table, body: { $0.int(0) }) != nil else {
            return []
        }
        return try rows("SELECT name, content FROM \(BackupFile.table) ORDER BY name") {
            BackupFile(name: $0.text(0), content: $0.blob(1))
        }
    }
}
