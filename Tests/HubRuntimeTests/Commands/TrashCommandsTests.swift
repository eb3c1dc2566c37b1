import Contacts
import HubKitTesting
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// `hub trash`: the way back, and the one way to destroy.
struct TrashCommandsTests {
    @Test func `what is deleted is listed, brought back by any unique beginning, and that can be undone`() async throws
    {
        let hub = try TestHub(ContactsPlugin.self)
        for name in ["Anna Lukasz", "Jan Kowal", "Zoe Meyer"] { _ = await hub.run("contacts new \(name)") }
        _ = await hub.run("contacts rm anna jan zoe --yes")
        let zoe = try #require(
            await hub.run("trash --plain=ref,title").output.split(separator: "\n").first { $0.hasSuffix("Zoe Meyer") }?
                .split(separator: "\t").first.map(String.init))
        Golden.expect(
            await hub.transcript(
                "trash list --plain=title", "trash restore contacts:nobody", "trash restore \(zoe) --dry-run",
                "trash restore \(zoe)", "contacts list --plain=name", "undo", "contacts list --plain=name"),
            is: "trash-restore.txt")
    }

    @Test func `emptying asks, keeps what is younger, and leaves nothing to undo`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        for name in ["Anna Lukasz", "Jan Kowal"] { _ = await hub.run("contacts new \(name)") }
        _ = await hub.run("contacts rm anna --yes")
        hub.clock.advance(by: .seconds(40 * 86_400))
        _ = await hub.run("contacts rm jan --yes")
        let unattended = await hub.transcript("trash empty", "trash empty --before 30d --dry-run")
        let no = await hub.transcript("trash empty", console: ScriptedConsole(answers: ["n"]))
        let yes = await hub.transcript("trash empty --before 30d", console: ScriptedConsole(answers: ["y"]))
        Golden.expect(
            unattended + no + yes
                + (await hub.transcript("trash --plain=title", "undo", "undo", "undo", "contacts list --plain=name")),
            is: "trash-empty.txt")
    }

    @Test(arguments: [Duration.zero, .seconds(-3600)])
    func `emptying deletes all that it lists, also what was deleted just now or by a clock that was ahead`(
        passed: Duration
    ) async throws {
        let hub = try TestHub(ContactsPlugin.self)
        for name in ["Anna Lukasz", "Jan Kowal"] { _ = await hub.run("contacts new \(name)") }
        _ = await hub.run("contacts rm anna jan --yes")
        hub.clock.advance(by: passed)
        let plan = await hub.run("trash empty --dry-run --plain=title").output
        #expect(Set(plan.split(separator: "\n")) == ["Anna Lukasz", "Jan Kowal"])
        #expect(await hub.run("trash empty --yes").output.contains("Permanently deleted 2 items"))
        #expect(await hub.run("trash --plain=title").output.isEmpty)
    }

    @Test
    func `the trash is emptied of what is older than trash.days, once a day, and never after a jump of the clock`()
        async throws
    {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("config set trash.days 20")
        for name in ["Anna Lukasz", "Jan Kowal"] { _ = await hub.run("contacts new \(name)") }
        #expect(await hub.run("contacts rm anna --yes").output.contains("in the trash for 20 days"))
        func pass(_ days: Int) async throws -> String {
            hub.clock.advance(by: .seconds(days * 86_400))
            // What a person does dates the clock; what is done once a day follows it.
            _ = await hub.run("contacts set jan note=\(days)")
            let process = hub.hub()
            _ = try await process.database().store(for: "contacts").read { _ in }
            await process.doDailyJobs()
            try await process.database().close()
            return await hub.run("trash --plain=title").output
        }
        // The first check trusts the clock from then on.
        #expect(try await pass(0) == "Anna Lukasz\n")
        #expect(try await pass(10) == "Anna Lukasz\n")
        #expect(try await pass(9) == "Anna Lukasz\n")
        #expect(try await pass(2).isEmpty)
        _ = await hub.run("contacts rm jan --yes")
        _ = await hub.run("contacts new Jan Again")
        #expect(try await pass(400) == "Jan Kowal\n")
    }

    @Test func `what was destroyed is in no table and in no file of the store`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let data = hub.folder.path + "/.local/share/hub"
        let fields = [
            "note", "org", "title", "nickname", "role", "address", "email", "url", "tag", "phone", "im", "related",
        ]
        let words = ["zqwname", "zqwolder"] + fields.map { "zqw\($0)" }
        _ = await hub.run("contacts new Anna Lukasz note=stays")
        let values: [String: String] = [
            "email": "zqwemail@example.org", "url": "https://zqwurl.example", "phone": "+48 601 zqwphone",
        ]
        let made = await hub.run("contacts new zqwname Kowal note=zqwolder")
        #expect(made.exit == 0, "\(made)")
        for field in fields {
            // A field that hub names differently does not belong to this test.
            _ = await hub.run("contacts set zqwname \(field)='\(values[field] ?? "zqw\(field)")'")
        }
        _ = await hub.run("contacts tag zqwname lukasz zqwtag")
        _ = await hub.run("contacts set zqwname lukasz note+=zqwnote")
        _ = await hub.run("undo")
        for word in ["zqwname", "zqwolder", "zqwnote", "zqwtag"] {
            #expect(Canary.isPresent(word, in: data), "\(word) must have been there, else this proves nothing")
        }
        _ = await hub.run("contacts rm zqwname --yes")
        hub.clock.advance(by: .seconds(1))
        let emptied = await hub.run("trash empty --yes")
        #expect(emptied.exit == 0 && emptied.messages.isEmpty, "\(emptied)")
        Canary.expectGone(words, from: data)
        #expect(await hub.run("contacts list --plain=name").output == "Anna Lukasz\n")
        #expect(await hub.run("contacts search stays --plain=name").output == "Anna Lukasz\n")
        #expect(await hub.run("doctor").exit == 0)
    }

    @Test func `pruned history leaves nothing of old values in the files`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let data = hub.folder.path + "/.local/share/hub"
        _ = await hub.run("contacts new Anna Lukasz note=zqwfirst")
        _ = await hub.run("contacts set anna note=second")
        #expect(Canary.isPresent("zqwfirst", in: data))
        hub.clock.advance(by: .seconds(3600))
        #expect(await hub.run("history prune --before 1min --yes").exit == 0)
        Canary.expectGone(["zqwfirst"], from: data)
        #expect(await hub.run("contacts search second --plain=name").output == "Anna Lukasz\n")
    }
}
