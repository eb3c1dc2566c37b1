import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Sync
import Testing

@testable import Contacts

/// Each address book by itself, as devices see them.
struct ServedBooksTests {
    private let fixture: ContactsFixture
    private let served: ServedContactBooks

    init() throws {
        fixture = try ContactsFixture()
        served = ServedContactBooks(contacts: fixture.contacts)
    }

    private static func author(_ operation: String = "op1") -> ServedAuthor {
        ServedAuthor(device: "phone", program: "Test", operation: operation)
    }

    private static func card(_ name: String, uid: String, _ more: String = "") -> [UInt8] {
        Array("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\n\(more)END:VCARD\r\n".utf8)
    }

    private func items(_ word: String) async throws -> any ServedCollection {
        try #require(try await served.books().first { $0.word == word }).items
    }

    private func put(
        _ name: String, _ content: [UInt8], to word: String, base: [UInt8]? = nil, operation: String = "op1"
    ) async throws -> ServedPutResult {
        var put = ServedPut(name: name, content: content, author: Self.author(operation))
        put.base = base
        return try await items(word).put(put)
    }

    private func changes(_ word: String, after number: Int = 0) async throws -> [String] {
        try await items(word).changes(after: number, upTo: .max, limit: 100).map { ($0.isGone ? "-" : "+") + $0.name }
    }

    private func number(_ word: String) async throws -> Int { try await items(word).state().number }

    private func move(
        _ name: String, _ from: String, _ to: String, as newName: String? = nil,
        _ change: (inout ServedMove) -> Void = { _ in }
    ) async throws -> ServedMoveResult {
        var move = ServedMove(from: (from, name), to: (to, newName ?? name), author: Self.author("op9"))
        change(&move)
        return try await served.move(move)
    }

    /// An account with a book that can be written and one that cannot.
    private func account() async throws -> (own: Book, team: Book) {
        try await fixture.contacts.write(fixture.operation()) { transaction in
            (
                try transaction.saveBook(RemoteBook(href: "/a/", name: "Contacts"), account: "posteo"),
                try transaction.saveBook(RemoteBook(href: "/b/", name: "Team", isReadOnly: true), account: "posteo")
            )
        }
    }

    @Test func `each book is by itself, with those of no book first`() async throws {
        let made = try await fixture.add("Ada", "Bob")
        let (own, team) = try await account()
        #expect(try await served.make("family", title: "Family", by: Self.author()))
        #expect(try await !served.make("family", title: "Other", by: Self.author()))
        #expect(try await !served.make("here", title: "Here", by: Self.author()))
        _ = try await fixture.plugin.books.move([made[1].id], to: own, operation: fixture.operation())
        let books = try await served.books()
        #expect(books.map(\.word) == ["here", "family", own.word, team.word])
        #expect(books.map(\.title) == ["Contacts", "Family", "Contacts (posteo)", "Team (posteo)"])
        #expect(books.map(\.isReadOnly) == [false, false, false, true])
        #expect(books.map(\.isOwn) == [false, true, false, false])
        var counts: [Int] = []
        for book in books { counts.append(try await book.items.count()) }
        #expect(counts == [1, 0, 1, 0])
        var epochs: Set<String> = []
        for book in books { epochs.insert(try await book.items.state().epoch) }
        #expect(epochs.count == 4, "a token of one book says nothing of another")
        // All of them are also one book for a device that asks for that.
        #expect(try await ServedContacts(contacts: fixture.contacts).count() == 2)
    }

