import Contacts
import ContactsDomain
import Storage
import Testing

/// People of a mail: new ones, known ones, and those that must not become a second contact.
struct FromMailTests {
    private let book: ContactsFixture

    init() async throws {
        book = try ContactsFixture()
        try await book.importing(
            vcard("jan", "FN:Jan Kowalski", "N:Kowalski;Jan;;;", "EMAIL:j@a.example"))
    }

    private func people(_ text: String) -> [MailAddress] { MailAddress.list(text) }

    private func outcomes(_ mail: MailPeople, isDryRun: Bool = false) async throws -> [String] {
        try await book.plugin.importFromMail(mail, operation: book.operation("contacts new"), isDryRun: isDryRun).map {
            "\($0.outcome.rawValue) \($0.contact.name)"
        }
    }

    private func count() async throws -> Int {
        try await book.contacts.read { try $0.contactIDs(after: "", limit: 100).count }
    }

    @Test(arguments: [
        "Jan Kowalski <j@b.example>", "\"Kowalski, Jan\" <j@b.example>", "JAN KOWALSKI <j@b.example>",
        "Dr. Jan Maria Kowalski <j@b.example>",
    ])
    func `a new address of a known name is offered to that contact, not made a second one`(from: String) async throws {
        for isDryRun in [true, false] {
            #expect(try await outcomes(MailPeople(people(from)), isDryRun: isDryRun) == ["similar Jan Kowalski"])
        }
        #expect(try await count() == 1)
    }

    @Test func `the address is added, or the person is another one, as was decided`() async throws {
        var mail = MailPeople(people("Jan Kowalski <J@b.example>"))
        let jan = try #require(try await book.plugin.importFromMail(mail, operation: book.operation()).first).contact.id
        mail.decisions = ["j@b.example": .addTo(jan)]
        #expect(try await outcomes(mail) == ["added Jan Kowalski"])
        #expect(try await outcomes(mail) == ["known Jan Kowalski"])
        let details = try await book.contacts.read { try $0.contact(jan)?.card.details }
        #expect(details?.emails.map(\.value) == ["j@a.example", "J@b.example"])
        var other = MailPeople(people("Jan Kowalski <jan@c.example>"))
        other.decisions = ["jan@c.example": .create]
        #expect(try await outcomes(other) == ["new Jan Kowalski"])
        #expect(try await count() == 2)
    }

    @Test func `two addresses of one new person in a mail make one contact`() async throws {
        let mail = MailPeople(people("Ada Love <a@x.example>, Ada Love <a@y.example>, Bob <b@x.example>"))
        #expect(try await outcomes(mail) == ["new Ada Love", "similar Ada Love", "new Bob"])
    }

    @Test(arguments: ["Jan Nowak <j@b.example>", "Kowalski GmbH <j@b.example>", "j@b.example", "Jan <j@b.example>"])
    func `another name is another person`(from: String) async throws {
        #expect(try await outcomes(MailPeople(people(from))).first?.hasPrefix("new") == true)
    }

    @Test func `the user and mailing lists do not become contacts`() async throws {
        let header = MailHeader(
            Array(
                """
                From: Zoe <zoe@x.example>
                To: Dev <Dev@lists.example.org>, Me <me@example.org>, dev-request@lists.example.org
                List-Id: Developers <dev.lists.example.org>
                List-Post: <mailto:dev@lists.example.org?subject=x>

                """.utf8))
        let mail = MailPeople(
            header.people(in: ["from", "to"]), own: ["me@example.org"], lists: header.listAddresses)
        #expect(try await outcomes(mail).map { $0.prefix { $0 != " " } } == ["new", "list", "own", "list"])
        #expect(try await count() == 2)
    }
}

/// Copies of contacts.
struct CopyTests {
    @Test func `a copy has the same values and a UID of its own, and is not proposed as a duplicate`() async throws {
        let book = try ContactsFixture()
        try await book.importing(
            vcard("jan", "FN:Jan Kowalski", "N:Kowalski;Jan;;;", "X-FOO:bar", "X-HUB-MERGED-UID:old"))
        let original = try #require(try await book.plugin.contactPage(limit: 10).rows.first).id
        let remote = RemoteBook(href: "/b/", name: "Friends", isReadOnly: false, versions: ["3.0"])
        let target = try await book.contacts.write(book.operation()) { try $0.saveBook(remote, account: "posteo") }
        let copies = try await book.plugin.copy([original], to: target, operation: book.operation("contacts copy"))
        let copy = try #require(copies.first)
        let rows = try await book.contacts.read { (try $0.contact(original), try $0.contact(copy.id)) }
        let (first, second) = (try #require(rows.0), try #require(rows.1))
        #expect(first.book == nil && second.book == target.id)
        #expect(first.card.contentHash == second.card.contentHash)
        #expect(first.card.details.uid != second.card.details.uid && second.card.details.mergedSources.isEmpty)
        #expect(try await book.plugin.findDuplicates(upTo: .weak).isEmpty)
        #expect(try await book.plugin.copy([copy.id], to: target, operation: book.operation()).isEmpty)
        #expect(try await book.plugin.indexProblems() == [])
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await book.plugin.contactPage(limit: 10).rows.map(\.id) == [original])
    }
}
