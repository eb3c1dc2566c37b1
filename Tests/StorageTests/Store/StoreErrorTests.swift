import CSQLite
import Glibc
import SQLite
import TestSupport
import Testing

@testable import Storage

/// What a user is told when the store cannot be used.
struct StoreErrorTests {
    @Test(arguments: [
        (ENOSPC, "disk-full", HubError.Class.busy), (EDQUOT, "disk-full", .busy), (EFBIG, "disk-full", .busy),
        (EACCES, "data-folder", .denied), (EPERM, "data-folder", .denied), (EROFS, "data-folder", .denied),
        (ENOTDIR, "data-folder", .config), (ENOENT, "data-folder", .config), (ELOOP, "data-folder", .config),
        (EIO, "data-folder", .internal),
    ])
    func `a failed call on a file of the store has a class and a hint`(code: Int32, name: String, kind: HubError.Class)
    {
        let error = HubError(storeFile: SystemError("open hub.db", code: code))
        #expect(error.code == name && error.kind == kind && error.hint != nil)
    }

    @Test(
        arguments: [
            (SQLITE_BUSY, "store-busy", HubError.Class.busy), (SQLITE_FULL, "disk-full", .busy),
            (SQLITE_READONLY, "store-read-only", .denied), (SQLITE_CORRUPT, "store-damaged", .internal),
            (SQLITE_NOTADB, "store-damaged", .internal), (SQLITE_MISUSE, "store-failed", .internal),
        ] as [(Int32, String, HubError.Class)])
    func `an error of the database has a class and a hint`(code: Int32, name: String, kind: HubError.Class) {
        let error = HubError(store: SQLiteError(code: code, message: "it failed"))
        #expect(error.code == name && error.kind == kind && error.hint != nil)
    }

    @Test func `a folder or a dangling link in the place of the store is named as such`() async throws {
        try await withTemporaryDirectory { folder in
            let place = folder + "/hub.db"
            mkdir(place, 0o700)
            for reason in ["is a folder", "is a link to a file that is missing"] {
                let (database, store) = Shelf.open(folder)
                let error = await #expect(throws: HubError.self) { try await store.titles() }
                #expect(error?.code == "store-unusable" && error?.details == ["\(place) \(reason)"])
                await database.close()
                rmdir(place)
                symlink("nowhere", place)
            }
        }
    }

    @Test func `a data folder that is a file, or below one, is an error of the config`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder + "/file"
            close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            for path in [file, file + "/below"] {
                let (database, store) = Shelf.open(path)
                let error = await #expect(throws: HubError.self) { try await store.titles() }
                #expect(error?.code == "data-folder" && error?.kind == .config, "\(path)")
                await database.close()
            }
        }
    }
}
