import Contacts
import DBus
import DBusTestSupport
import HubKit
import HubRuntimeTesting
import NetworkTestSupport
import Notes
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// hub on the session bus, called as a desktop does.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct DesktopServiceTests {
    private let bus: TestBus

    init() throws { bus = try TestBus() }

    /// Serves hub on the bus while `body` calls it.
    private func serving(
        _ hub: TestHub,
        _ body: (
            _ call: (_ path: String, _ interface: String, _ member: String, [DBusValue]) async throws -> [DBusValue]
        )
            async throws -> Void
    ) async throws {
        let host = hub.hub()
        let client = try await bus.connect()
        let changes = try await client.signals(
            matching: DBusMatchRule(
                sender: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: DesktopIdentity.id))
        let service = DesktopService(host) { [address = bus.address] () throws(DBusError) in address }
        let running = Task { try await service.run() }
        for try await _ in changes { break }
        do {
            try await body { path, interface, member, arguments in
                try await client.call(
                    DesktopIdentity.id, path: path, interface: interface, member: member, arguments,
                    timeout: .seconds(3600))
            }
        } catch {
            Issue.record(error)
        }
        running.cancel()
        _ = try? await running.value
        await client.close()
        await host.close()
    }

    private static let search = "org.gnome.Shell.SearchProvider2"

    @Test func `the overview finds people and notes, and gets a meta for each id it asks for`() async throws {
        let hub = try TestHub(ContactsPlugin.self, NotesPlugin.self)
        await hub.run("contacts new Ada Lovelace")
        await hub.run("notes new 'Tea with Ada' -m secret")
        try await serving(hub) { call in
            let path = DesktopIdentity.searchPath
            let found = try await call(path, Self.search, "GetInitialResultSet", [.strings(["ada"])])
            let ids = found.first?.elements?.compactMap(\.text) ?? []
            #expect(
                ids.count == 2 && ids.contains { $0.hasPrefix("contacts:") } && ids.contains { $0.hasPrefix("notes:") })
            let narrower = try await call(
                path, Self.search, "GetSubsearchResultSet", [.strings(ids), .strings(["ada", "love"])])
            #expect(narrower.first?.elements?.count == 1)
            // Also those that are gone: the overview shows nothing when one is missing.
            let metas = try await call(path, Self.search, "GetResultMetas", [.strings(ids + ["notes:0zz"])])
            let list = try #require(metas.first?.elements)
            #expect(list.map { $0["id"]?.text } == ids + ["notes:0zz"])
            #expect(Set(list.compactMap { $0["name"]?.text }) == ["Ada Lovelace", "Tea with Ada", "notes:0zz"])
            #expect(list.allSatisfy { ["Contacts", "Notes"].contains($0["description"]?.text) })
            #expect(
                try await call(path, Self.search, "GetInitialResultSet", [.strings([])]).first?.elements?.isEmpty
                    == true)
            for (object, interface) in [
                (path, Self.search), (DesktopIdentity.path, "org.freedesktop.Application"),
            ] {
                let xml = try await call(object, "org.freedesktop.DBus.Introspectable", "Introspect", [])
                #expect(xml.first?.text?.contains("<interface name=\"\(interface)\">") == true)
            }
            await #expect(throws: DBusError.self) { _ = try await call(path, Self.search, "Destroy", []) }
            await #expect(throws: DBusError.self) {
                _ = try await call(path, Self.search, "GetResultMetas", [.uint32(1)])
            }
        }
    }

    @Test func `a file that is opened is imported when its notification is answered, and not before`() async throws {
        let hub = try TestHub(ContactsPlugin.self, NotesPlugin.self)
        let file = try hub.folder.write(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Łukasz Nowak\r\nN:Nowak;Łukasz;;;\r\nEND:VCARD\r\n", to: "a b.vcf")
        let desktop = try await bus.python(
            [
                "-m", "dbusmock", "--template", "notification_daemon", "--parameters",
                #"{"capabilities": "body actions"}"#,
            ],
            offering: "org.freedesktop.Notifications")
        try await serving(hub) { call in
            let address = "file://" + file.split(separator: "/").map { "/" + PercentEncoding.encode($0) }.joined()
            _ = try await call(
                DesktopIdentity.path, "org.freedesktop.Application", "Open", [.strings([address]), .properties([:])])
            /// The next notification, whose body has several lines.
            func shown() async throws -> String {
                var text = ""
                repeat { text = try await desktop.answer() } while !text.contains(" Notify ")
                while !text.contains("\"urgency\"") { text += "\n" + (try await desktop.answer()) }
                return text
            }
            var line = try await shown()
            #expect(
                line.contains("Import a b.vcf?") && line.contains(#"["import", "Import", "cancel", "Cancel"]"#),
                "\(line)")
            #expect(line.contains("1 new") && line.contains(DesktopIdentity.id), "\(line)")
            #expect(await hub.run("contacts list --plain=name").output.isEmpty)
            let mock = try await bus.connect()
            _ = try await mock.call(
                "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.DBus.Mock", member: "EmitSignal",
                [
                    .string("org.freedesktop.Notifications"), .string("ActionInvoked"), .string("us"),
                    .array(of: .variant, [.variant(.uint32(1)), .variant(.string("import"))]),
                ], timeout: .seconds(3600))
            line = try await shown()
            #expect(line.contains("Imported a b.vcf"), "\(line)")
            #expect(await hub.run("contacts list --plain=name").output == "Łukasz Nowak\n")
            await mock.close()
            // What hub does not open is said in a notification too.
            await #expect(throws: DBusError.self) {
                _ = try await call(
                    DesktopIdentity.path, "org.freedesktop.Application", "Open",
                    [.strings(["file://elsewhere/x.vcf"]), .properties([:])])
            }
            line = try await shown()
            #expect(line.contains("hub cannot open it"), "\(line)")
        }
    }

    @Test(arguments: [
        ("contacts:7kt", OpenTarget.page("/contacts?id=7kt")), ("hub:contacts/7kt", .page("/contacts?id=7kt")),
        ("contacts", .page("/contacts")), ("people.vcf", .file("/here/people.vcf")), ("/a/b.vcf", .file("/a/b.vcf")),
        ("file:///a%20b.vcf", .file("/a b.vcf")), ("file://localhost/a.vcf", .file("/a.vcf")),
    ]) func `items and files are told apart`(text: String, target: OpenTarget) throws {
        #expect(try OpenTarget(text, in: "/here", plugins: ["contacts"]) == target)
    }

    @Test(arguments: ["file://elsewhere/a.vcf", "hub:unknown/1", "file://a%GG"])
    func `what leads elsewhere is refused`(text: String) {
        #expect(throws: HubError.self) { try OpenTarget(text, in: "/here", plugins: ["contacts"]) }
    }

    @Test func `a file typed in a terminal is imported at once`() async throws {
        let hub = try TestHub(ContactsPlugin.self, NotesPlugin.self)
        try hub.folder.write("# Tea\n\nleaves\n", to: "Tea.md")
        let plan = await hub.run("open \(hub.home)/Tea.md --dry-run")
        #expect(plan.exit == 0 && plan.all.contains("Tea"), "\(plan.all)")
        #expect(await hub.run("open \(hub.home)/Tea.md --yes").exit == 0)
        #expect(await hub.run("notes list --plain=title").output == "Tea\n")
        let unknown = await hub.run("open \(hub.home)/x.exe --yes")
        #expect(unknown.exit == 64 && unknown.all.contains("vcf"), "\(unknown.all)")
    }
}
