import Contacts
import Dictofun
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Notes
import SQLite
import Storage
import System
import TestSupport
import Testing

@testable import HubRuntime

/// Accounts, books and syncs as a user sees them. The account is a folder, like khard's.
struct AccountCommandsTests {
    private let hub: TestHub

    init() throws {
        hub = try TestHub(ContactsPlugin.self)
        try Directory.make(hub.folder.path + "/people/family")
        try Directory.make(hub.folder.path + "/people/team")
        for (name, book) in [("Ada", "family"), ("Bob", "family"), ("Zoe", "team")] {
            try write(name, phone: "1", to: book)
        }
    }

    private func write(_ name: String, phone: String, to book: String) throws {
        try hub.folder.write(
            "BEGIN:VCARD\nVERSION:3.0\nUID:\(name)\nFN:\(name)\nN:\(name);;;;\nTEL;TYPE=CELL:\(phone)\nEND:VCARD\n",
            to: "people/\(book)/\(name).vcf")
    }

    private var people: String { hub.folder.path + "/people" }

    @Test func `the life of an account`() async throws {
        var shown = await hub.transcript(
            "contacts accounts", "contacts sync", "contacts accounts add home \(people)", "config list --origin",
            "contacts accounts list", "contacts sync --dry-run", "contacts sync", "contacts sync", "contacts books",
            "contacts list --book home/team", "contacts new Cleo --book team", "contacts move zoe home/family",
            "contacts status", "contacts sync", "contacts status --plain=name,state,contacts,waiting")
        try write("Ada", phone: "2", to: "family")
        shown += await hub.transcript(
            "contacts set ada phone.mobile=3", "contacts sync", "contacts status", "status contacts")
        shown += await hub.transcript(
            "contacts accounts test home", "contacts books new home/Chess", "contacts books rm home/Chess --yes",
            "sync", "sync --json", "contacts accounts rm home --yes", "contacts list --book here --plain=name",
            "contacts accounts")
        Golden.expect(shown, is: "accounts.txt")
    }

    @Test func `what goes wrong is told, with what to type`() async throws {
        _ = await hub.run("contacts accounts add home \(people)")
        Golden.expect(
            await hub.transcript(
                "contacts accounts add home \(people)", "contacts accounts add a/b \(people)",
                "contacts accounts add x nowhere", "contacts accounts add x ./nowhere",
                "contacts accounts add x https://dav.example.org --user ada",
                "contacts accounts add x https://dav.example.org --user ada --password-file ./secret",
                "contacts accounts add x https://dav.example.org --ca-file ./ca.pem", "contacts accounts test hom",
                "contacts sync team", "contacts sync --offline", "contacts move ada", "contacts move ada nowhere",
                "contacts list --book nowhere", "contacts accounts rm home", "contacts books new Chess",
                "contacts accounts edit home --every often"),
            is: "accounts-wrong.txt")
    }

    @Test func `of one contact it is said what both sides have, and what the next sync does`() async throws {
        _ = await hub.run("contacts accounts add home \(people)")
        #expect(await hub.run("contacts sync").exit == 0)
        let id = await hub.run("contacts list ada --plain=id").output.prefix { $0 != "\n" }
        func explained() async -> String { await hub.run("sync --explain contacts:\(id)").all }
        var said = await explained()
        #expect(said.hasPrefix("Ada and home/family: nothing\n"), "\(said)")
        #expect(said.contains("  why    both are as they were") && said.contains("  base   version "), "\(said)")
        #expect(await hub.run("contacts set ada note=x").exit == 0)
        said = await explained()
        #expect(said.contains(": is sent\n") && said.contains("  here   note none -> x"), "\(said)")
        #expect(said.contains("  there  as it was"), "\(said)")
        try write("Ada", phone: "2", to: "family")
        said = await explained()
        #expect(said.contains(": both are merged\n") && said.contains("  there  phone"), "\(said)")
        #expect(await hub.run("contacts set ada phone.mobile=3").exit == 0)
        said = await explained()
        #expect(said.contains(": becomes a conflict\n"), "\(said)")
        // Nothing was changed by asking; a removal on one side.
        #expect(await hub.run("contacts show ada").output.contains("3"))
        #expect(await hub.run("contacts rm bob --yes").exit == 0)
        let bob = await hub.run("contacts list --trash --plain=id").output.prefix { $0 != "\n" }
        said = await hub.run("sync --explain contacts:\(bob)").all
        #expect(said.contains("Bob and home/family: is removed there") && said.contains("in the trash"), "\(said)")
        unlink("\(people)/team/Zoe.vcf")
        let zoe = await hub.run("contacts list zoe --plain=id").output.prefix { $0 != "\n" }
        said = await hub.run("sync --explain contacts:\(zoe)").all
        #expect(said.contains(": goes to the trash here") && said.contains("  there  removed"), "\(said)")
        #expect(await hub.run("contacts new Cleo --book team").exit == 0)
        let cleo = await hub.run("contacts list cleo --plain=id").output.prefix { $0 != "\n" }
        said = await hub.run("sync --explain contacts:\(cleo)").all
        #expect(said.contains(": is added there") && said.contains("never synced"), "\(said)")
        let none = await hub.run("sync --explain contacts:zzz")
        #expect(none.exit != 0 && none.all.contains("no other machine and no account"))
        #expect(rename(people, people + ".away") == 0)
        said = await explained()
        #expect(said.contains("  there  not known") && said.contains("home was not asked: "), "\(said)")
    }

