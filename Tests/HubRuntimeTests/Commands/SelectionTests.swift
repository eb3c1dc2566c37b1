import Contacts
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing

/// Commands that take one contact, or several on stdin.
struct SelectionTests {
    private func hub() async throws -> TestHub {
        let hub = try TestHub(ContactsPlugin.self)
        for name in ["Zoe Meyer", "Anna Lukasz", "Jan Kowal"] { await hub.run("contacts new \(name)") }
        return hub
    }

    private func typed(_ text: String) -> ScriptedConsole { ScriptedConsole(input: Array(text.utf8)) }

    private func tags(_ hub: TestHub) async -> String { await hub.run("contacts list --plain=name,tags").output }

    @Test func `tags of several contacts are added and removed in one step`() async throws {
        let hub = try await hub()
        let plan = await hub.run("contacts tag - trip -n", console: typed("anna\njan\n"))
        #expect(plan.output == "Would tag 2 contacts: trip\n")
        let added = await hub.run("contacts tag - trip", console: typed("anna\n\njan\nanna\n"))
        #expect(added.output == "2 contacts tagged: trip. Undo: hub undo\n")
        let again = await hub.run("contacts tag - trip", console: typed("zoe\njan\n"))
        #expect(again.output == "1 contact tagged: trip. Undo: hub undo\n")
        let removed = await hub.run("contacts untag - trip", console: typed("zoe\nanna\njan\n"))
        #expect(removed.output == "3 contacts untagged: trip. Undo: hub undo\n")
        await hub.run("undo")
        #expect(await tags(hub) == "Jan Kowal\ttrip\nAnna Lukasz\ttrip\nZoe Meyer\ttrip\n")
        #expect(await hub.run("contacts tag - trip", console: typed("anna\nnobody\n")).exit == 1)
        #expect(await hub.run("contacts tag - trip", console: typed("")).messages.contains("No contacts match"))
    }

    @Test func `fields of several contacts are set in one step, or none is`() async throws {
        let hub = try await hub()
        let set = await hub.run("contacts set - org=Fjord", console: typed("anna\njan\n"))
        #expect(set.output.contains("): org Fjord\n") && set.output.hasSuffix("2 contacts changed. Undo: hub undo\n"))
        let wrong = await hub.run("contacts set - org=Other birthday=soon", console: typed("zoe\njan\n"))
        #expect(wrong.exit == 65)
        #expect(await hub.run("contacts list --plain=name fjord").output == "Jan Kowal\nAnna Lukasz\n")
        let plan = await hub.run("contacts set - org=Fjord -n", console: typed("zoe\njan\n"))
        #expect(plan.output.hasSuffix("1 contact would change\n"))
        await hub.run("undo")
        #expect(await hub.run("contacts list fjord").messages.contains("No contacts match"))
    }

    @Test func `names are listed in one order, whatever was typed`() async throws {
        let hub = try await hub()
        let console = ScriptedConsole(answers: ["y"])
        await hub.run("contacts rm zoe jan anna", console: console)
        let names = "Anna Lukasz, Jan Kowal, Zoe Meyer"
        #expect(console.transcript.contains { $0.contains("Remove 3 contacts: \(names)?") })
        #expect(await hub.run("undo").output.contains("  back: \(names)\n"))
        await hub.run("redo")
        #expect(await hub.run("contacts restore zoe anna jan").output == "Restored: \(names). Undo: hub undo\n")
    }
}
