import CivilDate
import Contacts
import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import TestSupport
import Testing

struct ListTests {
    @Test(
        .seeded,
        arguments: [
            ("de", ["Ångström", "Äpfel", "apple", "Lukas", "Łukasz", "Öl", "Strasse", "straße", "Zebra", "123"]),
            ("sv", ["apple", "Lukas", "Łukasz", "Strasse", "straße", "Zebra", "Ångström", "Äpfel", "Öl", "123"]),
        ])
    func `names are in the order of the language, names without letters last`(locale: String, order: [String])
        async throws
    {
        let book = try ContactsFixture(rules: IndexingOptions(locale: locale))
        var random = SeededGenerator()
        for name in order.shuffled(using: &random) { try await book.add(name) }
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == order)
    }

    @Test func `family names are compared first, or given names when that is asked for`() async throws {
        let book = try ContactsFixture()
        try await book.add("Zoe Adams", "Adam Zimmer")
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Zoe Adams", "Adam Zimmer"])
        let other = try book.plugin(IndexingOptions(locale: "en", nameOrder: .givenFirst))
        #expect(try await other.filter(ContactFilter()).map(\.name) == ["Adam Zimmer", "Zoe Adams"])
        #expect(try await other.indexProblems() == [])
    }

    @Test func `another language makes the order again, and undo keeps to it`() async throws {
        let book = try ContactsFixture(rules: IndexingOptions(locale: "de"))
        try await book.add("Öl", "Zebra")
        let swedish = try book.plugin(IndexingOptions(locale: "sv"))
        #expect(try await swedish.filter(ContactFilter()).map(\.name) == ["Zebra", "Öl"])
        let first = try #require(try await swedish.filter(ContactFilter()).first)
        try await swedish.entities.delete([first.id], operation: book.operation())
        _ = try await book.database.history.undo(as: book.operation("undo"))
        #expect(try await swedish.filter(ContactFilter()).map(\.name) == ["Zebra", "Öl"])
        #expect(try await swedish.indexProblems() == [])
    }

    @Test(arguments: [1, 2, 3, 7, 50])
    func `pages follow each other without gap or repetition`(limit: Int) async throws {
        let book = try ContactsFixture()
        // Equal names have equal keys and differ only in the id.
        for name in ["Bob", "Ann", "Bob", "Cid", "Bob", "Ann", "Dan"] { try await book.add(name) }
        var names: [String] = []
        var ids = Set<String>()
        var cursor: String?
        repeat {
            let page = try await book.plugin.contactPage(after: cursor, limit: limit)
            #expect(page.rows.count <= limit)
            names += page.rows.map(\.name)
            ids.formUnion(page.rows.map(\.id))
            cursor = page.next
        } while cursor != nil
        #expect(names == ["Ann", "Ann", "Bob", "Bob", "Bob", "Cid", "Dan"])
        #expect(ids.count == 7)
    }

    @Test func `a page continues after a deleted contact`() async throws {
        let book = try ContactsFixture()
        let made = try await book.add("Ann", "Bob", "Cid")
        let page = try await book.plugin.contactPage(limit: 2)
        try await book.plugin.entities.delete([made[1].id], operation: book.operation())
        #expect(try await book.plugin.contactPage(after: page.next, limit: 2).rows.map(\.name) == ["Cid"])
        await #expect(throws: HubError.self) { _ = try await book.plugin.contactPage(after: "nonsense") }
    }

    @Test func `a list can be filtered by tag and time, sorted, turned round and cut`() async throws {
        let book = try ContactsFixture()
        let made = try await book.add("Ann", "Bob", "Cid")
        book.clock.advance(by: .seconds(60))
        let later = book.clock.now.milliseconds
        _ = try await book.plugin.entities.setTags(
            of: [made[0].id, made[2].id], adding: ["Old Work", "Äpfel"], operation: book.operation())
        func names(_ limit: Int? = nil, _ change: (inout ContactFilter) -> Void) async throws -> [String] {
            var filter = ContactFilter()
            change(&filter)
            return try await book.plugin.filter(filter, limit: limit).map(\.name)
        }
        #expect(try await names { $0.tags = ["old work"] } == ["Ann", "Cid"])
        #expect(try await names { $0.tags = ["apfel"] } == ["Ann", "Cid"])
        #expect(try await names { $0.tags = ["none"] } == [])
        #expect(try await names { $0.since = later } == ["Ann", "Cid"])
        #expect(try await names { $0.until = later } == ["Bob"])
        #expect(try await names { $0.isReversed = true } == ["Cid", "Bob", "Ann"])
        #expect(try await names(2) { $0.order = .changed } == ["Bob", "Ann"])
        let labels = try await book.plugin.entities.tags()
        #expect(labels.map(\.tag) == ["Äpfel", "Old Work"] && labels.map(\.count) == [2, 2])
        _ = try await book.plugin.entities.setTags(
            of: [made[0].id], removing: ["OLD WORK"], operation: book.operation())
        #expect(try await names { $0.tags = ["old work"] } == ["Cid"])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `birthdays come in order, over the turn of the year, with the age`() async throws {
        let book = try ContactsFixture()
        func person(_ name: String, _ date: String) -> String {
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\nBDAY:\(date)\r\nEND:VCARD\r\n"
        }
        try await book.importing(
            person("Leap", "2000-02-29") + person("New Year", "1990-01-01") + person("Eve", "--12-31")
                + person("Today", "1976-11-20") + person("Past", "1980-11-19") + person("Words", "circa 1900"))
        let start = try #require(CivilDate(year: 2026, month: 11, day: 20))
        let found = try await book.plugin.birthdays(from: start, days: 60)
        #expect(found.map(\.contact.name) == ["Today", "Eve", "New Year"])
        #expect(found.map(\.years) == [50, nil, 37])
        let february = try #require(CivilDate(year: 2027, month: 2, day: 28))
        #expect(try await book.plugin.birthdays(from: february, days: 1).map(\.contact.name) == ["Leap"])
        #expect(try await book.plugin.birthdays(from: start, days: 400).count == 5)
        #expect(try await book.plugin.birthdays(from: start, days: 0) == [])
    }
}
