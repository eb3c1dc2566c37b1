import Contacts
import Dictofun
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Mintee
import Notes
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// `hub export` and `hub import`.
struct ExportTests {
    private static let plugins: [any Plugin.Type] = [
        ContactsPlugin.self, NotesPlugin.self, DictofunPlugin.self, MarketPlugin.self, MinteePlugin.self,
    ]

    private static func empty() throws -> TestHub {
        let hub = try TestHub(
            ContactsPlugin.self, NotesPlugin.self, DictofunPlugin.self, MarketPlugin.self, MinteePlugin.self)
        try hub.folder.write(
            DemoStore.config(of: plugins, address: "127.0.0.1:4820"), to: ".config/hub/config.toml")
        return hub
    }

    /// A hub with a year in all plugins, and what the year does not have.
    @MainActor
    private static func filled() async throws -> TestHub {
        let hub = try empty()
        _ = try await DemoStore(plugins, environment: hub.environment).fill(seed: 7, now: hub.clock.now, zone: .utc)
        try hub.folder.write("---\nkind: recipe\n---\n---\nnot front matter\n\n", to: "md/Odd: \"name\"?.md")
        try hub.folder.write("\u{0}\u{1}picture", to: "picture.png")
        for line in [
            "contacts books new here/Chess", "contacts new Judit --book here/Chess",
            "contacts searches save mine tag:friends", "notes searches save plans tag:plan",
            "notes import \(hub.home)/md",
            "notes new 'CON' -m 'a note with a reserved name'", "notes new 'con' -m 'and another'",
            "notes attach Shopping \(hub.home)/picture.png", "market watchlist add btc eth",
            "market alerts new btc '> 100000'",
            "mintee theme Ocean", "mintee pause --all 2026-08-01..2026-08-07",
        ] {
            let run = await hub.run(line)
            #expect(run.exit == 0 || run.exit == 2, "\(line): \(run.all)")
        }
        return hub
    }

    /// The bytes of all files of a folder but those that tell of the time and of the settings.
    private static func tree(_ path: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        func add(_ folder: String) throws {
            for name in try DirectoryHandle(path + folder).names().map({ "\($0)" }) {
                let below = folder + "/" + name
                var status = stat()
                guard lstat(path + below, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    try add(below)
                } else if !["/hub-export.json", "/manifest.sha256", "/config.toml"].contains(below) {
                    found[below] = try ChunkedFileReader.contents(of: path + below, limit: 1 << 30)
                }
            }
        }
        try add("")
        return found
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }

    private static let views = [
        "contacts export", "contacts list --trash --plain", "contacts list --book here/Chess --plain",
        "contacts searches list --plain",
        "notes export --as json", "notes list --trash --plain", "notes searches list --plain",
        "dictofun list --plain", "dictofun list --trash --plain", "market portfolio export",
        "market watchlist list --plain=symbol,name", "market alerts list --plain=id,symbol,condition", "mintee export",
        "mintee list --trash --plain", "mintee analyses list --plain", "mintee theme", "trash list --plain",
    ]

    @MainActor @Test func `an export brings all five plugins into an empty store, which is equal then`() async throws {
        let hub = try await Self.filled()
        let export = await hub.run("export ~/out")
        #expect(export.exit == 0 && export.output.contains("contacts  contacts"), "\(export.all)")
        let first = try Self.tree(hub.home + "/out")
        for end in [".vcf", ".md", ".wav", ".srt", ".png", "/trades.csv", "/tasks.ics", "/days.csv"] {
            #expect(first.keys.contains { $0.hasSuffix(end) }, "\(end)")
        }
        #expect(first.keys.contains { $0.contains("/trash/") })
        // Two notes have names that some systems take for one, and for a device.
        #expect(Set(first.keys.map { $0.lowercased() }).count == first.count)
        #expect(
            first.keys.count { $0.lowercased().hasPrefix("/notes/con") || $0.lowercased().hasPrefix("/notes/_con") }
                == 2)
        #expect(!first.keys.contains { $0.lowercased() == "/notes/con.md" })

