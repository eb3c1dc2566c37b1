import Contacts
import HubKit
import HubKitTesting
import HubRuntimeTesting
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
