import Contacts
import Dictofun
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Mintee
import Notes
import TestSupport
import Testing

@testable import HubRuntime

/// The store of `hub demo`.
struct DemoTests {
    private static let plugins: [any Plugin.Type] = [
        ContactsPlugin.self, NotesPlugin.self, DictofunPlugin.self, MarketPlugin.self, MinteePlugin.self,
    ]

    /// A hub with the demo in it, and the number of its steps.
    @MainActor
    private func filled(seed: UInt64) async throws -> (hub: TestHub, count: Int) {
        let hub = try TestHub(
            ContactsPlugin.self, NotesPlugin.self, DictofunPlugin.self, MarketPlugin.self, MinteePlugin.self)
        try hub.folder.write(
            DemoStore.config(of: Self.plugins, address: "127.0.0.1:4820"), to: ".config/hub/config.toml")
        let count = try await DemoStore(Self.plugins, environment: hub.environment)
            .fill(seed: seed, now: hub.clock.now, zone: .utc)
        return (hub, count)
    }

    @Test func `it has a year in all plugins, which can be read, changed and undone as any other store`() async throws {
        let (hub, count) = try await filled(seed: 7)
        #expect(count > 150)
        let today = await hub.run("today --plain=plugin,text")
        #expect(today.output.contains("contacts\tBirthday of Ines Okafor, 31\n"), "\(today.all)")
        #expect(today.output.contains("dictofun\t") && today.output.contains("mintee\tWater"), "\(today.output)")
        for (line, least) in [
            ("contacts list", 120), ("notes list", 60), ("dictofun list", 16), ("market portfolio history", 25),
            ("mintee list", 10), ("trash list", 4), ("contacts duplicates", 5), ("history", 150),
        ] {
            let run = await hub.run("\(line) --plain")
            #expect(run.output.utf8.count { $0 == 0x0A } >= least, "\(line): \(run.all.prefix(300))")
        }
        // The oldest change is a year old, and nothing happened later than now.
        let times = await hub.run("history --plain=at").output.split(separator: "\n")
        #expect(times.first?.hasPrefix("2026-11-20") == true && times.last?.hasPrefix("2025-11-2") == true, "\(times)")
        #expect(times == times.sorted(by: >))
        #expect(await hub.run("doctor").exit == 0)
        let undo = await hub.run("undo")
        #expect(undo.exit == 0 && undo.all.contains("notes append Shopping"), "\(undo.all)")
        #expect(await !hub.run("notes show Shopping").output.contains("plums"))
    }

    @Test func `one seed gives one year, and another seed another one`() async throws {
        var found: [String] = []
        for seed: UInt64 in [7, 7, 8] {
            let (hub, _) = try await filled(seed: seed)
            let lists = [
                "contacts list --plain=name,phone", "notes show \"Week 3\" --plain=title,content",
                "mintee show Water --plain",
            ]
            var text = ""
            for line in lists { text += await hub.run(line).output.replacing(/[0-9][a-z][0-9a-z]{18}/, with: "") }
            found.append(text)
        }
        #expect(found[0] == found[1] && found[1] != found[2] && found[0].contains("Ines Okafor"))
    }

    @Test func `a stop ends it between two steps`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        await #expect(throws: CancellationError.self) {
            _ = try await DemoStore([ContactsPlugin.self], environment: hub.environment)
                .fill(seed: 7, now: hub.clock.now, zone: .utc) { true }
        }
    }

    @Test func `only the folder of a demo that runs is taken for one`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "lock")
        for path in [folder.path, folder.path + "/missing", "/"] {
            let environment = ProcessEnvironment(variables: [DemoFolder.variable: path, "HOME": folder.path])
            #expect(throws: HubError.self) { try DemoFolder(environment) }
        }
        #expect(try DemoFolder(ProcessEnvironment(variables: ["HOME": folder.path])) == nil)
    }
}
