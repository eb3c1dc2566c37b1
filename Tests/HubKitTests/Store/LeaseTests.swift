import HubKit
import TestSupport
import Testing

struct LeaseTests {
    @Test func `an exclusive lease is held by one, who can be told`() throws {
        try withTemporaryDirectory { folder in
            let leases = Leases(directory: folder + "/leases", clock: SystemClock())
            let free = try leases.holder(of: "contacts/posteo")
            #expect(free == nil)
            #expect(fileNames(in: folder).isEmpty, "to look writes nothing")
            var mine = try leases.tryAcquire("contacts/posteo")
            #expect(mine != nil)
            #expect(try leases.tryAcquire("contacts/posteo") == nil)
            #expect(try leases.tryAcquire("contacts/posteo", .shared) == nil)
            #expect(try leases.tryAcquire("contacts/work") != nil)
            let holder = try #require(try leases.holder(of: "contacts/posteo"))
            #expect(holder.process > 0 && holder.command == CommandName.current)
            let text = Golden.read(folder + "/contacts/posteo")
            #expect(!text.contains(CommandLine.arguments[0]), "what was typed may hold a password")
            withExtendedLifetime(mine) {}
            mine = nil
            #expect(try leases.holder(of: "contacts/posteo") == nil)
            #expect(try leases.tryAcquire("contacts/posteo") != nil)
        }
    }

    @Test func `a shared lease is held by many and keeps out who wants it alone`() throws {
        try withTemporaryDirectory { folder in
            let leases = Leases(directory: folder, clock: SystemClock())
            let first = try leases.tryAcquire("schema", .shared)
            let second = try leases.tryAcquire("schema", .shared)
            #expect(first != nil && second != nil)
            #expect(try leases.tryAcquire("schema") == nil)
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test func `who waits gets the lease when it is free, or an error when cancelled`() async throws {
        try await withTemporaryDirectory { folder in
            let leases = Leases(directory: folder, clock: SystemClock())
            let held = try leases.tryAcquire("device")
            let cancelled = Task { try await leases.acquire("device") }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
            let waiting = Task { try await leases.acquire("device") }
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
            let leases = Leases(directory: folder, clock: SystemClock())
            #expect(throws: HubError.self) { try leases.tryAcquire(name) }
        }
    }
}
