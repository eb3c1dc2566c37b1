import CivilDate
import Contacts
import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Testing

struct EditTests {
    @Test func `a new contact is stored, found and announced, and likely duplicates are named`() async throws {
        let book = try ContactsFixture(.file)
        var details = ContactDetails()
        details.formattedName = "Ada Lovelace"
        details.emails = [LabeledValue("ada@example.org", label: "home")]
        let made = try await book.plugin.create(details, operation: book.operation("contacts new"))
        #expect(made.lookalikes == [])
        #expect(made.contact.details.uidText?.count == 36)
        #expect(try await book.plugin.entities.get(made.contact.id).card == made.contact.card)
        #expect(try await book.names("ada") == ["Ada Lovelace"])
        details.formattedName = "A. L."
        let second = try await book.plugin.create(details, operation: book.operation())
        #expect(second.lookalikes.map(\.id) == [made.contact.id])
        details.formattedName = "  "
        details.emails = []
        let error = await #expect(throws: HubError.self) {
            _ = try await book.plugin.create(details, operation: book.operation())
        }
        #expect(error?.kind == .invalid)
    }

    @Test func `an update patches the card, and one that saw an older revision is refused`() async throws {
        let book = try ContactsFixture()
        try await book.importing(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bob\r\nX-ODD;p=\"q\": as it was \r\nTEL:1234567\r\nEND:VCARD\r\n")
        let bob = try #require(try await book.plugin.entities.resolve("bob").first)
        let before = try await book.plugin.entities.get(bob.id)
        var details = before.details
        details.phones[0].value = "7654321"
        let result = try await book.plugin.update(
            bob.id, to: details, expecting: before.revision, operation: book.operation())
        #expect(result.changes.count == 1)
        #expect(result.contact.revision == before.revision + 1)
        #expect(
            String(decoding: result.contact.card.bytes, as: UTF8.self).contains("\r\nX-ODD;p=\"q\": as it was \r\n"))
        #expect(try await book.names("7654321") == ["Bob"])
        #expect(try await book.names("1234567") == [])
        let same = try await book.plugin.update(
            bob.id, to: details, expecting: nil, operation: book.operation("contacts same"))
        #expect(same.changes == [] && same.contact.revision == result.contact.revision)
        details.phones[0].value = "5"
        let error = await #expect(throws: HubError.self) {
            _ = try await book.plugin.update(
                bob.id, to: details, expecting: before.revision, operation: book.operation())
        }
        #expect(error?.kind == .conflict)
        #expect((error?.cause as? EditConflict<Contact>)?.current.revision == result.contact.revision)
    }

    @Test func `an invalid imported value does not prevent another change`() async throws {
        let book = try ContactsFixture()
        try await book.importing("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bob\r\nTITLE:one\\ntwo\r\nEND:VCARD\r\n")
        let bob = try #require(try await book.plugin.entities.resolve("bob").first)
        let result = try await book.plugin.update(bob.id, operation: book.operation()) { $0.note = "new" }
        #expect(result.changes.map(\.field) == ["note"])
        #expect(result.contact.details.title == "one\ntwo")
        let error = await #expect(throws: HubError.self) {
            _ = try await book.plugin.update(bob.id, operation: book.operation()) { $0.title = "three\nfour" }
        }
        #expect(error?.problems.map(\.field) == ["title"])
    }

    @Test func `deleted contacts are in the trash alone, come back, and are gone for good when it is emptied`()
        async throws
    {
        let book = try ContactsFixture(.file)
        let made = try await book.add("Ann", "Bob", "Cid")
        let ids = made.map(\.id)
        let contacts = book.plugin.entities
        #expect(
            try await contacts.delete([ids[0], ids[1]], operation: book.operation()).map(\.name) == ["Ann", "Bob"])
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Cid"])
        #expect(try await book.names("ann") == [])
        #expect(Set(try await book.plugin.entities.trash().map(\.summary.name)) == ["Ann", "Bob"])
        await #expect(throws: HubError.self) {
            try await contacts.delete([ids[2], ids[0]], operation: book.operation())
        }
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Cid"])
        #expect(try await book.plugin.entities.resolve("bob", inTrash: true).map(\.id) == [ids[1]])
        try await book.plugin.entities.restore([ids[1]], operation: book.operation())
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Bob", "Cid"])
        book.clock.advance(by: .seconds(1))
        let destroyed = try await book.plugin.entities.emptyTrash(before: book.clock.now, operation: book.operation())
        #expect(destroyed == 1)
        #expect(try await book.plugin.entities.trash().isEmpty)
        await #expect(throws: HubError.self) { _ = try await book.plugin.entities.get(ids[0]) }
        #expect(try await book.plugin.entities.history(of: ids[0]).isEmpty)
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `history lists the changes, and an earlier version is restored byte for byte`() async throws {
        let book = try ContactsFixture()
        let made = try #require(try await book.add("Ann").first)
        let then = book.clock.now
        book.clock.advance(by: .seconds(60))
        _ = try await book.plugin.update(made.id, operation: book.operation("contacts set")) {
            $0.note = "changed"
        }
        book.clock.advance(by: .seconds(60))
        try await book.plugin.entities.delete([made.id], operation: book.operation("contacts rm"))
        let history = try await book.plugin.entities.history(of: made.id)
        #expect(history.map(\.verb) == ["removed", "changed", "created"])
        #expect(history[1].changes == ["note changed"])
        let restored = try await book.plugin.entities.restore(made.id, at: then, operation: book.operation())
        #expect(restored.card == made.card)
        #expect(restored.deletedAt == nil)
        #expect(try await book.names("ann") == ["Ann"])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `a birthday is published once per year`() async throws {
        let book = try ContactsFixture()
        try await book.importing("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nBDAY:1990-11-22\r\nEND:VCARD\r\n")
        let today = book.clock.today
        for _ in 0..<3 { try await book.plugin.remindOfDates(on: today) }
        try await book.plugin.remindOfDates(on: today.adding(days: 1))
        func events() async throws -> [StoredEvent] {
            try await book.database.store(for: "core").read {
                try $0.recentEvents(
                    matching: [TopicPattern("app.contacts/*")].compactMap(\.self), since: nil, limit: 10)
            }
        }
        let told = try await events()
        #expect(told.count == 1)
        #expect(told.first?.event.body.contains("\"age\":36") == true)
        try await book.plugin.remindOfDates(on: today.adding(days: 365))
        #expect(try await events().count == 2)
    }
}