        let other = try Self.empty()
        // The plan is that of the run, also for items that refer to one another.
        let planned = await other.run("import \(hub.home)/out -n --plain=new,different,skipped")
        let rows = planned.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        let new = rows.compactMap { $0.first.flatMap { Int($0) } }.reduce(0, +)
        #expect(planned.exit == 0 && new > 0 && rows.allSatisfy { $0.dropFirst() == ["0", "0"] }, "\(planned.all)")
        let imported = await other.run("import \(hub.home)/out")
        #expect(imported.output.contains("\n\(new) items added"), "\(new): \(imported.all)")
        #expect(imported.exit == 0 && imported.output.hasSuffix("added. Undo: hub undo\n"), "\(imported.all)")
        for line in Self.views {
            let (here, there) = (await hub.run(line), await other.run(line))
            // Cards with the same name have no order, and some trash is empty.
            #expect(Self.lines(here.output) == Self.lines(there.output), "\(line)")
        }
        #expect(await other.run("export ~/out").exit == 0)
        let second = try Self.tree(other.home + "/out")
        #expect(Set(first.keys) == Set(second.keys))
        for (file, bytes) in first where second[file] != bytes { Issue.record("\(file) differs") }
        #expect(await other.run("doctor --plain=check,state").exit == 0)

        // Again, nothing is added, and nothing is written.
        let again = await other.run("import \(hub.home)/out --plain=new,different,skipped")
        #expect(again.exit == 0 && again.output.split(separator: "\n").allSatisfy { $0 == "0\t0\t0" }, "\(again.all)")
        #expect(await other.run("export ~/out").output.contains("0 files written"))

