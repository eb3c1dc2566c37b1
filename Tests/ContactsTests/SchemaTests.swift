import Contacts
import HubKit
import Testing

struct SchemaTests {
    @Test func `the tables follow the rules that undo needs`() throws {
        #expect(try TableRules.breaches(of: ContactsSchema.schema { _, _ in }) == [])
    }

    @Test func `a damaged index is detected and rebuilt`() async throws {
        let book = try ContactsFixture()
        try await book.add("Ann", "Bob")
        let cache = HubKit.Operation("contacts break", kind: .cache)
        try await book.contacts.store.write(cache) {
            try $0.run("UPDATE contacts_entry SET name = 'x' WHERE title = 'Ann'")
        }
        #expect(try await CheckIndex(book.contacts)().count == 3)
        try await CheckIndex(book.contacts).fix()
        #expect(try await CheckIndex(book.contacts)() == [])
        #expect(try await book.names("ann") == ["Ann"])
    }
}
