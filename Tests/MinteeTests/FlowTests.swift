import CivilDate
import Contacts
import ContactsDomain
import FoundationEssentials
import HubKit
import HubKitTesting
import HubRuntimeTesting
import MinteeDomain
import Storage
import Synchronization
import System
import Testing

@testable import HubRuntime
@testable import Mintee

/// A birthday in Contacts becomes a task of Mintee through the event bus, delivered by the process that published it.
struct FlowTests {
    /// A fixture in which the flow is on.
    private func flowing() throws -> TestHub {
        let fixture = try TestHub(MinteePlugin.self)
        try Directory.make(fixture.home + "/.config/hub")
        let file = try AtomicFile(path: fixture.home + "/.config/hub/config.toml")
        try file.write(Array("flows.birthday-to-task = true\n".utf8))
        try file.commit(isLasting: false)
        return fixture
    }

    @Test func `nobody's birthday becomes a task unasked`() async throws {
        let fixture = try TestHub(MinteePlugin.self)
        for _ in 0..<2 {
            let hub = hub(fixture)
            let contacts = try hub.plugin(ContactsPlugin.self)
            if try await contacts.contactPage().rows.isEmpty {
                var details = ContactDetails()
                details.formattedName = "Ada Lovelace"
                details.birthday = .date(try #require(PartialDate(year: 1815, month: 11, day: 22)))
                _ = try await contacts.create(details, operation: Operation("contacts new"))
            }
            #expect(try await hub.plugin(MinteePlugin.self).listTasks().isEmpty)
            await hub.finish()
        }
    }

    @Test func `the tasks of one round are one operation`() async throws {
        let fixture = try flowing()
        for name in ["Ada Lovelace", "Grace Hopper", "Alan Turing", ""] {
            let hub = hub(fixture)
            if name.isEmpty {
                try await hub.plugin(ContactsPlugin.self).remindOfDates(on: fixture.clock.today)
            }
            if !name.isEmpty {
                var details = ContactDetails()
                details.formattedName = name
                details.birthday = .date(try #require(PartialDate(year: 1815, month: 11, day: 22)))
                _ = try await hub.plugin(ContactsPlugin.self).create(details, operation: Operation("contacts new"))
                await hub.openedDatabase?.close()
            } else {
                await hub.deliverEvents()
                #expect(try await hub.plugin(MinteePlugin.self).listTasks().count == 3)
                let history = try hub.database().history
                #expect(try await history.operations(limit: 100).filter { $0.name == "mintee birthday" }.count == 1)
                #expect(
                    try await history.operations(limit: 100, by: .person).map(\.name)
                        == Array(repeating: "contacts new", count: 3))
                await hub.openedDatabase?.close()
            }
        }
    }

    /// A hub as a process of its own has it.
    private func hub(_ fixture: TestHub) -> Hub {
        Hub(
            plugins: [ContactsPlugin.self, MinteePlugin.self], environment: fixture.environment, clock: fixture.clock,
            log: Log(label: "test") { _, _, _ in })
    }

    @Test func `any command tells of birthdays once a day, and the task is there`() async throws {
        let fixture = try flowing()
        func tasks() async throws -> [String] {
            let hub = hub(fixture)
            let names = try await hub.plugin(MinteePlugin.self).listTasks().map(\.draft.name)
            await hub.finish()
            return names
        }
        func make(_ name: String, day: Int) async throws {
            let hub = hub(fixture)
            var details = ContactDetails()
            details.formattedName = name
            details.birthday = .date(try #require(PartialDate(year: 1815, month: 11, day: day)))
            _ = try await hub.plugin(ContactsPlugin.self).create(details, operation: Operation("contacts new"))
            await hub.finish()
        }
        try await make("Ada Lovelace", day: 22)
        #expect(try await tasks() == ["Wish Ada Lovelace a happy birthday"])
        try await make("Grace Hopper", day: 23)
        #expect(try await tasks() == ["Wish Ada Lovelace a happy birthday"], "today's round is over")
        fixture.clock.advance(by: .seconds(24 * 3600))
        #expect(try await tasks() == ["Wish Ada Lovelace a happy birthday"], "the round is at the end of the command")
        #expect(try await tasks() == ["Wish Ada Lovelace a happy birthday", "Wish Grace Hopper a happy birthday"])
    }

    @Test func `an import leaves the daily jobs to the next command`() async throws {
        let fixture = try flowing()
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lovelace\r\nBDAY:1815-11-22\r\nEND:VCARD\r\n"
        var found: [[String]] = []
        for isFirst in [true, false, false] {
            let hub = hub(fixture)
            if isFirst {
                let contacts = try hub.plugin(ContactsPlugin.self)
                let rest = Mutex<[UInt8]?>(Array(card.utf8))
                let source = ImportSource("people.vcf") { rest.withLock { $0.take() } }
                _ = try await contacts.importCards(source, operation: Operation("contacts import"))
            }
            found.append(try await hub.plugin(MinteePlugin.self).listTasks().map(\.draft.name))
            await hub.finish()
        }
        #expect(found == [[], [], ["Wish Ada Lovelace a happy birthday"]])
    }

    @Test func `a command that opens no store does no daily job`() async throws {
        let fixture = try TestHub(MinteePlugin.self)
        let hub = hub(fixture)
        _ = try hub.plugin(MinteePlugin.self)
        await hub.finish()
        #expect(!FileManager.default.fileExists(atPath: hub.directories.data + "/hub.db"))
    }

    @Test func `without a daemon a birthday makes its task, once`() async throws {
        let fixture = try flowing()
        for _ in 0..<2 {
            let hub = Hub(
                plugins: [ContactsPlugin.self, MinteePlugin.self], environment: fixture.environment,
                clock: fixture.clock,
                log: Log(label: "test") { _, _, _ in })
            let contacts = try hub.plugin(ContactsPlugin.self)
            if try await contacts.contactPage().rows.isEmpty {
                var details = ContactDetails()
                details.formattedName = "Ada Lovelace"
                details.birthday = .date(try #require(PartialDate(year: 1815, month: 11, day: 22)))
                _ = try await contacts.create(details, operation: Operation("contacts new"))
            }
            try await contacts.remindOfDates(on: fixture.clock.today)
            await hub.deliverEvents()
            let tasks = try await hub.plugin(MinteePlugin.self).listTasks()
            #expect(tasks.map(\.draft.name) == ["Wish Ada Lovelace a happy birthday"])
            #expect(tasks.first?.draft.schedule == .specific([try #require(CivilDate("2026-11-22"))]))
            await hub.openedDatabase?.close()
        }
    }
}