    @Test func `a card lands in the book of its address, and other books are quiet`() async throws {
        _ = try await fixture.add("Ada")
        let (own, _) = try await account()
        #expect(try await served.make("family", title: "Family", by: Self.author()))
        #expect(try await number("here") > 0)
        let quiet = try await number("here")
        let cleo = Self.card("Cleo", uid: "c1", "X-CUSTOM:1\r\n")
        guard case .stored(let report) = try await put("c1.vcf", cleo, to: "family") else {
            Issue.record("not stored")
            return
        }
        #expect(report.isNew && report.content == cleo)
        #expect(try await changes("family") == ["+c1.vcf"])
        #expect(try await number("here") == quiet)
        // The same person and name in a second book is a contact of its own; in the same book it is refused.
        guard case .stored(let copy) = try await put("c1.vcf", cleo, to: own.word) else {
            Issue.record("not stored")
            return
        }
        #expect(copy.entry.id != report.entry.id)
        #expect(try await put("c2.vcf", cleo, to: "family") == .sameUID("c1.vcf"))
        // A program that drops a line in one book loses nothing, and changes nothing in the other.
        let edited = Self.card("Cleo", uid: "c1", "TITLE:Dr\r\n")
        _ = try await put("c1.vcf", edited, to: "family", base: cleo)
        let text = try #require(try await items("family").items(named: ["c1.vcf"]).first)
        #expect(String(decoding: text.content, as: UTF8.self).contains("X-CUSTOM:1"))
        #expect(try await items(own.word).items(named: ["c1.vcf"]).first?.content == cleo)
        #expect(try await fixture.plugin.filter(ContactFilter()).count == 3)
        // What the device did is undone by its name.
        let operations = try await fixture.database.history.operations(limit: 10)
        #expect(operations.contains { $0.commandLine == "phone (Test): change contacts" })
    }

    @Test func `a move keeps the contact, and is told in both books`() async throws {
        let (own, _) = try await account()
        #expect(try await served.make("family", title: "Family", by: Self.author()))
        let cleo = Self.card("Cleo", uid: "c1")
        guard case .stored(let report) = try await put("c1.vcf", cleo, to: "family") else {
            Issue.record("not stored")
            return
        }
        let (family, posteo) = (try await number("family"), try await number(own.word))
        guard case .moved(let item, let isNew) = try await move("c1.vcf", "family", own.word, as: "x.vcf") else {
            Issue.record("not moved")
            return
        }
        #expect(isNew && item.entry.id == report.entry.id && item.content == cleo)
        #expect(try await changes("family", after: family) == ["-c1.vcf"])
        #expect(try await changes(own.word, after: posteo) == ["+x.vcf"])
        #expect(try await fixture.plugin.entities.get(report.entry.id).book == own.id)
        // Undo takes it back under its old name, and devices learn of that.
        let (family2, posteo2) = (try await number("family"), try await number(own.word))
        _ = try await fixture.database.history.undo("op9", as: fixture.operation("undo"))
        #expect(try await changes("family", after: family2) == ["+c1.vcf"])
        #expect(try await changes(own.word, after: posteo2) == ["-x.vcf"])
        // A new name in the same book.
        guard case .moved = try await move("c1.vcf", "family", "family", as: "y.vcf") else {
            Issue.record("not moved")
            return
        }
        #expect(try await items("family").entries(after: nil, limit: 9).map(\.name) == ["y.vcf"])
        #expect(try await move("c1.vcf", "family", "here") == .missing)
        #expect(try await move("y.vcf", "family", "here") { $0.condition = .matches(["other"]) } == .refused)
    }

