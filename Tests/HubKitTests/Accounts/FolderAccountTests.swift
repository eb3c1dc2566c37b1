import HubKit
import Sync
import TestSupport
import Testing

/// Accounts in folders, which are synced when something changes there.
@Suite(.timeLimit(.minutes(5)))
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
        let other = OtherProcess(try hub.locks.tryAcquire("jots/home"))
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
