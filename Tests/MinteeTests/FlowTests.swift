import CivilDate
import Contacts
import ContactsDomain
import FoundationEssentials
import HubKit
import MinteeDomain
import Testing

@testable import HubRuntime
@testable import Mintee

/// A birthday of Contacts becomes a task of Mintee through the bus, delivered by the process that told of it.
struct FlowTests {
    @Test func `without a daemon a birthday makes its task, once`() async throws {
        let fixture = try MinteeHub()
        for _ in 0..<2 {
            let hub = Hub(
                plugins: [ContactsPlugin.self, MinteePlugin.self], environment: fixture.environment,
                clock: fixture.clock,
                log: Log(label: "test") { _, _, _ in })
            let contacts = try hub.plugin(ContactsPlugin.self)
            if try await contacts.getContacts().rows.isEmpty {
                var details = ContactDetails()
                details.formattedName = "Ada Lovelace"
                details.birthday = .date(try #require(PartialDate(year: 1815, month: 11, day: 22)))
                _ = try await contacts.create(details, operation: Operation("contacts new"))
            }
            try await contacts.remindOfBirthdays(on: fixture.clock.today(in: .local))
            await hub.deliverEvents()
            let tasks = try await hub.plugin(MinteePlugin.self).getTasks()
            #expect(tasks.map(\.draft.name) == ["Congratulate Ada Lovelace"])
            #expect(tasks.first?.draft.schedule == .specific([try #require(CivilDate("2026-11-22"))]))
            await hub.openedDatabase?.close()
        }
    }
}
