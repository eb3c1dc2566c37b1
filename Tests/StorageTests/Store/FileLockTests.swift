import Glibc
import HubKitTesting
import Storage
import TestSupport
import Testing

@MainActor struct FileLockTests {
    @Test func `an exclusive lock is held by one, who can be told`() throws {
        try withTemporaryDirectory { folder in
            let locks = FileLocks(directory: folder + "/locks", clock: SystemClock())
            let free = try locks.holder(of: "contacts/posteo")
            #expect(free == nil)
            #expect(fileNames(in: folder).isEmpty, "to look writes nothing")
            var mine = try locks.tryAcquire("contacts/posteo")
            #expect(mine != nil)
            #expect(try locks.tryAcquire("contacts/posteo") == nil)
            #expect(try locks.tryAcquire("contacts/posteo", .shared) == nil)
            #expect(try locks.tryAcquire("contacts/team") != nil)
            let holder = try #require(try locks.holder(of: "contacts/posteo"))
            #expect(holder.process > 0 && holder.command == CommandName.current)
            let text = Golden.read(folder + "/contacts/posteo")
            #expect(!text.contains(CommandLine.arguments[0]), "what was typed may hold a password")
            withExtendedLifetime(mine) {}
            mine = nil
            #expect(try locks.holder(of: "contacts/posteo") == nil)
            #expect(try locks.tryAcquire("contacts/posteo") != nil)
        }
    }

    @Test func `a lock that was let go of is free, though a process that is being started has its descriptor`() throws {
        try withTemporaryDirectory { folder in
            let locks = FileLocks(directory: folder, clock: SystemClock())
            var mine = try locks.tryAcquire("device")
            // What fork does to every open file.
            let copies = fileNames(in: "/proc/self/fd").compactMap { Int32($0) }.filter { descriptor in
                var path = [CChar](repeating: 0, count: 4096)
                let count = readlink("/proc/self/fd/\(descriptor)", &path, path.count)
                let bytes = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
                return String(decoding: bytes, as: UTF8.self) == folder + "/device"
            }.map { dup($0) }
            defer { for copy in copies { close(copy) } }
            #expect(!copies.isEmpty)
            withExtendedLifetime(mine) {}
            mine = nil
            #expect(try locks.holder(of: "device") == nil)
            #expect(try locks.tryAcquire("device") != nil)
        }
    }

    @Test func `a shared lock is held by many and keeps out who wants it alone`() throws {
        try withTemporaryDirectory { folder in
            let locks = FileLocks(directory: folder, clock: SystemClock())
            let first = try locks.tryAcquire("schema", .shared)
            let second = try locks.tryAcquire("schema", .shared)
            #expect(first != nil && second != nil)
            #expect(try locks.tryAcquire("schema") == nil)
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test func `who waits gets the lock when it is free, or an error when cancelled`() async throws {
        try await withTemporaryDirectory { folder in
            let locks = FileLocks(directory: folder, clock: SystemClock())
            let held = try await locks.tryAcquire("device")
            let cancelled = Task { try await locks.acquire("device") }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
            let waiting = Task { try await locks.acquire("device") }
            withExtendedLifetime(held) {}
            _ = consume held
            _ = try await waiting.value
        }
    }

    @Test(arguments: [
        "", "/", "a/", "../x", "a/../b", "a b", ".hidden", "a\0b", "ż", String(repeating: "x", count: 300),
    ])
    func `a name that could leave the folder is refused`(name: String) throws {
        try withTemporaryDirectory { folder in
            let locks = FileLocks(directory: folder, clock: SystemClock())
            #expect(throws: HubError.self) { try locks.tryAcquire(name) }
        }
    }
}
