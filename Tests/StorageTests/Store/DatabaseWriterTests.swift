import Glibc
import SQLite
import TestSupport
import Testing

@testable import Storage

/// Who writes, as the system and the writer itself tell.
struct DatabaseWriterTests {
    @Test func `who has the write lock is named, and nobody when it is free`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder)
            try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
            #expect(database.currentWriter() == nil)
            let other = try Connection(folder + "/hub.db", mode: .readWrite)
            try other.run("BEGIN IMMEDIATE")
            let writer = try #require(database.currentWriter())
            let signed = try #require(
                FileLockFile.text(of: folder + "/locks/writer").flatMap { FileLock.Holder(text: $0) })
            #expect(writer.process == getpid() && signed.process == getpid() && writer.command == signed.command)
            let error = await #expect(throws: HubError.self) {
                try await database.writer.use { store in
                    try store.connection.setBusyLimit(.zero)
                    try store.begin()
                }
            }
            #expect(error?.code == "store-busy")
            #expect(error?.details.first?.hasPrefix("\(signed.command), process \(getpid()),") == true)
            try other.run("ROLLBACK")
            #expect(database.currentWriter() == nil)
        }
    }

    @Test func `a process that works without shared memory is named as long as it keeps others out`() async throws {
        try await withTemporaryDirectory { folder in
            let (first, store) = Shelf.open(folder)
            try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
            await first.close()
            let alone = try Connection(folder + "/hub.db", mode: .readWrite)
            try alone.execute("PRAGMA locking_mode = EXCLUSIVE")
            #expect(try alone.row("SELECT count(*) FROM shelf_book") { $0.int(0) } == 1)
            #expect(fileNames(in: folder).contains("hub.db-shm") == false)
            #expect(first.currentWriter()?.process == getpid())
        }
    }

    @Test(arguments: [
        ("POSIX  ADVISORY  WRITE 77 fd:01:INODE 120 120", 77), ("POSIX  ADVISORY  WRITE 77 fd:01:INODE 0 EOF", 77),
        ("POSIX  ADVISORY  READ 77 fd:01:INODE 120 120", nil), ("-> POSIX ADVISORY WRITE 77 fd:01:INODE 120 120", nil),
        ("POSIX  ADVISORY  WRITE 77 fd:01:INODE 121 128", nil), ("POSIX  ADVISORY  WRITE 77 fd:01:1 120 120", nil),
        ("FLOCK  ADVISORY  WRITE 77 fd:01:INODE 0 EOF", nil), ("POSIX  ADVISORY  WRITE 0 fd:01:INODE 120 120", nil),
        ("", nil), ("POSIX  ADVISORY  WRITE x fd:01:INODE 120 120", nil),
    ])
    func `only a lock of the writer's byte counts`(line: String, process: Int32?) throws {
        try withTemporaryDirectory { folder in
            let path = folder + "/file"
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            var status = stat()
            #expect(stat(path, &status) == 0)
            let table = "1: " + line.replacing("INODE", with: String(status.st_ino))
            #expect(DatabaseWriter.process(locking: 120, of: path, in: table) == process)
        }
    }
}
