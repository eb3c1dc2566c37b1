import ContactsDomain
import HubKit
import HubKitTesting
import Sync
import Testing

@testable import Contacts

/// The birthdays of contacts as a calendar.
struct ServedBirthdaysTests {
    private let fixture: ContactsFixture
    private let served: ServedBirthdays

    init() throws {
        fixture = try ContactsFixture()
        served = ServedBirthdays(ServedContacts(contacts: fixture.contacts))
    }

    private func add(_ uid: String, _ lines: String...) async throws {
        let card = (["BEGIN:VCARD", "VERSION:4.0", "UID:\(uid)", "FN:\(uid)"] + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
        let put = ServedPut(
            name: "\(uid).vcf", content: Array(card.utf8),
            author: ServedAuthor(device: "phone", program: "Test", operation: uid + "\(lines.count)"))
        guard case .stored = try await ServedContacts(contacts: fixture.contacts).put(put) else {
            Issue.record("not stored")
            return
        }
    }

    private func changes(after number: Int, limit: Int = 100) async throws -> [String] {
        try await served.changes(after: number, upTo: .max, limit: limit).map { ($0.isGone ? "-" : "+") + $0.name }
    }

    @Test func `each date of a contact is an event that comes every year`() async throws {
        try await add("ada", "BDAY:18151210", "ANNIVERSARY:18350708")
        try await add("leap", "BDAY:--0229")
        try await add("text", "BDAY;VALUE=text:circa 1800")
        try await add("month", "BDAY:--05")
        let names = ["ada-anniversary.ics", "ada-birthday.ics", "leap-birthday.ics"]
        #expect(try await served.entries(after: nil, limit: 10).map(\.name) == names)
        #expect(try await served.entries(after: names[0], limit: 1).map(\.name) == [names[1]])
        #expect(try await served.count() == 3)
        let texts = try await served.items(named: names).map { String(decoding: $0.content, as: UTF8.self) }
        #expect(
            texts[1].contains("SUMMARY:Birthday: ada (1815)\r\nDTSTART;VALUE=DATE:19041210\r\nRRULE:FREQ=YEARLY\r\n"))
        #expect(texts[2].contains("SUMMARY:Birthday: leap\r\nDTSTART;VALUE=DATE:19040229\r\n"))
        #expect(texts[2].contains("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1\r\nTRANSP:TRANSPARENT"))
    }

    @Test func `changes are told one by one, and what a contact loses is gone`() async throws {
        try await add("ada", "BDAY:18151210")
        try await add("bob", "BDAY:--0301")
        let first = try await served.state().number
        #expect(try await changes(after: first).isEmpty)
        var (told, number): ([String], Int) = ([], 0)
        while let change = try await served.changes(after: number, upTo: first, limit: 1).first {
            told.append((change.isGone ? "-" : "+") + change.name)
            number = change.number
        }
        #expect(
            told == ["+ada-birthday.ics", "-ada-anniversary.ics", "+bob-birthday.ics", "-bob-anniversary.ics"])
        #expect(number == first)
        let id = try #require(try await served.items(named: ["bob-birthday.ics"]).first?.entry.id)
        _ = try await fixture.plugin.entities.delete([id], operation: fixture.operation())
        #expect(try await changes(after: first) == ["-bob-birthday.ics", "-bob-anniversary.ics"])
        #expect(try await served.count() == 1)
    }
}
