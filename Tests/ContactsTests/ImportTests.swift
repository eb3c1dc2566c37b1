import Commands
import ContactsDomain
import HubKit
import Storage
import Synchronization
import Testing

@testable import Contacts

struct ImportTests {
    private let cards = """
        BEGIN:VCARD\r
        VERSION:3.0\r
        UID:1\r
        FN:Ada Lovelace\r
        EMAIL;TYPE=HOME:ada@example.org\r
        BDAY:1815-12-10\r
        END:VCARD\r
        BEGIN:VCARD\r
        VERSION:3.0\r
        FN:Łukasz Nowak\r
        N:Nowak;Łukasz;;;\r
        TEL;TYPE=CELL:+48 601 234 567\r
        BDAY:1985-02-31\r
        X-UNKNOWN;a=b:kept\r
        END:VCARD\r
        BEGIN:VCARD\r
        FN:J. Smith\r

        """

    @Test(arguments: ContactsFixture.Place.allCases)
    func `good cards come in and a broken one is told with its line`(place: ContactsFixture.Place) async throws {
        let book = try ContactsFixture(place)
        let report = try await book.importing(cards)
        #expect(report.counts == [.new: 2])
        #expect(report.items.map(\.contact.name) == ["Ada Lovelace", "Łukasz Nowak"])
        #expect(report.items[1].doubts.map(\.code) == ["date-kept-as-text"])
        #expect(report.skippedCount == 1)
        #expect(report.skipped.first?.line == 16)
        #expect(report.skipped.first?.subject == "J. Smith")
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test(arguments: [false, true])
    func `what an import has left to be indexed later is found after any other change`(isRemoved: Bool) async throws {
        let book = try ContactsFixture(.file)
        let reader = CardReader(.text(cards), book.contacts.rules)
        let batch = try #require(try await reader.next(10))
        try await book.contacts.write(book.operation()) { _ = try $0.importCards(batch.cards, ImportRun()) }
        let listed = try await book.plugin.filter(ContactFilter())
        #expect(listed.map(\.name) == ["Ada Lovelace", "Łukasz Nowak"])
        // The search tables do not know them yet: what is found is found by reading all texts.
        let near = try await book.contacts.read { try $0.contactsNear("lovelacy", limit: 1) }
        #expect(near.isEmpty)
        if isRemoved {
            _ = try await book.plugin.entities.delete([listed[0].id], operation: book.operation())
        } else {
            _ = try await book.plugin.update(listed[0].id, operation: book.operation()) { $0.note = "new" }
        }
        #expect(try await book.names("nowak") == ["Łukasz Nowak"])
        #expect(try await book.names("lovelace") == (isRemoved ? [] : ["Ada Lovelace"]))
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `the same file again changes nothing, whatever was edited here since`() async throws {
        let book = try ContactsFixture(.file)
        try await book.importing(cards)
        let ada = try #require(try await book.plugin.entities.resolve("ada").first)
        _ = try await book.plugin.update(ada.id, operation: book.operation()) { $0.note = "met at work" }
        for _ in 0..<3 { #expect(try await book.importing(cards).counts == [.unchanged: 2]) }
        #expect(try await book.plugin.entities.get(ada.id).details.note == "met at work")
        #expect(try await book.plugin.filter(ContactFilter()).count == 2)
    }

    @Test func `a newer card with a known UID updates its contact`() async throws {
        let book = try ContactsFixture()
        try await book.importing(cards)
        let newer = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:1\r\nFN:Ada King\r\nEND:VCARD\r\n"
        let report = try await book.importing(newer)
        #expect(report.counts == [.updated: 1])
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Ada King", "Łukasz Nowak"])
        #expect(try await book.names("lovelace") == [])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `a card that a file holds twice makes one contact, and the later version counts`() async throws {
        let book = try ContactsFixture()
        func card(_ name: String) -> String { "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:x\r\nFN:\(name)\r\nEND:VCARD\r\n" }
        let planned = try await book.importing(card("One") + card("One") + card("One Two"), isDryRun: true)
        #expect(planned.counts == [.new: 1, .unchanged: 1, .updated: 1])
        #expect(try await book.plugin.filter(ContactFilter()) == [])
        let report = try await book.importing(card("One") + card("One") + card("One Two"))
        #expect(report.counts == planned.counts)
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["One Two"])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `a card whose contact is in the trash brings it back`() async throws {
        let book = try ContactsFixture()
        try await book.importing(cards)
        let ada = try #require(try await book.plugin.entities.resolve("ada").first)
        try await book.plugin.entities.delete([ada.id], operation: book.operation())
        #expect(try await book.importing(cards).counts == [.new: 1, .unchanged: 1])
        #expect(try await book.plugin.entities.resolve("ada").map(\.id) == [ada.id])
        #expect(try await book.plugin.entities.trash().isEmpty)
    }

    @Test(arguments: [1, 7, 100, 65_536])
    func `an export gives back every byte, however the file was cut`(pieces: Int) async throws {
        let book = try ContactsFixture()
        let text =
            "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=84;Ann\nX-A:1\n 2\nEND:VCARD\n"
        let source = ImportSource.text("junk\n" + text + "more junk", pieces: pieces)
        _ = try await book.plugin.importCards(source, operation: book.operation("contacts import"))
        var bytes: [UInt8] = []
        for try await chunk in book.plugin.exportCards() { bytes += chunk }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        bytes = []
        for try await chunk in book.plugin.exportCards(as: .v4) { bytes += chunk }
        #expect(String(decoding: bytes, as: UTF8.self).contains("VERSION:4.0"))
    }

    @Test func `a file without any card is refused`() async throws {
        let book = try ContactsFixture()
        let error = await #expect(throws: HubError.self) { try await book.importing("colour;size\nred;1\n") }
        #expect(error?.kind == .invalid)
        #expect(try await book.database.history.operations(limit: 10).isEmpty)
    }

    @Test(arguments: ContactsFixture.Place.allCases)
    func `a whole import is one step of history, undone and redone as a whole`(place: ContactsFixture.Place)
        async throws
    {
        let book = try ContactsFixture(place)
        try await book.add("Kept")
        let text = (0..<1200).map {
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\($0)\r\nFN:Person \($0)\r\nTEL:\($0 + 100_000)\r\nEND:VCARD\r\n"
        }
        try await book.importing(text.joined())
        #expect(try await book.plugin.search("kept").total == 1201)
        let history = book.database.history
        #expect(try await history.operations(limit: 10).map(\.name) == ["contacts import", "contacts test"])
        #expect(try await history.undo(as: book.operation("undo")).isPossible)
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Kept"])
        #expect(try await book.plugin.indexProblems() == [])
        #expect(try await history.redo(as: book.operation("redo")).isPossible)
        #expect(try await book.plugin.search("100700").rows.map(\.name) == ["Person 700"])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `warnings name their lines in the file, each once`() async throws {
        let book = try ContactsFixture()
        let text =
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n"
            + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bob\r\nodd\r\nNOTE:a\r\n b\r\nodd too\r\nBDAY:soon\r\nEND:VCARD\r\n"
        let item = try #require(try await book.importing(text).items.first { $0.name == "Bob" })
        #expect(
            item.words == [
                "this line is not a property; kept as it is (lines 8, 11)",
                "invalid birthday \"soon\", kept as text (line 12)",
            ])
        #expect(item.line == 8)
        // The card of a row of a table is in no file, the row is.
        let table = "Name,Birthday\nAda,1815-12-10\nZoe,in May\n"
        let row = try await book.importing(table).items.first { $0.name == "Zoe" }
        #expect(row?.line == 3 && row?.words.first?.hasSuffix("(line 3)") == true, "\(row?.words ?? [])")
    }

    @Test func `an import that fails in the middle leaves nothing`() async throws {
        struct Broken: Error {}
        let book = try ContactsFixture(.file)
        let left = Mutex(40)
        let card = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Somebody\r\nX-N:".utf8)
        let source = ImportSource("broken.vcf") {
            let number = left.withLock { left -> Int in
                left -= 1
                return left
            }
            if number == 0 { throw Broken() }
            return (0..<50).flatMap { card + Array("\(number).\($0)\r\nEND:VCARD\r\n".utf8) }
        }
        await #expect(throws: Broken.self) {
            try await book.plugin.importCards(source, operation: book.operation("contacts import"))
        }
        #expect(try await book.plugin.filter(ContactFilter()) == [])
        #expect(try await book.plugin.indexProblems() == [])
    }
}
