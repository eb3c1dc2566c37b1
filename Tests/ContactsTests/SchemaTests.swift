import ContactsDomain
import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

@testable import Contacts

struct SchemaTests {
    @Test func `the tables follow the rules that undo needs`() throws {
        #expect(try TableRules.breaches(of: ContactsSchema.schema { _, _ in }) == [])
    }

    /// Edits of contacts that were recorded before accounts, imports and unsynced items had their tables and columns.
    @Test func `what was done with an older store is undone and redone with the newer one`() async throws {
        try await withTemporaryDirectory { folder in
            let full = ContactsSchema.schema { try $1.announceContacts($0) }
            let older = PluginSchema(
                owner: "contacts", migrations: Array(full.migrations.prefix(4)),
                recorded: full.recorded.filter { $0.name != "contacts_search" })
            let clock = FixedClock()
            let old = Database(at: .directory(folder), plugins: [older], clock: clock, executors: .queues)
            @Sendable func card(_ name: String) -> [UInt8] {
                Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\(name)\r\nEND:VCARD\r\n".utf8)
            }
            let insert = """
                INSERT INTO contacts_contact (id, card, source, origin, revision, created_at, changed_at)
                VALUES (?, ?, ?, ?, 1, 1, 1)
                """
            let steps: [@Sendable (Transaction) throws -> Void] = [
                { try $0.run(insert, "1aaaaaaaaaaaaaaaaaaa", card("Ann"), 1, 1) },
                { transaction in
                    for number in 10..<60 {
                        try transaction.run(
                            insert, "2\(number)aaaaaaaaaaaaaaaaa", card("Person \(number)"), number, number)
                    }
                },
                { try $0.run("UPDATE contacts_contact SET card = ?, revision = 2 WHERE source = 1", card("Anna")) },
                { try $0.run("UPDATE contacts_contact SET deleted_at = 5 WHERE source < 20") },
                { try $0.run("DELETE FROM contacts_contact WHERE source < 15") },
            ]
            @Sendable func facts(_ store: Store) async throws -> [String] {
                try await store.read { transaction in
                    try transaction.rows(
                        """
                        SELECT id || hex(card) || source || ifnull(origin, '') || revision || changed_at
                            || ifnull(deleted_at, '') FROM contacts_contact ORDER BY id
                        """
                    ) { $0.text(0) }
                }
            }
            var states = [try await facts(old.store(for: "contacts"))]
            for step in steps {
                try await old.store(for: "contacts").write(System.Operation("contacts edit"), step)
                states.append(try await facts(old.store(for: "contacts")))
            }
            await old.close()
            let new = Database(at: .directory(folder), plugins: [full], clock: clock, executors: .queues)
            let store = new.store(for: "contacts")
            #expect(try await facts(store) == states.last)
            for state in states.dropLast().reversed() {
                let report = try await new.history.undo(as: System.Operation("undo"))
                #expect(report.isPossible, "\(report.conflicts)")
                #expect(try await facts(store) == state)
            }
            for state in states.dropFirst() {
                let report = try await new.history.redo(as: System.Operation("redo"))
                #expect(report.isPossible && report.direction == .redo)
                #expect(try await facts(store) == state)
            }
            await new.close()
        }
    }

    @Test func `books of no account have the ids that other machines give them`() async throws {
        try await withTemporaryDirectory { folder in
            let full = ContactsSchema.schema { _, _ in }
            let older = PluginSchema(
                owner: "contacts", migrations: Array(full.migrations.prefix(15)), recorded: full.recorded)
            let old = Database(at: .directory(folder), plugins: [older], clock: FixedClock(), executors: .queues)
            try await old.store(for: "contacts").write(System.Operation("test")) { transaction in
                for (id, word) in [("book:1a", "family"), ("book:1b", "chess"), ("book:1c", "chess")] {
                    try transaction.run("INSERT INTO contacts_local_book VALUES (?, ?, ?, 1)", id, word, word)
                }
                for (id, book) in [("1", "book:1a"), ("2", "book:1b"), ("3", "book:1c"), ("4", "account")] {
                    try transaction.run(
                        """
                        INSERT INTO contacts_contact (id, card, source, origin, revision, created_at, changed_at, book)
                        VALUES (?, x'', ?, 1, 1, 1, 1, ?)
                        """, id, Int(id) ?? 0, book)
                }
            }
            await old.close()
            let new = Database(at: .directory(folder), plugins: [full], clock: FixedClock(), executors: .queues)
            let places = try await new.store(for: "contacts").read { transaction in
                try transaction.rows("SELECT book FROM contacts_contact ORDER BY id") { $0.text(0) }
            }
            // Of two with one word, which undo may leave, one keeps its id.
            #expect(places == ["book:family", "book:chess", "book:1c", "account"])
            let books = try await new.store(for: "contacts").read { try $0.localBooks().map(\.id) }
            #expect(books.sorted() == ["book:1c", "book:chess", "book:family"])
            await new.close()
        }
    }

    @Test func `a damaged index is seen and mended`() async throws {
        let book = try ContactsFixture()
        try await book.add("Ann", "Bob")
        let cache = System.Operation("contacts break", kind: .cache)
        try await book.contacts.store.write(cache) {
            try $0.run("UPDATE contacts_entry SET name = 'x' WHERE title = 'Ann'")
        }
        #expect(try await book.plugin.indexProblems().count == 3)
        try await book.plugin.rebuildIndex()
        #expect(try await book.plugin.indexProblems() == [])
        #expect(try await book.names("ann") == ["Ann"])
    }
}