    @Test func `nothing is lost where something is in the way`() async throws {
        #expect(try await served.make("family", title: "Family", by: Self.author()))
        _ = try await put("a.vcf", Self.card("Ada", uid: "a1"), to: "here")
        _ = try await put("b.vcf", Self.card("Bob", uid: "b1"), to: "family")
        _ = try await put("a2.vcf", Self.card("Ada", uid: "a1"), to: "family")
        #expect(try await move("a.vcf", "here", "family", as: "c.vcf") == .sameUID("a2.vcf"))
        #expect(try await move("a.vcf", "here", "family", as: "b.vcf") { $0.overwrites = false } == .refused)
        guard case .moved(_, isNew: false) = try await move("a.vcf", "here", "family", as: "a2.vcf") else {
            Issue.record("not moved")
            return
        }
        let trash = try await fixture.plugin.entities.trash()
        #expect(trash.count == 1, "the one that gave way is in the trash")
        // A copy has an identity of its own.
        guard case .moved(let copy, isNew: true) = try await move("b.vcf", "family", "here", { $0.isCopy = true })
        else {
            Issue.record("not copied")
            return
        }
        #expect(!String(decoding: copy.content, as: UTF8.self).contains("UID:b1"))
        #expect(try await items("family").count() == 2)
        // A program that moves a card by removing and adding it finds the same contact.
        let bob = try #require(try await items("family").items(named: ["b.vcf"]).first)
        #expect(try await items("family").remove("b.vcf", if: .always, by: Self.author()) == .removed)
        #expect(try await put("b.vcf", bob.content, to: "here") == .otherUID, "the copy has that name")
        guard case .stored(let back) = try await put("b9.vcf", bob.content, to: "here") else {
            Issue.record("not stored")
            return
        }
        #expect(back.entry.id == bob.entry.id)
        #expect(try await changes("family").contains("-b.vcf"))
    }

    @Test func `a book is removed when it is empty, and renamed for all`() async throws {
        #expect(try await served.make("family", title: "Family", by: Self.author()))
        _ = try await put("a.vcf", Self.card("Ada", uid: "a1"), to: "family")
        #expect(try await !served.remove("family", by: Self.author()))
        #expect(try await !served.remove("here", by: Self.author()))
        try await served.rename("family", to: "Relatives", by: Self.author("op2"))
        #expect(try await fixture.plugin.books.one("here/Relatives")?.word == "family")
        #expect(try await fixture.plugin.filter(ContactFilter()).count == 1)
        // A person may remove it with its contacts, which are in no book then; undo brings both back.
        let book = try #require(try await fixture.plugin.books.one("Relatives"))
        #expect(try await number("here") == 0)
        try await fixture.plugin.books.removeLocal(book, operation: fixture.operation())
        #expect(try await items("here").count() == 1)
        let here = try await number("here")
        _ = try await fixture.database.history.undo(as: fixture.operation("undo"))
        #expect(try await served.books().map(\.title) == ["Contacts", "Relatives"])
        #expect(try await changes("here", after: here).map { $0.prefix(1) } == ["-"])
        #expect(try await items("family").count() == 1)
        // An empty one goes. To a device that had it, another one with its name is the same book, whose contacts have left.
        let state = try await items("family").state()
        #expect(try await items("family").remove("a.vcf", if: .always, by: Self.author()) == .removed)
        #expect(try await served.remove("family", by: Self.author("op3")))
        #expect(try await served.make("family", title: "Family", by: Self.author("op4")))
        #expect(try await items("family").state().epoch == state.epoch)
        #expect(try await changes("family", after: state.number) == ["-a.vcf"])
        #expect(try await items("family").count() == 0)
    }

    @Test func `a book of the person has a word of its own, and a command finds it`() async throws {
        let first = try await fixture.plugin.books.createLocal("Frühe Vögel", operation: fixture.operation())
        let second = try await fixture.plugin.books.createLocal("Fruehe/Vögel", operation: fixture.operation())
        #expect(first.word.allSatisfy { $0.isLetter || $0 == "-" } && first.fullName == "here/Frühe Vögel")
        #expect(second.word != first.word)
        await #expect(throws: HubError.self) {
            _ = try await fixture.plugin.books.createLocal("Frühe Vögel", operation: fixture.operation())
        }
        let ada = try await fixture.add("Ada")[0]
        _ = try await fixture.plugin.books.move([ada.id], to: first, operation: fixture.operation())
        var filter = ContactFilter()
        filter.books = []
        #expect(try await fixture.plugin.filter(filter).isEmpty, "it is in a book")
        filter.books = [first.id]
        #expect(try await fixture.plugin.filter(filter).map(\.id) == [ada.id])
    }
}
