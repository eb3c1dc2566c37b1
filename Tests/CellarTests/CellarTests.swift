import CellarDomain
import Commands
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Storage
import Testing

@testable import Cellar

/// The plugin in the whole hub: command lines and requests, as separate processes would run them.
struct CellarTests {
    private let hub: TestHub

    init() throws { hub = try TestHub(CellarPlugin.self) }

    private func add(_ names: String...) async {
        for name in names {
            #expect(await hub.run("cellar new '\(name)'").exit == 0)
            hub.clock.advance(by: .seconds(60))
        }
    }

    private func names(_ line: String) async -> String { await hub.run("\(line) --plain=name").output }

    @Test func `the declarations are complete`() throws {
        #expect(CommandValidator.problems(in: hub.root).filter { $0.contains("cellar") } == [])
        #expect(try TableRules.breaches(of: CellarPlugin.descriptor.schema) == [])
        let parser = CommandLineParser(root: hub.root, environment: [:])
        for command in CellarPlugin.descriptor.command.subcommands {
            for example in command.examples {
                let words = try #require(ShellWords.split(example.command))
                #expect(throws: Never.self) { try parser.parse(Array(words.dropFirst())) }
            }
        }
    }

    @Test(arguments: CellarEvents.declarations)
    func `each topic's page says what the declaration says`(declaration: TopicDeclaration) throws {
        #expect(try declaration.differencesFromPage() == [])
    }

    @Test func `the plugin is listed, and has help`() async {
        #expect(await hub.run("plugins list").output.contains("cellar"))
        #expect(await hub.run("cellar --help").output.contains("hub cellar new"))
    }

    @Test func `an item is added, changed, found and undone`() async {
        await add("First", "Second one")
        #expect(await hub.run("cellar set first --on 2030-01-31").all.contains("First"))
        #expect(await hub.run("cellar list --sort day --plain=name,day").output == "First\t2030-01-31\nSecond one\t\n")
        #expect(await names("cellar search sec") == "Second one\n")
        #expect(await hub.run("search second").output.contains("Second one"))
        #expect(await hub.run("cellar set first --name 'Second one'").messages.contains("is already used"))
        #expect(await hub.run("undo").exit == 0)
        #expect(await hub.run("cellar list --plain=day").output == "\n\n")
    }

    @Test func `the trash, tags and history come with the entity`() async {
        await add("First", "Second")
        #expect(await hub.run("cellar rm first --yes").exit == 0)
        #expect(await names("cellar list --trash") == "First\n")
        #expect(await hub.run("trash").output.contains("First"))
        #expect(await hub.run("cellar restore first").exit == 0)
        #expect(await hub.run("cellar tag first green").exit == 0)
        #expect(await names("cellar list --tag green") == "First\n")
        #expect(await hub.run("cellar history first --plain=changes").output.hasPrefix("tags green\n"))
        #expect(await hub.run("cellar diff first --since 1h --plain=field").output.contains("tags"))
    }

    @Test func `the service reminds once of each day`() async throws {
        await add("First")
        #expect(await hub.run("cellar set first --on 2026-11-21").exit == 0)
        func reminders() async throws -> Int {
            let process = hub.hub()
            try await process.plugin(CellarPlugin.self).remindOfDays()
            await process.openedDatabase?.close()
            return await hub.run("events list --topic 'app.cellar/*' --plain=topic").output.split(separator: "\n").count
        }
        #expect(try await reminders() == 0)
        hub.clock.advance(by: .seconds(86_400))
        #expect(try await reminders() == 1)
        #expect(try await reminders() == 1)
        #expect(await hub.run("today").output.contains("First"))
        #expect(await hub.run("cellar set first --on 2026-11-22").exit == 0)
        #expect(await hub.run("config set plugins.cellar.days_ahead 1").exit == 0)
        #expect(try await reminders() == 2)
    }

    @Test func `doctor derives the index again`() async throws {
        await add("First")
        let process = hub.hub()
        let check = try #require(CellarPlugin.descriptor.checks.first)
        #expect("\(try await check.check(process))".hasPrefix("fine"))
        let store = try process.plugin(CellarPlugin.self).store
        try await store.write(Operation("test", kind: .cache)) { try $0.run("DELETE FROM cellar_text") }
        #expect("\(try await check.check(process))".hasPrefix("failure"))
        try await check.fix?(process)
        #expect("\(try await check.check(process))".hasPrefix("fine"))
        await process.openedDatabase?.close()
        #expect(await names("cellar search first") == "First\n")
    }
}
