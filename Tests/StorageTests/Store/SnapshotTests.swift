import Glibc
import HubKitTesting
import SQLite
import TestSupport
import Testing

@testable import Storage

/// The private copy that is read where a folder cannot be written.
struct SnapshotTests {
    @Test func `a copy holds what the log holds, and its files are gone once it is open`() async throws {
        try await withTemporaryDirectory { folder in
            mkdir(folder + "/copies", 0o700)
            let (database, store) = Shelf.open(folder + "/data")
            try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
            #expect(fileNames(in: folder + "/data").contains("hub.db-wal"))
            let copy = try DatabaseSnapshot.take(
                of: folder + "/data/hub.db", below: ["/nonexistent", folder + "/copies"])
            let connection = try StoreConnection(
                copy.database, mode: .readWrite, catalog: SchemaCatalog([Shelf.schema]), clock: SystemClock(),
                isExclusive: true, isCopy: true)
            copy.remove()
            #expect(fileNames(in: folder + "/copies").isEmpty)
            try await store.write(Operation("add")) { try $0.save("b2", "Emma") }
            let titles = try connection.read("shelf") { try $0.contents().books.map { $0.value[0] } }
            #expect(titles == ["Walden"])
            #expect(throws: HubError.self) { try connection.begin() }
            await database.close()
        }
    }

    @Test func `a file that was written this very moment is copied once its time is past`() throws {
        try withTemporaryDirectory { folder in
            let path = folder + "/hub.db"
            let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
            defer { close(descriptor) }
            _ = pwrite(descriptor, "abc", 3, 0)
            let copy = try DatabaseSnapshot.take(of: path, below: [folder])
            defer { copy.remove() }
            #expect(Golden.read(copy.database) == "abc")
        }
    }
}
