import Contacts
import Glibc
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing

@testable import HubRuntime

/// `hub backup` and `hub restore`.
struct BackupCommandsTests {
    @Test func `a backup brings everything back, and the store that it replaced is kept`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let file = hub.folder.path + "/copy.db"
        let broken = hub.folder.path + "/broken.db"
        try hub.folder.write("no database", to: "broken.db")
        _ = await hub.run("contacts new Anna Lukasz")
        let saved = await hub.transcript("backup \(file) --dry-run", "backup \(file)", "contacts new Jan Kowal")
        let no = await hub.transcript("restore \(file)", console: ScriptedConsole(answers: ["n"]))
        let refused = await hub.transcript(
            "restore \(broken) --yes", "restore \(file).none --yes", "contacts list --plain=name")
        #expect(hub.folder.mode("copy.db") == 0o600)
        // A plan looks at the file, and nothing is asked about one that cannot be restored.
        #expect(await hub.run("restore \(file) -n").exit == 0)
        #expect(await hub.run("restore \(broken) -n").exit == 65)
        #expect(await hub.run("restore \(broken)", console: ScriptedConsole(answers: ["y"])).exit == 65)
        #expect(await hub.run("restore \(file).none -n").exit == 1)
        let yes = await hub.run("restore \(file)", console: ScriptedConsole(answers: ["y"]))
        #expect(yes.exit == 0, "\(yes.messages)")
        let kept = try #require(
            yes.output.split(separator: "\n").first?.split(separator: " ").last.map(String.init))
        #expect(access(kept, F_OK) == 0, "\(yes.output)")
        let back = await hub.transcript("contacts list --plain=name", "doctor -q --plain=check,state")
        Golden.expect(saved + no + refused + back, is: "backup.txt")
        #expect(await hub.run("restore \(kept) --yes").exit == 0)
        #expect(await hub.run("contacts list --plain=name").output == "Jan Kowal\nAnna Lukasz\n")
    }

    @Test func `a backup never replaces a file of the store, and others only of its kind`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let home = hub.folder.path
        _ = await hub.run("contacts new Anna Lukasz")
        let data = home + "/.local/share/hub"
        symlink(data + "/hub.db", home + "/link.db")
        symlink(data, home + "/folder")
        link(data + "/hub.db", home + "/hard.db")
        try hub.folder.write("my thesis", to: "thesis.txt")
        try hub.folder.write("# settings", to: ".config/hub/config.toml")
        let targets = [
            "\(data)/hub.db", "\(data)/../hub/hub.db", "\(data)/hub.db-wal", "\(data)/new.db", "\(home)/link.db",
            "\(home)/folder/hub.db", "\(home)/hard.db", "\(home)/.config/hub/config.toml",
        ]
        for target in targets {
            for line in ["backup \(target) --force", "contacts export -o \(target) --force"] {
                let run = await hub.run(line)
                #expect(run.exit == 64 && run.messages.contains("in another folder"), "\(line): \(run)")
            }
        }
        for line in ["backup \(home)/thesis.txt", "contacts export -o \(home)/thesis.txt"] {
            let run = await hub.run(line)
            #expect(run.exit == 64 && run.messages.contains("--force"), "\(line): \(run)")
        }
        #expect(Golden.read(home + "/thesis.txt") == "my thesis")
        #expect(await hub.run("contacts list --plain=name").output == "Anna Lukasz\n")
        for _ in 0..<2 {
            #expect(await hub.run("backup \(home)/b.db").exit == 0)
            #expect(await hub.run("contacts export -o \(home)/people.vcf").exit == 0)
        }
        #expect(await hub.run("contacts export -o \(home)/b.db").exit == 64)
        #expect(await hub.run("backup \(home)/thesis.txt --force").exit == 0)
        #expect(await hub.run("restore \(home)/thesis.txt --yes").exit == 0)
    }

    @Test func `a folder of backups keeps the newest, and never loses the one just made`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let home = hub.folder.path
        _ = await hub.run("contacts new Anna Lukasz")
        mkdir(home + "/backups", 0o700)
        func names() -> [String] { fileNames(in: home + "/backups").sorted() }
        for _ in 0..<3 { #expect(await hub.run("backup \(home)/backups --keep 4").exit == 0) }
        let sameSecond = names()
        #expect(sameSecond.count == 3, "three backups in one second have three names")
        try hub.folder.write("mine", to: "backups/hub-2020-01-01T000000.db")
        hub.clock.advance(by: .seconds(-3 * 365 * 86_400))
        #expect(await hub.run("backup \(home)/backups --keep 2").exit == 0)
        // The clock went back, so the new one has the oldest name.
        #expect(names().count == 3 && names().contains("hub-2020-01-01T000000.db"))
        #expect(Set(names()).intersection(sameSecond).count == 1)
        #expect(await hub.run("backup \(home)/one.db --keep 2").exit == 64)
    }

    @Test func `a backup carries the config file, and a restore brings it back beside the one it replaces`()
        async throws
    {
        let hub = try TestHub(ContactsPlugin.self)
        let file = hub.folder.path + "/copy.db"
        let config = hub.folder.path + "/.config/hub"
        try hub.folder.write("alias.who = \"contacts search\"\n", to: ".config/hub/config.toml")
        _ = await hub.run("contacts new Anna Lukasz")
        #expect(await hub.run("backup \(file)").exit == 0)
        try hub.folder.write("alias.other = \"contacts list\"\n", to: ".config/hub/config.toml")
        let restored = await hub.run("restore \(file) --yes")
        #expect(restored.exit == 0 && restored.output.contains("Restored ~/.config/hub/config.toml"), "\(restored)")
        #expect(Golden.read(config + "/config.toml") == "alias.who = \"contacts search\"\n")
        let kept = try #require(fileNames(in: config).first { $0.contains("replaced") })
        #expect(Golden.read(config + "/" + kept) == "alias.other = \"contacts list\"\n")
        let again = await hub.run("restore \(file) --yes")
        #expect(again.exit == 0 && !again.output.contains("config.toml"))
        #expect(await hub.run("doctor").exit == 0)
    }
}
