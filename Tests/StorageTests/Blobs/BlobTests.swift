import Glibc
import SQLite
import Storage
import TestSupport
import Testing

struct BlobTests {
    private let text = Array("a lid".utf8)
    /// The SHA-256 of "abc", from FIPS 180-4.
    private let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func `a blob is named by its content and read back, also an empty one`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder)
            let blobs = try #require(database.blobs)
            #expect(try await store.put(Array("abc".utf8), in: "1").text == abc)
            let large = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let id = try await store.put(large, in: "2")
            #expect(try await blobs.bytes(id) == large)
            let empty = try await store.put([], in: "3")
            #expect(blobs.size(of: empty) == 0)
            #expect(
                blobs.path(of: id).hasSuffix("/blobs/\(id.text.prefix(2))/\(id.text.dropFirst(2).prefix(2))/\(id.text)")
            )
            #expect(fileMode(blobs.path(of: id)) == 0o600)
            #expect(fileNames(in: folder + "/blobs/new") == [])
        }
    }

    @Test func `what is not finished leaves nothing, and equal contents are one file`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder)
            let blobs = try #require(database.blobs)
            do {
                let writer = try await blobs.writer()
                try await writer.write([UInt8](repeating: 7, count: 1 << 18))
                #expect(fileNames(in: folder + "/blobs/new").count == 1)
            }
            #expect(fileNames(in: folder + "/blobs/new") == [])
            #expect(try await store.put(text, in: "1") == store.put(text, in: "2"))
            #expect(try await database.checkBlobs().needed == 1)
        }
    }

    @Test func `ids are 64 hexadecimal digits`() {
        #expect(BlobID(abc)?.text == abc)
        #expect(BlobID(abc.uppercased()) == nil)
        #expect(BlobID(abc.dropLast()) == nil)
        #expect(BlobID(abc.dropLast() + "/") == nil)
    }

    /// Collects blobs; a program that another test starts holds the lock for the moment before it begins.
    private func collected(_ database: Database) async throws -> Int {
        while true {
            if let count = try await database.collectBlobs() { return count }
            await Task.yield()
        }
    }

    @Test func `a blob is collected when no row and no kept operation needs it`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder)
            let blobs = try #require(database.blobs)
            let (kept, lost) = (try await store.put(text, in: "kept"), try await store.put([1, 2], in: "lost"))
            #expect(try await collected(database) == 0)
            // Removed by an operation that can be undone: the blob stays, and comes back with the row.
            try await store.write(Operation("remove")) { try $0.run("DELETE FROM attic_box WHERE id = 'lost'") }
            #expect(try await collected(database) == 0)
            _ = try await database.history.undo(as: Operation("undo"))
            #expect(try await store.boxes()["lost"] == lost)
            #expect(try await blobs.bytes(lost) == [1, 2])
            try await store.write(Operation("remove")) { try $0.run("DELETE FROM attic_box WHERE id = 'lost'") }
            _ = try await database.history.prune(before: SystemClock().now + .seconds(1))
            #expect(try await collected(database) == 1)
            #expect(blobs.size(of: lost) == nil)
            #expect(try await blobs.bytes(kept) == text)
            await #expect(throws: HubError.self) { try await blobs.reader(lost) }
        }
    }

    @Test func `emptying the trash deletes the files of what it held`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder)
            let id = try await store.put(text, in: "1")
            try await store.write(Operation("empty", kind: .cache)) { tx in
                try tx.forgetHistory(of: ["1"])
                try tx.run("DELETE FROM attic_box WHERE id = '1'")
            }
            try await database.eraseRemains()
            #expect(database.blobs?.size(of: id) == nil)
        }
    }

    @Test func `a blob without a row is safe while it is held`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, _) = Attic.open(folder)
            let blobs = try #require(database.blobs)
            let content = [UInt8](repeating: 7, count: 1 << 18)
            let id: BlobID
            do {
                let writer = try await blobs.writer()
                try await writer.write(content)
                #expect(try await database.collectBlobs() == nil)
                let stored = try await writer.finish()
                id = stored.id
                #expect(try await database.collectBlobs() == nil)
                withExtendedLifetime((writer, stored)) {}
            }
            #expect(blobs.size(of: id) == content.count)
            #expect(try await collected(database) == 1)
        }
    }

    @Test func `the blobs of a plugin that is disabled are kept`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder)
            let id = try await store.put(text, in: "1")
            await database.close()
            let other = Database(at: .directory(folder), plugins: [], clock: SystemClock(), executors: .queues)
            #expect(try await collected(other) == 0)
            #expect(other.blobs?.size(of: id) == text.count)
        }
    }

    @Test func `the check finds what is missing, damaged and left over`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder)
            let blobs = try #require(database.blobs)
            let (sound, damaged, missing) = (
                try await store.put(text, in: "1"), try await store.put([1], in: "2"), try await store.put([2], in: "3")
            )
            _ = try await blobs.writer().finish()
            #expect(unlink(blobs.path(of: missing)) == 0)
            let file = Glibc.open(blobs.path(of: damaged), O_WRONLY)
            #expect(Glibc.write(file, [9], 1) == 1)
            close(file)
            let check = try await database.checkBlobs()
            #expect(check.missing == [missing])
            #expect(check.damaged == [damaged])
            #expect(check.unneeded == 1)
            #expect(check.needed == 3)
            // Storing the same content again repairs the file.
            try await store.put([1], in: "4")
            #expect(try await database.checkBlobs().damaged == [])
            #expect(try await BackgroundThread.run { try blobs.isSound(sound) })
        }
    }

    @Test func `a backup carries the blobs, and a restore brings them back`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder + "/one")
            let large = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let (first, second) = (try await store.put(large, in: "1"), try await store.put([], in: "2"))
            try await store.write(Operation("remove")) { try $0.run("DELETE FROM attic_box WHERE id = '2'") }
            #expect(try await database.backup(to: folder + "/copy.db") == [])
            let (other, otherStore) = Attic.open(folder + "/two")
            try await otherStore.put([5], in: "5")
            try await other.restore(from: folder + "/copy.db")
            #expect(try await otherStore.boxes() == ["1": first])
            #expect(try await other.blobs?.bytes(first) == large)
            // What undo would bring back is in the backup too.
            #expect(other.blobs?.size(of: second) == 0)
            #expect(try await other.checkBlobs().missing == [])
            let tables = try await otherStore.read { tx in try tx.rows("SELECT name FROM sqlite_master") { $0.text(0) }
            }
            #expect(!tables.contains("core_backup_blob"))
        }
    }

    @Test func `a store that a restore replaced keeps its blobs, and can be restored whole`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder + "/one")
            try await database.prepare()
            try await database.backup(to: folder + "/empty.db")
            let blob = try await store.put([1, 2, 3], in: "1")
            let replaced = try await database.restore(from: folder + "/empty.db").replaced
            #expect(try await store.boxes().isEmpty)
            #expect(try await database.collectBlobs() == 0)
            #expect(try await database.checkBlobs().unneeded == 0)
            try await database.restore(from: replaced)
            #expect(try await store.boxes() == ["1": blob])
            #expect(try await database.checkBlobs().missing == [])
            // Without the copies it is needed as long as a row names it.
            try await database.restore(from: folder + "/empty.db")
            for name in fileNames(in: folder + "/one/backups") { unlink(folder + "/one/backups/" + name) }
            #expect(try await database.collectBlobs() == 1)
            #expect(database.blobs?.size(of: blob) == nil)
        }
    }

    @Test func `a backup names the blobs that cannot be read, and has the others`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Attic.open(folder + "/one")
            let (first, second) = (try await store.put([1], in: "1"), try await store.put([2], in: "2"))
            #expect(unlink(try #require(database.blobs).path(of: first)) == 0)
            #expect(try await database.backup(to: folder + "/copy.db") == [first])
            let (other, _) = Attic.open(folder + "/two")
            try await other.restore(from: folder + "/copy.db")
            #expect(try await other.blobs?.bytes(second) == [2])
        }
    }

    @Test func `a file that cannot grow fails the blob and leaves nothing`() async throws {
        try await withTemporaryDirectory { folder in
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                signal(SIGXFSZ, SIG_IGN)
                let (database, _) = Attic.open(folder)
                try await database.prepare()
                var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 40)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let writer = try #require(try await database.blobs?.writer())
                let error = await #expect(throws: HubError.self) {
                    try await writer.write([UInt8](repeating: 1, count: 1 << 18))
                }
                #expect(error?.code == "disk-full")
            }
            #expect(fileNames(in: folder + "/blobs/new").count <= 1)
            let (database, _) = Attic.open(folder)
            _ = try await database.collectBlobs()
            #expect(fileNames(in: folder + "/blobs/new") == [])
        }
    }

    @Test(.seeded, arguments: 0..<6)
    func `after a kill each row has its whole blob, and the rest is collected`(round: UInt64) async throws {
        try await withTemporaryDirectory { folder in
            try await Attic.open(folder).database.prepare()
            var random = SeededGenerator(seed: round)
            let delay = Int.random(in: 0...150_000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, delay = delay as Int] in
                let (database, store) = Attic.open(folder)
                try await database.prepare()
                Killer.start(after: UInt32(delay))
                for number in 0... {
                    try await store.put(
                        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 90_000 + number), in: "\(number)")
                    if number % 5 == 4 { try await database.collectBlobs() }
                }
            }
            let (database, store) = Attic.open(folder)
            let check = try await database.checkBlobs()
            let boxes = try await store.boxes()
            #expect(check.missing == [] && check.damaged == [], "killed after \(delay) µs with \(boxes.count) boxes")
            _ = try await database.collectBlobs()
            #expect(try await database.checkBlobs().unneeded == 0)
            #expect(fileNames(in: folder + "/blobs/new") == [])
        }
    }
}