        // One undo takes all back.
        let undo = await other.run("undo")
        #expect(undo.exit == 0, "\(undo.all)")
        for line in ["contacts list --plain", "notes list --plain", "mintee list --plain", "trash list --plain"] {
            #expect(await other.run(line).output.isEmpty, "\(line)")
        }
        let third = await other.run("import \(hub.home)/out")
        #expect(third.exit == 0, "\(third.all)")
        #expect(await other.run("notes export --as json").output == hub.run("notes export --as json").output)
    }

    @MainActor @Test func `an import that was interrupted is continued, and keeps what differs`() async throws {
        let hub = try await Self.filled()
        #expect(await hub.run("export ~/out").exit == 0)
        let other = try Self.empty()
        // What a process has committed before it was killed: some plugins, and one item that was changed since.
        #expect(await other.run("plugins disable mintee").exit == 0)
        #expect(await other.run("import \(hub.home)/out").all.contains("not imported, since disabled: mintee"))
        #expect(await other.run("plugins enable mintee").exit == 0)
        #expect(await other.run("contacts set 'Ines Okafor' phone.work=12345").exit == 0)
        let rest = await other.run("import \(hub.home)/out --json")
        #expect(rest.exit == 2 && rest.all.contains("1 item differ here and were left: contacts:"), "\(rest.all)")
        #expect(await other.run("contacts show 'Ines Okafor'").output.contains("12345"))
        #expect(await other.run("mintee export").output == hub.run("mintee export").output)
    }

    @MainActor @Test func `what was changed in the folder, leads out of it or is unfinished is not imported`()
        async throws
    {
        let hub = try Self.empty()
        for line in ["contacts new Ada", "contacts new Łukasz", "notes new Tea -m leaves"] { await hub.run(line) }
        #expect(await hub.run("export ~/out").exit == 0)
        let cards = try DirectoryHandle(hub.home + "/out/contacts/local").names().map { "\($0)" }.sorted()
        try #require(cards.count == 2)
        try hub.folder.write("changed", to: "out/contacts/local/\(cards[0])")
        let note = hub.home + "/out/notes/Tea.md"
        #expect(rename(note, hub.home + "/Tea.md") == 0 && symlink(hub.home + "/Tea.md", note) == 0)
        let other = try Self.empty()
        let run = await other.run("import \(hub.home)/out")
        #expect(run.exit == 2 && run.all.contains("1 item added"), "\(run.all)")
        #expect(run.all.contains("\(cards[0]) is missing, or was changed after the export"), "\(run.all)")
        #expect(run.all.contains("Tea.md is missing, or was changed after the export"), "\(run.all)")

        // The next export repairs the folder, also after one that was killed.
        #expect(unlink(hub.home + "/out/hub-export.json") == 0)
        try hub.folder.write("", to: "out/.hub-export")
        try hub.folder.write("part", to: "out/.hub-export.part.wav")
        let unfinished = await other.run("import \(hub.home)/out")
        #expect(unfinished.exit == 65 && unfinished.all.contains("was not finished"), "\(unfinished.all)")
        #expect(await hub.run("export ~/out").output.contains("2 files written"))
        let names = try DirectoryHandle(hub.home + "/out").names().map { "\($0)" }
        #expect(!names.contains { $0.hasPrefix(".hub-export") }, "\(names)")
        #expect(await other.run("import \(hub.home)/out").output.contains("2 items added"))
        #expect(await other.run("import \(hub.home)").exit == 64)
    }

    @MainActor @Test func `an export replaces only what it has written`() async throws {
        let hub = try Self.empty()
        for line in ["notes new Tea -m leaves", "notes new Milk -m oats"] { await hub.run(line) }
        try hub.folder.write("mine", to: "mine/file")
        #expect(await hub.run("export ~/mine").exit == 64)
        #expect(await hub.run("export ~/mine --force").exit == 0)
        try hub.folder.write("my own words", to: "mine/notes/Milk.md")
        for line in ["notes rm Tea Milk --yes", "trash empty --yes"] { #expect(await hub.run(line).exit == 0) }
        let run = await hub.run("export ~/mine")
        #expect(run.output.contains("1 removed") && run.all.contains("1 file of an earlier export left"), "\(run.all)")
        let left = try Self.tree(hub.home + "/mine")
        #expect(left["/file"] == Array("mine".utf8) && left["/notes/Milk.md"] == Array("my own words".utf8))
        #expect(left["/notes/Tea.md"] == nil)
        #expect(await hub.run("export \(hub.home)/.local/share/hub/x").exit == 64)
    }

    @Test func `each table with facts is in the export, but for those that are meant to stay`() {
        // Open conflicts belong to accounts, edits to the history of texts, and an address of a published note is a secret.
        let left: Set<String> = ["contacts_conflict", "notes_edit", "notes_publication"]
        for plugin in Self.plugins {
            let descriptor = plugin.descriptor
            let declared = Set((descriptor.export?.kinds ?? []).flatMap { $0.tables.map(\.name) })
            let recorded = Set(descriptor.schema.recorded.map(\.name))
            #expect(recorded.subtracting(declared).subtracting(left).isEmpty, "\(descriptor.id)")
            #expect(declared.isDisjoint(with: left))
        }
    }

    @Test(arguments: [
        ("a/b", "a_b"), ("..", "_"), (".profile", "_profile"), ("name. ", "name"), ("", "_"), ("NUL.txt", "_NUL.txt"),
        ("com1", "_com1"), ("a\u{7}b\u{202E}", "a_b_"), ("Łukasz?", "Łukasz_"),
        (String(repeating: "ä", count: 100) + ".md", String(repeating: "ä", count: 58) + ".md"),
    ]) func `names are such that every file system can have them`(name: String, safe: String) {
        #expect(ExportName.safe(name) == safe)
        #expect(ExportName.isPath(ExportName.safe(name)))
    }

    @Test func `a path that leads out of the folder is none`() {
        for path in ["", "/etc/passwd", "../a", "a/../b", "a//b", "a/.", "a\u{0}"] { #expect(!ExportName.isPath(path)) }
    }
}
