import Contacts
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Notes
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// The commands that look over all plugins: today, search, status, doctor, plugins, web.
struct OverviewCommandsTests {
    @Test func `today and search gather what the plugins have`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("contacts new Ada Lovelace birthday=1815-11-21 email=ada@example.org")
        _ = await hub.run("contacts new Łukasz Nowak phone=+48601234567")
        Golden.expect(
            await hub.transcript(
                "today", "today tomorrow", "today 2026-11-21 --plain=plugin,text", "search lukasz",
                "search nowak --in contacts --plain=title,detail", "search nobody", "search ada --in notes"),
            is: "overview.txt")
    }

    @Test func `plugins are listed, described and switched off without losing their data`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("contacts new Ada Lovelace")
        Golden.expect(
            await hub.transcript(
                "plugins", "plugins info contacts --json=id,services,tables", "plugins info contcts",
                "plugins disable contacts --dry-run", "plugins disable contacts", "plugins disable contacts",
                "contacts list", "search ada", "plugins enable contacts", "contacts list --plain=name"),
            is: "plugins.txt")
    }

    @Test func `status names daemon, store, plugins and what the services told last`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let before = await hub.transcript("status")
        let running = hub.hub()
        try Directory.make(try #require(running.directories.runtime))
        ServiceReports(running).write([
            ServiceReport(id: "contacts/birthdays", health: ServiceHealth(policy: .standard))
        ])
        let after = await hub.transcript("status --plain=part,state")
        let locks = FileLocks(directory: running.directories.locks, clock: hub.clock)
        let right = try await locks.tryAcquire("serve")
        #expect(right != nil)
        Golden.expect(before + after + (await hub.transcript("status --plain=part,state")), is: "status.txt")
        withExtendedLifetime(right) {}
    }

    @Test func `doctor looks at everything, and says what is wrong with the config`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let fine = await hub.run("doctor --plain=part,check,state")
        #expect(fine.exit == 0, "\(fine.output)\(fine.messages)")
        #expect(fine.output.contains("contacts\tsearch index\tok\n"))
        _ = await hub.run("config init")
        try hub.folder.write("[hub]\nregoin = \"PL\"\n", to: ".config/hub/config.toml")
        let unknown = await hub.run("doctor")
        #expect(unknown.exit == 0 && unknown.messages.contains("unknown setting hub.regoin"))
        try hub.folder.write("[hub]\nregion = 5\n", to: ".config/hub/config.toml")
        let broken = await hub.run("doctor")
        #expect(broken.exit == 1)
        #expect(broken.messages.contains("hint: hub config check"))
    }

    @Test func `doctor says once why the store cannot be used, and what helps`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        try Directory.make(hub.hub().directories.data + "/hub.db")
        let found = await hub.run("doctor")
        #expect(found.exit == 1)
        #expect(found.messages.contains("! database: the store cannot be opened: "), "\(found.all)")
        #expect(found.messages.contains("/hub.db is a folder\n  hint: move it away"))
        #expect(!found.messages.contains("search index"))
        #expect(
            await hub.run("doctor --plain=check,state,finding").output.contains(
                "search index\twarn\tnot checked: the store cannot be opened"))
    }

    @Test func `doctor looks for the folders and commands of accounts, and for the program of the unit`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        try hub.folder.write(
            """
            [plugins.contacts.accounts]
            gone.url = "~/gone"
            dav.url = "https://127.0.0.1:1/"
            dav.user = "ann"
            dav.password = { command = "hub-no-such-program show dav" }

            """, to: ".config/hub/config.toml")
        func found() async -> String { await hub.run("doctor").messages }
        #expect(await found().contains("! accounts: gone: the folder ~/gone is missing"))
        mkdir(hub.home + "/gone", 0o700)
        #expect(await found().contains("! accounts: dav: the password command hub-no-such-program is not installed"))
        try hub.folder.write("[plugins.contacts.accounts]\ngone.url = \"~/gone\"\n", to: ".config/hub/config.toml")
        #expect(await !found().contains("accounts"))
        try hub.folder.write(
            "[Service]\nExecStart=\"/opt/a 100%%/hub\" serve\n", to: ".config/systemd/user/hub.service")
        #expect(await found().contains("! daemon: the unit of hub serve starts /opt/a 100%/hub, which is not there"))
    }

    @Test func `doctor names the item whose file is missing or damaged`() async throws {
        let hub = try TestHub(NotesPlugin.self)
        _ = await hub.run("notes new Trip -m fjord")
        try hub.folder.write("a map", to: "map.txt")
        #expect(await hub.run("notes attach trip \(hub.home)/map.txt").exit == 0)
        let blob = try #require(hub.hub().database().blobs)
        let file = blob.path(of: try BlobStore.id(of: Array("a map".utf8)))
        try hub.folder.write("a max", to: String(file.dropFirst(hub.home.count + 1)))
        #expect(await hub.run("doctor").messages.contains("! files: 1 file damaged: that of Trip (notes:"))
        unlink(file)
        #expect(await hub.run("doctor").messages.contains("! files: 1 file missing: that of Trip (notes:"))
        _ = await hub.run("notes rm trip --yes")
        #expect(await hub.run("doctor").messages.contains("which may be in the trash"))
    }

    @Test func `whatever fails for a missing library names the library and its package`() {
        let library = Library(name: "libnone", soname: "libnone.so.9", package: "libnone9", purpose: "nothing")
        struct Failure: Error, CustomStringConvertible {
            let description = "libraryMissing(\"libnone.so.9: no such file\")"
        }
        let inner = HubError(.internal, code: "internal", "internal error", cause: Failure()).namingLibrary(among: [
            library
        ])
        #expect(inner.code == "library-missing" && inner.kind == .unavailable && inner.hint == "apt install libnone9")
        #expect(inner.message == "this needs libnone, which is not installed")
        let outer = HubError(.unavailable, code: "x", "home cannot be reached", details: ["libnone.so.9: no", "more"])
            .namingLibrary(among: [library])
        #expect(outer.message == "home cannot be reached")
        #expect(outer.details == ["libnone is not installed: libnone.so.9 cannot be loaded", "more"])
        let other = HubError(.unavailable, code: "x", "libc.so.6 is odd").namingLibrary(among: [library])
        #expect(other.code == "x")
    }

    @Test(arguments: [
        ("web", "http://127.0.0.1:4820/login?code=", ""),
        ("web contacts", "http://127.0.0.1:4820/login?code=", "&to=%2Fcontacts"),
    ])
    func `the first thing on a new store may be a link to the page`(line: String, start: String, end: String)
        async throws
    {
        let hub = try TestHub(ContactsPlugin.self)
        let run = await hub.run(line)
        #expect(run.exit == 0, "\(run.messages)")
        #expect(run.output.hasPrefix(start) && run.output.hasSuffix(end + "\n"), "\(run.output)")
        #expect(run.messages.contains("hint: hub serve"))
    }

    @Test func `a link leads to no thing that is not there`() async throws {
        let run = await (try TestHub(ContactsPlugin.self)).run("web contacts:7kt")
        #expect(run.exit == 1 && run.messages == "error: no contact matches \"7kt\"\n", "\(run.messages)")
    }
}
