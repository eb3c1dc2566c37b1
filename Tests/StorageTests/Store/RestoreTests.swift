import Glibc
import HubKitTesting
import SQLite
import TestSupport
import Testing

@testable import Storage

/// Backups with other files, and what is left of a store that a restore replaced.
struct RestoreTests {
    private func book(_ id: String, _ title: String, in store: Store) async throws {
        try await store.write(Operation("add")) { try $0.save(id, title) }
    }

    @Test func `a backup carries files, and a restored store is without them`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder + "/data")
            try await book("b1", "Walden", in: store)
            let files = [
                BackupFile(name: "config.toml", content: Array("a = 1\n".utf8)),
                BackupFile(name: "empty", content: []), BackupFile(name: "bytes", content: (0...255).map { UInt8($0) }),
            ]
            let copy = folder + "/new/folder/copy.db"
            #expect(try await database.backup(to: copy, with: files).isEmpty)
            #expect(fileNames(in: folder + "/new/folder") == ["copy.db"], "no draft, no log")
            for _ in 0..<2 {
                let report = try await database.restore(from: copy)
                #expect(Set(report.files) == Set(files))
            }
            let tables = try await database.read { store in
                try store.connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }
            }
            #expect(!tables.contains(BackupFile.table))
            #expect(try await store.titles() == ["Walden"])
            #expect(try await database.backup(to: copy).isEmpty)
            #expect(try await database.restore(from: copy).files.isEmpty)
        }
    }

    @Test func `a backup that cannot be put in its place leaves nothing`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder + "/data")
            try await book("b1", "Walden", in: store)
            mkdir(folder + "/copy.db", 0o700)
            await #expect(throws: HubError.self) { try await database.backup(to: folder + "/copy.db") }
            #expect(fileNames(in: folder) == ["copy.db", "data"])
            #expect(try await store.titles() == ["Walden"])
        }
    }

    @Test func `a backup with foreign rows in place of its own is found out`() async throws {
        let (database, store) = Shelf.inMemory()
        try await book("b1", "Walden", in: store)
        _ = try await database.writer.use { store in
            try store.withoutForeignKeys {
                try store.connection.run("INSERT INTO shelf_chapter VALUES ('missing', 1, 'One')")
            }
        }
        #expect(
            try await database.integrityProblems() == [
                "a row of shelf_chapter belongs to a row of shelf_book that does not exist"
            ])
    }

    @Test func `every store that a restore replaced is kept, also in one moment of the clock`() async throws {
        try await withTemporaryDirectory { folder in
            let clock = ManualClock()
            let database = Database(
                at: .directory(folder + "/data"), plugins: [Shelf.schema], clock: clock, executors: .queues)
            let store = database.store(for: "shelf")
            try await book("b1", "Walden", in: store)
            try await database.backup(to: folder + "/copy.db")
            var replaced: [String] = []
            for number in 2...4 {
                try await book("b\(number)", "Book \(number)", in: store)
                replaced.append(try await database.restore(from: folder + "/copy.db").replaced)
            }
            #expect(Set(replaced).count == 3)
            for (number, path) in zip(2...4, replaced) {
                let titles = try Connection(path, mode: .readOnly).rows("SELECT title FROM shelf_book ORDER BY id") {
                    $0.text(0)
                }
                #expect(titles == ["Walden", "Book \(number)"])
            }
            #expect(try await store.titles() == ["Walden"])
            #expect(try await database.history.operations(limit: 9).count == 1)
        }
    }

    @Test func `the log of a damaged database is kept beside it`() async throws {
        try await withTemporaryDirectory { folder in
            let data = folder + "/data"
            let (database, store) = Shelf.open(data)
            try await book("b1", "Walden", in: store)
            try await database.backup(to: folder + "/copy.db")
            await database.close()
            write(data + "/hub.db", "")
            write(data + "/hub.db-wal", "all that is left")
            let refusal = await #expect(throws: HubError.self) { try await store.titles() }
            #expect(refusal?.code == "store-damaged" && refusal?.details.first?.contains("is empty") == true)
            #expect(Golden.read(data + "/hub.db-wal") == "all that is left")
            let replaced = try await database.restore(from: folder + "/copy.db").replaced
            #expect(Golden.read(replaced + "-wal") == "all that is left")
            #expect(try await store.titles() == ["Walden"])
        }
    }

    @Test(arguments: [
        ("missing", "backup-not-found", HubError.Class.notFound), ("text", "backup-damaged", .invalid),
        ("empty", "backup-damaged", .invalid), ("foreign", "backup-damaged", .invalid),
        ("folder", "backup-damaged", .invalid), ("new", "backup-damaged", .invalid), ("newer", "store-newer", .config),
    ])
    func `what is not a backup is refused with a reason`(
        kind: String, code: String, class: HubError.Class
    ) async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder + "/data")
            try await book("b1", "Walden", in: store)
            let path = folder + "/bad.db"
            switch kind {
            case "text": write(path, String(repeating: "no database at all ", count: 60))
            case "empty": write(path, "")
            case "foreign": try Connection(path).execute("CREATE TABLE theirs (x)")
            case "folder": mkdir(path, 0o700)
            case "new": try Connection(path).execute("PRAGMA application_id = \(StoreOpener.applicationID)")
            case "newer":
                try await database.backup(to: path)
                try Connection(path).execute("INSERT INTO core_migration VALUES ('shelf', 9, 'later', '0', '', 0)")
            default: break
            }
            let error = await #expect(throws: HubError.self) { try await database.restore(from: path) }
            #expect(error?.code == code && error?.kind == `class`, "\(kind): \(error?.code ?? "")")
            #expect(fileNames(in: folder + "/data").filter { $0.hasPrefix("restored") } == [])
            #expect(try await store.titles() == ["Walden"])
        }
    }

    @Test func `a store in memory is not replaced`() async throws {
        let (database, _) = Shelf.inMemory()
        let error = await #expect(throws: HubError.self) { try await database.restore(from: "/nonexistent") }
        #expect(error?.code == "restore-memory")
    }

    private func write(_ path: String, _ text: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        #expect(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    @Test func `a copy of the store has an identity of its own, the same file keeps it`() async throws {
        try await withTemporaryDirectory { folder in
            func replica(_ name: String) async throws -> String {
                let (database, store) = Shelf.open(folder + "/" + name)
                let replica = try await database.replica()
                #expect(try await store.read { try $0.replica() } == replica)
                await database.close()
                return replica
            }
            let first = try await replica("data")
            #expect(try await replica("data") == first)
            // Moved within a file system, it is the same file.
            rename(folder + "/data", folder + "/moved")
            #expect(try await replica("moved") == first)
            mkdir(folder + "/copy", 0o700)
            let bytes = try await BackgroundThread.run {
                try BoundedFile.read(folder + "/moved/hub.db", limit: 1 << 24)
            }
            try overwrite(folder + "/copy/hub.db", with: bytes)
            let copy = try await replica("copy")
            #expect(copy != first)
            #expect(try await replica("copy") == copy)
            #expect(try await replica("moved") == first)
            // Noted by an earlier version.
            let file = folder + "/moved/hub.db"
            let former = try #require(StoreConnection.formerFileIdentity(file))
            try Connection(file).run("UPDATE core_setting SET value = ? WHERE name = 'replica-file'", former)
            #expect(try await replica("moved") == first)
        }
    }
}
