import Glibc
import HubKitTesting
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// The operations that work on a full disk, and those that wait for space.
struct FullDiskTests {
    private struct Stop: Error {}

    private final class Counter: Sendable {
        private let value: Mutex<Int>

        init(_ value: Int) { self.value = Mutex(value) }

        /// Adds to the number and returns it.
        @discardableResult
        func add(_ change: Int) -> Int {
            value.withLock { value in
                value += change
                return value
            }
        }
    }

    /// Runs `body` while nothing in `folder` can grow.
    private func full(_ folder: String, _ body: () async throws -> Void) async throws {
        FullDisk.fill(folder)
        defer { FullDisk.free(folder) }
        try await body()
    }

    @Test func `a store that nobody has open can be read and copied while its disk is full`() async throws {
        try await withTemporaryDirectory { parent in
            let folder = parent + "/full"
            let (first, filled) = Shelf.open(folder, .main)
            try await filled.write(Operation("add")) { try $0.save("b1", "Walden") }
            await first.close()
            try await full(folder) {
                let (database, store) = Shelf.open(folder, .main)
                #expect(try await store.titles() == ["Walden"])
                try await database.backup(to: parent + "/copy.db")
                let error = await #expect(throws: HubError.self) {
                    try await store.write(Operation("add")) { try $0.save("b2", "Emma") }
                }
                #expect(error?.code == "disk-full" && error?.kind == .busy)
                #expect(error?.description.contains("PRAGMA") == false)
                #expect(try await store.titles() == ["Walden"])
                await database.close()
            }
            let (_, store) = Shelf.open(folder, .main)
            try await store.write(Operation("add")) { try $0.save("b2", "Emma") }
            #expect(try await store.titles() == ["Walden", "Emma"])
            let copied = try Connection(parent + "/copy.db", mode: .readOnly).row("SELECT title FROM shelf_book") {
                $0.text(0)
            }
            #expect(copied == "Walden")
        }
    }

    @Test func `what cannot be rolled back for lack of room is rolled back by the next change that has some`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let (first, filled) = Shelf.open(folder, .main)
            try await filled.write(Operation("add")) { try $0.save("b1", "Walden") }
            await #expect(throws: Stop.self) {
                try await filled.bulk(Operation("import")) { bulk in
                    try await bulk.chunk { transaction in
                        for number in 0..<200 { try transaction.save("c\(number)", "Book \(number)") }
                    }
                    FullDisk.fill(folder)
                    throw Stop()
                }
            }
            await first.close()
            let (database, store) = Shelf.open(folder, .main)
            #expect(try await store.titles().count == 201, "what is there can be read")
            #expect(try await database.rollbackFailure()?.code == "disk-full")
            let error = await #expect(throws: HubError.self) {
                try await store.write(Operation("add")) { try $0.save("b2", String(repeating: "x", count: 9000)) }
            }
            #expect(error?.code == "disk-full")
            FullDisk.free(folder)
            try await store.write(Operation("add")) { try $0.save("b2", "Emma") }
            #expect(try await store.titles() == ["Walden", "Emma"])
            #expect(try await database.rollbackFailure() == nil)
            #expect(try await database.history.operations(limit: 9).map(\.state) == [.done, .abandoned, .done])
        }
    }

    @Test func `bulk work ends while there is room to roll it back`() async throws {
        try await withTemporaryDirectory { folder async throws in
            // Each look finds one MB less.
            let room = Counter(20)
            let database = Database(
                at: .directory(folder), plugins: [Shelf.schema], clock: SystemClock(),
                freeSpace: { _ in room.add(-1) << 20 })
            let store = database.store(for: "shelf")
            let done = Counter(0)
            let error = await #expect(throws: HubError.self) {
                try await store.bulk(Operation("import")) { bulk in
                    for number in 0..<100 {
                        try await bulk.chunk { try $0.save("b\(number)", "Book") }
                        done.add(1)
                    }
                }
            }
            #expect(error?.code == "disk-full")
            #expect((1..<20).contains(done.add(0)))
            #expect(try await store.contents() == Contents())
            #expect(try await database.history.operations(limit: 9).map(\.state) == [.abandoned])
        }
    }

    @Test func `a migration that fails for lack of room is tried again at the next start`() async throws {
        try await withTemporaryDirectory { folder in
            let (first, filled) = Shelf.open(folder, .main)
            try await filled.write(Operation("add")) { try $0.save("b1", "Walden") }
            await first.close()
            let grown = PluginSchema(
                owner: "other",
                migrations: [
                    Migration("first", "CREATE TABLE other_a (id TEXT NOT NULL PRIMARY KEY) STRICT")
                ])
            func open() -> Database {
                Database(at: .directory(folder), plugins: [Shelf.schema, grown], clock: SystemClock())
            }
            // Somebody else keeps the shared memory there, so that the migration itself is what fails.
            let other = try Connection(folder + "/hub.db", mode: .readWrite)
            _ = try other.row("SELECT 1 FROM shelf_book") { $0.int(0) }
            try await full(folder) {
                let database = open()
                let problems = try await database.prepare()
                #expect(problems["other"]?.code == "migration-interrupted")
                #expect(problems["other"]?.kind == .busy)
                #expect(try await database.store(for: "shelf").titles() == ["Walden"])
                await database.close()
            }
            #expect(try await open().prepare().isEmpty)
        }
    }
}
