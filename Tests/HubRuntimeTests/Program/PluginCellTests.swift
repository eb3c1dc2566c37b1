import Commands
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Synchronization
import Testing

@testable import HubRuntime

/// A plugin whose building takes a while, and counts itself.
private final class SlowPlugin: Plugin {
    static let built = Mutex(0)
    static let descriptor = PluginDescriptor(
        id: "slow", title: "Slow", summary: "a plugin that takes its time", content: "nothing", firstStep: "hub slow",
        schema: PluginSchema(owner: "slow", migrations: [], recorded: []),
        command: Command(group: "slow", summary: "do nothing", subcommands: []))

    init(context: Context) {
        Self.built.withLock { $0 += 1 }
        // So that others ask in the meantime, also with one processor.
        for _ in 0..<1000 { sched_yield() }
    }
}

struct PluginCellTests {
    @Test func `many that ask for a plugin at once get one object`() async throws {
        let hub = try TestHub(SlowPlugin.self).hub()
        let found = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<64 { group.addTask { ObjectIdentifier(try hub.plugin(SlowPlugin.self)) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(SlowPlugin.built.withLock { $0 } == 1)
        await hub.openedDatabase?.close()
    }
}
