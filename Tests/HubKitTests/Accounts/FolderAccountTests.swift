import HubKitTesting
import Sync
import TestSupport
import Testing

@testable import HubKit
@testable import Storage

/// Accounts in folders, which are synced when something changes there.
@Suite(.timeLimit(.minutes(20)))
struct FolderAccountTests {
    private let hub: ToyHub<Jots>
    private let folder: TemporaryFolder

    init() async throws {
        let server = JotServer()
        hub = try ToyHub { Jots($0, server) }
        folder = try TemporaryFolder()
        try await hub.run("jots accounts add home \(folder.path)")
    }

    private func lastSync() async throws -> SyncLogEntry? { try await hub.store.read { try $0.lastSync(of: "home") } }

    @Test func `a changed folder is synced once, and not again within seconds of the last sync`() async throws {
        var changed: Set = ["home", "removed"]
        #expect(try await hub.round(changed: &changed) == .seconds(60))
        let first = try #require(try await lastSync())
        #expect(changed.isEmpty)
        changed = ["home"]
        hub.clock.advance(by: .seconds(2))
        #expect(try await hub.round(changed: &changed) == .seconds(3), "it may be the sync's own change")
        #expect(try await lastSync() == first && changed == ["home"])
        hub.clock.advance(by: .seconds(3))
        _ = try await hub.round(changed: &changed)
        #expect(try await lastSync() != first && changed.isEmpty)
    }

    @Test func `a change is kept while another process syncs the account`() async throws {
        _ = try await hub.round()
        hub.clock.advance(by: .seconds(10))
        let first = try await lastSync()
        let other = OtherProcess(try await hub.locks.tryAcquire("jots/home"))
        var changed: Set = ["home"]
        #expect(try await hub.round(changed: &changed) == .seconds(5))
        #expect(changed == ["home"])
        other.release()
        // A child that another test starts at this moment may hold it until it has begun.
        _ = try await hub.locks.acquire("jots/home")
        _ = try await hub.round(changed: &changed)
        #expect(try await lastSync() != first && changed.isEmpty)
    }

    @Test func `the service syncs when it has begun to watch, and when a file is written`() async throws {
        let service = hub.plugin.accounts.service(log: hub.plugin.log)
        let task = Task { try await service.run() }
        defer { task.cancel() }
        var lines = hub.logLines.makeAsyncIterator()
        #expect(await lines.next() == "info: home: 3 received, 0 sent", "it was never synced")
        hub.clock.advance(by: .seconds(10))
        #expect(await lines.next() == "info: home: 0 received, 0 sent", "nothing is known of the time before")
        hub.clock.advance(by: .seconds(10))
        try folder.write("1", to: "inner/one.txt")
        #expect(await lines.next() == "info: home: 0 received, 0 sent")
    }
}

/// Two stores whose user has one config file, and so the same accounts.
struct SharedAccountTests {
    private func hub(state: TemporaryFolder) async throws -> ToyHub<Jots> {
        let hub = try ToyHub(state: state.path) { Jots($0, JotServer()) }
        try await hub.run("jots accounts add box https://notes.example.org --user ada --password-command secret")
        return hub
    }

    @Test func `an account that another store syncs is left alone, and a command waits for it`() async throws {
        let state = try TemporaryFolder()
        let (first, second) = (try await hub(state: state), try await hub(state: state))
        let account = try first.plugin.accounts.registry.account("box").account
        let lock = OtherProcess(try await first.plugin.accounts.registry.tryLock(account))
        #expect(try await second.round() == .seconds(5))
        #expect(try await second.status().first?.state == "syncing")
        let setup = try second.plugin.accounts.registry.account("box")
        let report = try await second.plugin.accounts.sync(setup, SyncRequest(Operation("jots sync"))) { holder in
            #expect(holder != nil)
            Task.detached {
                await second.clock.sleepers(atLeast: 1)
                lock.release()
                second.clock.advance(by: .seconds(1))
            }
        }
        // The other store's sync says nothing about this one.
        #expect(report.doneBy == nil && report.run.received.new == 3)
    }

    @Test func `accounts at other addresses are not held up, nor is one where the state cannot be kept`() async throws {
        let state = try TemporaryFolder()
        let (first, second) = (try await hub(state: state), try await hub(state: state))
        try await second.run(
            "jots accounts add work https://notes.example.org --user bob --password-command secret --force")
        let registry = second.plugin.accounts.registry
        let held = try await first.plugin.accounts.registry.tryLock(try registry.account("box").account)
        #expect(try await registry.tryLock(try registry.account("box").account) == nil)
        #expect(try await registry.tryLock(try registry.account("work").account) != nil)
        withExtendedLifetime(held) {}
        let nowhere = try ToyHub(state: "/proc/hub") { Jots($0, JotServer()) }
        try await nowhere.run("jots accounts add box https://notes.example.org --user ada --password-command secret")
        #expect(try await nowhere.run("jots sync").first?.hasPrefix("box  received 3 new") == true)
    }
}
