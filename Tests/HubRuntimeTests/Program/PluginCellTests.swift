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

/// A plugin that knows whether its page, routes and topics were made.
private struct WatchedPlugin: Plugin {
    static let made = Mutex<[String]>([])
    static let descriptor = PluginDescriptor(
        id: "watched", title: "Watched", summary: "a plugin that is watched", content: "nothing",
        firstStep: "hub watched", schema: PluginSchema(owner: "watched", migrations: [], recorded: []),
        command: Command(group: "watched", summary: "do nothing", subcommands: []), page: make("page", nil),
        routes: make("routes", []), emits: make("topics", []))

    init(context: Context) {}

    private static func make<Part>(_ name: String, _ part: Part) -> Part {
        made.withLock { $0.append(name) }
        return part
    }
}

struct PluginCellTests {
    /// Each process would make those of all plugins.
    @Test func `a command makes no page, routes and topics`() async throws {
        let hub = try TestHub(WatchedPlugin.self)
        #expect(await hub.run("version").exit == 0)
        #expect(WatchedPlugin.made.withLock { $0 } == [])
        #expect(WatchedPlugin.descriptor.routes.isEmpty && WatchedPlugin.made.withLock { $0 } == ["routes"])
    }

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
