import Commands
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Storage
import Testing

@testable import Tea

/// The commands that the toy plugin has of its own and of the shared components, run as a user types them.
struct TeaCommandTests {
    private func hub(_ teas: (name: String, grams: Int)...) async throws -> TestHub {
        let hub = try TestHub(TeaPlugin.self)
        for tea in teas {
            #expect(await hub.run("tea new '\(tea.name)' --grams \(tea.grams)").exit == 0)
            hub.clock.advance(by: .seconds(60))
        }
        return hub
    }

    @Test func `the declarations are complete`() throws {
        let root = try TestHub(TeaPlugin.self).root
        #expect(CommandValidator.problems(in: root).filter { $0.contains("tea") } == [])
        #expect(try TableRules.breaches(of: TeaPlugin.descriptor.schema) == [])
        let parser = CommandLineParser(root: root, environment: [:])
        func check(_ command: Command) throws {
            for example in command.examples {
                let words = try #require(ShellWords.split(example.command))
                #expect(throws: Never.self) { try parser.parse(Array(words.dropFirst())) }
            }
            for next in command.subcommands { try check(next) }
        }
        try check(TeaPlugin.descriptor.command)
    }

    @Test func `a tea is added, brewed and listed in either order`() async throws {
        let hub = try await hub(("Sencha", 100), ("Assam", 12))
        #expect(await hub.teas() == ["Assam 12", "Sencha 100"])
        #expect(await hub.run("tea brew assam").all.contains(": 7 g left. Undo: hub undo"))
        #expect(await hub.run("tea brew assam").exit == 0)
        let few = await hub.run("tea brew assam")
        #expect(few.exit == 65 && few.messages.contains("Assam has 2 g left"))
        #expect(await hub.run("tea list --sort grams --limit 1 --plain=name").output == "Assam\n")
        #expect(await hub.run("tea list --reverse --plain=name").output == "Sencha\nAssam\n")
        let taken = await hub.run("tea new Sencha")
        #expect(taken.exit == 1 && taken.messages.contains("a tea named Sencha already exists"))
        #expect(await hub.run("tea list nothing").all.contains("No teas match"))
        #expect(try await self.hub().run("tea").all.contains("hub tea new NAME"))
    }

    @Test func `what is removed is in the trash and comes back`() async throws {
        let hub = try await hub(("Sencha", 100), ("Assam", 12))
        #expect(await hub.run("tea rm sencha --yes").all == "Sencha is in the trash for 30 days. Undo: hub undo\n")
        #expect(await hub.run("tea list --trash --plain=name").output == "Sencha\n")
        #expect(await hub.run("trash").output.contains("Sencha"))
        #expect(await hub.run("tea restore sencha").exit == 0)
        #expect(await hub.teas() == ["Assam 12", "Sencha 100"])
        #expect(await hub.run("tea rm assam --yes").exit == 0)
        #expect(await hub.run("tea new Assam").exit == 0)
        let taken = await hub.run("tea restore assam")
        #expect(taken.exit == 1 && taken.messages.contains("a tea named Assam already exists"))
        hub.clock.advance(by: .seconds(1))
        #expect(await hub.run("trash empty --yes").exit == 0)
        #expect(await hub.run("tea list --trash --plain=name").output == "")
        #expect(await hub.run("tea restore assam").exit == 1)
    }

    @Test func `each change is undone and done again`() async throws {
        let hub = try await hub(("Sencha", 100))
        await hub.run("tea brew sencha")
        await hub.run("tea rm sencha --yes")
        #expect(await hub.run("undo").exit == 0)
        #expect(await hub.teas() == ["Sencha 95"])
        #expect(await hub.run("undo").exit == 0)
        #expect(await hub.teas() == ["Sencha 100"])
        #expect(await hub.run("redo").exit == 0)
        #expect(await hub.teas() == ["Sencha 95"])
        // The index follows an undo.
        await hub.run("tea tag sencha evening")
        await hub.run("undo")
        #expect(await hub.run("tea search evening").exit == 1)
    }

    @Test func `tags are set and select`() async throws {
        let hub = try await hub(("Sencha", 100), ("Assam", 12))
        #expect(await hub.run("tea tag sencha green Morning").all.contains(": green, Morning."))
        await hub.run("tea tag assam morning")
        #expect(await hub.run("tea tags --plain=tag,count").output == "green\t1\nMorning\t2\n")
        #expect(await hub.run("tea list --tag green --plain=name").output == "Sencha\n")
        #expect(await hub.run("tea untag sencha morning").exit == 0)
        #expect(await hub.run("tea tags --plain=tag,count").output == "green\t1\nmorning\t1\n")
        #expect(await hub.run("tea rm --tag morning --yes").exit == 0)
        #expect(await hub.teas() == ["Sencha 100"])
    }

    @Test func `a tea is found by its words, here and by hub search`() async throws {
        let hub = try await hub(("Green Sencha", 50), ("Sencha", 10), ("Assam", 12))
        #expect(await hub.run("tea search sen --plain=name").output == "Green Sencha\nSencha\n")
        // A whole title is a better match than the beginning of one of its words.
        #expect(await hub.run("search sencha --plain=title").output == "Sencha\nGreen Sencha\n")
        let none = await hub.run("tea search rooibos")
        #expect(none.exit == 1 && none.all.contains("No tea matches"))
    }

    @Test func `history tells each change, and an earlier version comes back`() async throws {
        let hub = try await hub(("Sencha", 100))
        await hub.run("tea brew sencha")
        hub.clock.advance(by: .seconds(3600))
        await hub.run("tea tag sencha green")
        #expect(
            await hub.run("tea history sencha --plain=changes").output
                == "tags green\ngrams 95\nname Sencha,grams 100,tags \n")
        #expect(
            await hub.run("tea diff sencha --since 2h --plain=field,before,after").output.contains("tags\t\tgreen"))
        #expect(await hub.run("history").output.contains("tea brew"))
        #expect(await hub.run("tea restore sencha --at 12:00").exit == 0)
        #expect(await hub.teas() == ["Sencha 100"])
        #expect(await hub.run("tea tags").all.contains("No tags"))
    }

    @Test func `settings, reminders and doctor know the plugin`() async throws {
        let hub = try await hub(("Sencha", 30), ("Assam", 12))
        func low() async throws -> [String] {
            let process = hub.hub()
            try await process.plugin(TeaPlugin.self).remindOfLowTeas()
            await process.openedDatabase?.close()
            return await hub.run("events list --topic 'app.tea/*' --plain=body").output.split(separator: "\n")
                .map(String.init)
        }
        #expect(try await low().count == 1)
        #expect(await hub.run("config set plugins.tea.low_grams 50").exit == 0)
        #expect(try await low().filter { $0.contains("Sencha is running out") && $0.contains("30 g left") }.count == 1)
        #expect(await hub.run("config set plugins.tea.low_grams 5000").exit == 65)

        let process = hub.hub()
        let check = try #require(TeaPlugin.descriptor.checks.first)
        func finding() async throws -> String { "\(try await check.check(process))" }
        #expect(try await finding().hasPrefix("fine"))
        let store = try process.plugin(TeaPlugin.self).store
        try await store.write(Operation("test", kind: .cache)) {
            try $0.run("DELETE FROM tea_text WHERE text LIKE '%assam%'")
        }
        #expect(try await finding().hasPrefix("failure"))
        try await check.fix?(process)
        #expect(try await finding().hasPrefix("fine"))
        await process.openedDatabase?.close()
        #expect(await hub.run("tea search assam").exit == 0)
    }
}
