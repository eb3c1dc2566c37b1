import Glibc
import HubKitTesting
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// The files beside the database: locks that their holders remove, private copies, and the folder itself.
struct StoreFilesTests {
    @Test func `a lock whose file its last holder removed is never held by two`() async throws {
        try await withTemporaryDirectory { folder in
            let locks = FileLocks(directory: folder, clock: SystemClock())
            let (holders, taken) = (Counter(), Counter())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<300 {
                            guard let lock = try await locks.tryAcquire("operation/1a") else {
                                await Task.yield()
                                continue
                            }
                            let others = holders.add(1) - 1
                            #expect(others == 0)
                            taken.add(1)
                            holders.add(-1)
                            // Others may have opened the file by now, and get a lock that is worth nothing.
                            locks.forget("operation/1a")
                            withExtendedLifetime(lock) {}
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(taken.value > 0)
            #expect(fileNames(in: folder + "/operation").isEmpty)
        }
    }

    @Test func `a copy needs a file that can be read and a folder with room, and leaves nothing without them`() throws {
        try withTemporaryDirectory { folder in
            let missing = #expect(throws: SystemError.self) {
                try DatabaseSnapshot.take(of: folder + "/hub.db", below: [folder])
            }
            #expect(missing?.code == ENOENT)
            let path = folder + "/hub.db"
            close(open(path, O_WRONLY | O_CREAT, 0o600))
            let nowhere = #expect(throws: SystemError.self) {
                try DatabaseSnapshot.take(of: path, below: [folder + "/none", path])
            }
            #expect(nowhere?.code == ENOTDIR, "the reason of the last one that was tried")
            #expect(throws: SystemError.self) { try DatabaseSnapshot.take(of: path, below: []) }
            #expect(fileNames(in: folder) == ["hub.db"])
            #expect(DatabaseSnapshot.temporaryFolders().allSatisfy { $0.hasPrefix("/") })
            #expect(DatabaseSnapshot.temporaryFolders().contains("/tmp"))
        }
    }

    @MainActor
    @Test func `a folder knows its room, its log and whether its file lost its content`() throws {
        try withTemporaryDirectory { folder in
            let directory = DataDirectory(path: folder + "/data")
            #expect(DataDirectory.freeSpace(directory.path) == nil && !directory.hasNoContent && directory.logSize == 0)
            try directory.prepare()
            #expect(try #require(DataDirectory.freeSpace(directory.path)) > 0)
            #expect(directory.hasNoContent && !directory.isEmptied, "nothing was ever written to it")
            try Directory.make(directory.path + "/locks")
            close(open(directory.writerLock, O_WRONLY | O_CREAT, 0o600))
            #expect(directory.isEmptied)
            try directory.synchronize()
            // A file that is there is left alone.
            try directory.prepare()
            #expect(directory.isEmptied && fileMode(directory.database) == 0o600)
            rmdir(directory.path + "/locks")
            let error = #expect(throws: SystemError.self) { try DataDirectory(path: folder + "/none").synchronize() }
            #expect(error?.code == ENOENT)
        }
    }
}

/// A number that several threads change.
private final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock(\.self) }

    @discardableResult
    func add(_ part: Int) -> Int {
        number.withLock { number in
            number += part
            return number
        }
    }
}
