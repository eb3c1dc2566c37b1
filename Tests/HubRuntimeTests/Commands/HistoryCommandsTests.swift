import Contacts
import Glibc
import HubKitTesting
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// The output of `hub undo`, `redo` and `history` over real contacts.
struct HistoryCommandsTests {
    @Test func `undo and redo walk back and forth over one's own commands`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        Golden.expect(
            await hub.transcript(
                "undo", "redo", "contacts new Anna Lukasz", "contacts new Jan Kowal", "contacts tag anna old-work",
                "contacts tag jan old-work", "contacts rm --tag old-work --yes", "undo --dry-run", "undo", "undo",
                "redo --dry-run", "redo", "redo", "redo", "contacts", "history", "history contacts:nobody",
                "history 0zzzzzzzzz"),
            is: "undo-life.txt")
    }

    @Test func `an undo that a later change stands against is refused as a whole and names that change`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("contacts new Anna Lukasz phone=+48601234567")
        _ = await hub.run("contacts set anna phone=+48601234568")
        let first = try #require(try await hub.hub().database().history.operations(limit: 1, before: nil).first)
        hub.clock.advance(by: .seconds(600))
        _ = await hub.run("contacts set anna phone=+48601234569")
        Golden.expect(
            await hub.transcript("undo \(first.id)", "undo", "undo \(first.id)", "contacts phone anna"),
            is: "undo-conflict.txt")
    }

    @Test func `the history can be narrowed by time and author`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("contacts new Anna")
        hub.clock.advance(by: .seconds(3 * 86_400))
        _ = await hub.run("contacts new Jan")
        for (options, commands) in [
            ("--since 1d", "contacts new Jan\n"), ("--until yesterday", "contacts new Anna\n"), ("--by serve", ""),
            ("--since 4d --by you", "contacts new Jan\ncontacts new Anna\n"),
        ] {
            #expect(await hub.run("history \(options) --plain=command").output == commands, "\(options)")
        }
        #expect(await hub.run("history --mine --by serve").exit == 64)
    }

    @Test func `a verbose command names what its operations have changed`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let new = await hub.run("contacts new Anna -v")
        #expect(new.messages == "contacts new: 1 contact: Anna\n", "\(new.all)")
        #expect(await hub.run("contacts list -v").messages == "")
        mkdir(hub.home + "/book", 0o700)
        try hub.folder.write(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jan\r\nN:;Jan;;;\r\nUID:a\r\nEND:VCARD\r\n", to: "book/a.vcf")
        try hub.folder.write("[plugins.contacts.accounts]\nhome.url = \"~/book\"\n", to: ".config/hub/config.toml")
        let synced = await hub.run("contacts sync home -v")
        #expect(synced.messages == "contacts sync home: 1 contact: Jan\n", "\(synced.all)")
        #expect(await hub.run("history --before 1d").messages.contains("No operations match"))
    }

    @Test func `pruning forgets the history and keeps the data`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("contacts new Anna Lukasz")
        hub.clock.advance(by: .seconds(100 * 86_400))
        let unattended = await hub.transcript("history prune", "history prune --before 90d --dry-run")
        let no = await hub.transcript("history prune --before 90d", console: ScriptedConsole(answers: ["n"]))
        let yes = await hub.transcript("history prune --before 90d", console: ScriptedConsole(answers: ["y"]))
        Golden.expect(
            unattended + no + yes
                + (await hub.transcript("history prune --before 90d", "history", "undo", "contacts list --plain=name")),
            is: "history-prune.txt")
    }
}