    @Test func `of a contact in no account's book it is said where it is`() async throws {
        let alone = await hub.run("contacts new Cleo --book here")
        #expect(alone.exit == 0, "\(alone.all)")
        let id = await hub.run("contacts list cleo --plain=id").output.prefix { $0 != "\n" }
        #expect(await hub.run("sync --explain contacts:\(id)").exit != 0, "there is no account")
        _ = await hub.run("contacts accounts add home \(people)")
        #expect(await hub.run("contacts books new here/Family").exit == 0)
        #expect(await hub.run("contacts move cleo here/Family").exit == 0)
        let said = await hub.run("sync --explain contacts:\(id)").all
        #expect(said.contains("Cleo and your accounts: nothing") && said.contains("  here   here/Family"), "\(said)")
    }

    @Test func `of notes, records and trades it is said what there is to see, and where`() async throws {
        let hub = try TestHub(NotesPlugin.self, DictofunPlugin.self, MarketPlugin.self)
        func id(_ line: String) async -> String { String(await hub.run(line).output.prefix { $0 != "\n" }) }
        func explain(_ reference: String) async -> String { await hub.run("sync --explain \(reference)").all }
        _ = await hub.run("notes new Plan -m apples")
        let note = await id("notes list --plain=id")
        #expect(await explain("notes:\(note)").contains("no other machine and no account"))
        let folder = hub.folder.path + "/notes"
        #expect(await hub.run("notes mirror \(folder)").exit == 0)
        var said = await explain("notes:\(note)")
        #expect(
            said.contains("Plan and \(folder): nothing") && said.contains("  why    both are as they were"), "\(said)")
        let file = try #require(said.firstMatch(of: /version \S+ at (.+)/)).1
        try hub.folder.write("apples and plums\n", to: "notes/\(file)")
        said = await explain("notes:\(note)")
        #expect(said.contains(": is taken from there\n") && said.contains("  there  text or front matter"), "\(said)")
        unlink("\(folder)/\(file)")
        said = await explain("notes:\(note)")
        #expect(said.contains(": goes to the trash here\n") && said.contains("  there  removed"), "\(said)")
        #expect(await hub.run("config set plugins.notes.servers.team.url https://notes.invalid").exit == 0)
        said = await explain("notes:\(note)")
        #expect(said.contains("Plan and team: is sent\n  why    it is new there"), "\(said)")

        let format = "\u{10}\0\0\0\u{1}\0\u{1}\0\u{40}\u{1F}\0\0\u{40}\u{1F}\0\0\u{1}\0\u{8}\0"
        let header = "RIFF\u{64}\u{1F}\0\0WAVEfmt \(format)data\u{40}\u{1F}\0\0"
        try hub.folder.write(header + String(repeating: "@", count: 8000), to: "memo.wav")
        let imported = await hub.run("dictofun import \(hub.folder.path)/memo.wav --no-transcribe")
        #expect(imported.exit == 0, "\(imported.all)")
        said = await explain("dictofun:\(await id("dictofun list --plain=id"))")
        #expect(said.contains("memo and the file it came from: nothing"), "\(said)")
        let process = hub.hub()
        try await process.database().store(for: "market").write(System.Operation("test")) { transaction in
            _ = try transaction.run(
                """
                INSERT INTO market_trade (id, token, kind, amount, price, fee, currency, day, note, revision, created_at,
                    changed_at)
                VALUES ('1t', 'coingecko:bitcoin', 'buy', '0.5', '91204.10', '0', 'usd', '2026-01-03', '', 1, 1, 1)
                """)
        }
        await process.close()
        said = await explain("market:1t")
        #expect(said.contains(", buy and the providers of prices: nothing"), "\(said)")
    }

    @Test func `much is removed only when somebody agrees`() async throws {
        for index in 0..<40 { try write("Person \(index)", phone: "\(index)", to: "family") }
        _ = await hub.run("contacts accounts add home \(people)")
        _ = await hub.run("contacts sync")
        for index in 0..<30 { try hub.folder.remove("people/family/Person \(index).vcf") }
        var shown = await hub.transcript("contacts sync")
        shown += await hub.transcript("contacts sync", console: ScriptedConsole(answers: ["n"]))
        shown += await hub.transcript("contacts sync", console: ScriptedConsole(answers: ["y"]))
        // A sync is not one of the user's commands; it is undone by id.
        shown += await hub.transcript("undo", "history --json=who,command")
        Golden.expect(shown, is: "accounts-prompt.txt")
    }
}
