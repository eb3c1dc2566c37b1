import Commands
import Contacts
import ContactsDomain
import HubKit
import HubKitTesting
import QRCode
import Storage
import TestSupport
import Testing

struct FormatTests {
    private static let csv = """
        First Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value\r
        Ada,Lovelace,maths,Home,ada@example.org\r
        Jan,Kowal,,,"jan@example.org" oops\r
        Łukasz,Nowak,* myContacts,,lukasz@nowak.example\r

        """
    private static let ldif = "dn: cn=Ada\ncn: Ada Lovelace\nmail: ada@example.org\n\n"
    private static let abook = "# abook addressbook file\n\n[0]\nname=Ada Lovelace\nemail=ada@example.org\n"
    private static let jcard = "[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"Ada Lovelace\"]]]"

    @Test(arguments: [csv, ldif, abook, jcard])
    func `a file of any format, read three times, makes its people once`(text: String) async throws {
        let book = try ContactsFixture()
        let first = try await book.importing(text)
        let made = try #require(first.counts[.new])
        let ada = try #require(try await book.plugin.entities.resolve("ada lovelace").first)
        _ = try await book.plugin.update(ada.id, operation: book.operation()) { $0.note = "edited here" }
        for _ in 0..<2 { #expect(try await book.importing(text).counts == [.unchanged: made]) }
        #expect(try await book.importing(text, isDryRun: true).counts == [.unchanged: made])
        #expect(try await book.plugin.filter(ContactFilter()).count == made)
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `an invalid row is reported with its line, the others are imported`() async throws {
        let book = try ContactsFixture()
        let report = try await book.importing(FormatTests.csv)
        #expect(report.counts == [.new: 2])
        #expect(report.skipped.map(\.line) == [3])
    }

    @Test func `an entry of LDIF that changed updates its contact, for its name is its id`() async throws {
        let book = try ContactsFixture()
        try await book.importing(FormatTests.ldif)
        let newer = FormatTests.ldif.replacing("mail:", with: "mobile: 123456\nmail:")
        #expect(try await book.importing(newer).counts == [.updated: 1])
        #expect(try await book.names("123456") == ["Ada Lovelace"])
    }

    @Test func `a folder of cards comes in as one, goes out as it was, and problems name their file`() async throws {
        let book = try ContactsFixture(.file)
        let folder = try TemporaryFolder()
        try folder.write("BEGIN:VCARD\nVERSION:3.0\nUID:b\nFN:Bea\nEND:VCARD\n", to: "b.vcf")
        try folder.write("BEGIN:VCARD\nVERSION:3.0\nUID:a/1\nFN:Ann\nX-A:1\nEND:VCARD\n", to: "a.vcf")
        try folder.write("BEGIN:VCARD\nVERSION:3.0\nFN:Half\n", to: "c.vcf")
        try folder.write("BEGIN:VCARD\nVERSION:3.0\nFN:No\nEND:VCARD\n", to: "d.vcf.tmp")
        try folder.write("BEGIN:VCARD\nVERSION:3.0\nFN:Deep\nEND:VCARD\n", to: "team/e.vcf")
        let source = try #require(try await ImportSource.folder(at: folder.path))
        let report = try await book.plugin.importCards(source, operation: book.operation("contacts import"))
        #expect(report.items.map(\.contact.name) == ["Ann", "Bea", "Deep"])
        #expect(report.skipped.map(\.file) == ["c.vcf"])
        #expect(report.skipped.map(\.line) == [1])
        #expect(try await book.database.history.operations(limit: 10).map(\.name) == ["contacts import"])

        let out = try TemporaryFolder()
        let path = "\(out.path)/new/people"
        let first = try await book.plugin.exportFolder(to: path)
        #expect((first.written, first.unchanged, first.withoutUID) == (3, 0, 1))
        #expect(out.read("new/people/b.vcf") == "BEGIN:VCARD\nVERSION:3.0\nUID:b\nFN:Bea\nEND:VCARD\n")
        let ann = try #require(try await book.plugin.entities.resolve("ann").first)
        #expect(out.read("new/people/\(ann.id).vcf")?.contains("UID:a/1\n") == true)
        let second = try await book.plugin.exportFolder(to: path)
        #expect((second.written, second.unchanged) == (0, 3))
        let again = try #require(try await ImportSource.folder(at: path))
        let twice = try await book.plugin.importCards(again, operation: book.operation())
        #expect(twice.counts == [.unchanged: 3])
        #expect(try await ImportSource.folder(at: "\(path)/nothing").map(\.name) == nil)
    }

    @Test func `the same contacts are exported to the same bytes, in every format`() async throws {
        let book = try ContactsFixture()
        try await book.importing(FormatTests.csv)
        let writers: [any CardListWriter] = [
            JCardWriter(isSingle: false), GoogleWriter(), DateCalendar(), VCardWriter(.v4),
        ]
        for writer in writers {
            var texts: [[UInt8]] = []
            for _ in 0..<2 {
                var bytes: [UInt8] = []
                for try await chunk in book.plugin.exportCards(by: writer) { bytes += chunk }
                texts.append(bytes)
            }
            #expect(texts[0] == texts[1] && !texts[0].isEmpty)
        }
        var table: [UInt8] = []
        for try await chunk in book.plugin.exportCards(by: GoogleWriter()) { table += chunk }
        let other = try ContactsFixture()
        try await other.importing(String(decoding: table, as: UTF8.self))
        #expect(try await other.plugin.filter(ContactFilter()).map(\.name) == ["Ada Lovelace", "Łukasz Nowak"])
    }

    @Test func `people of a mail are added once, and known ones are used once more`() async throws {
        let book = try ContactsFixture()
        try await book.importing(FormatTests.csv)
        let people = MailPeople([
            MailAddress(name: "Ada", address: "ADA@example.org"),
            MailAddress(name: "Nowak, Jan", address: "jan@x.example"),
            MailAddress(name: "", address: "bare@x.example"),
        ])
        let planned = try await book.plugin.importFromMail(people, operation: book.operation(), isDryRun: true)
        #expect(planned.map(\.outcome) == [.known, .new, .new])
        #expect(try await book.plugin.filter(ContactFilter()).count == 2)
        let added = try await book.plugin.importFromMail(people, operation: book.operation("contacts new"))
        #expect(added.map(\.outcome) == [.known, .new, .new])
        #expect(added.map(\.contact.name) == ["Ada Lovelace", "Jan Nowak", "bare@x.example"])
        #expect(
            try await book.plugin.importFromMail(people, operation: book.operation()).allSatisfy {
                $0.outcome == .known
            })
        let query = try await book.plugin.findAddresses("example", .email, isByUse: true)
        #expect(query.first?.contact.name == "Ada Lovelace")
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await book.plugin.filter(ContactFilter()).count == 2)
    }

    @Test func `query lists the most used first, and finds only contacts that search finds`() async throws {
        let book = try ContactsFixture()
        let names = ["Anna Lukasz", "Jan Kowal", "Jana Nowak", "Hanna Jansen", "Łukasz Jan", "Marianne Ott"]
        for (number, name) in names.enumerated() {
            var details = ContactDetails()
            details.formattedName = name
            details.name = StructuredName(parsing: name)
            details.emails = [LabeledValue("person\(number)@example.org")]
            details.phones = [LabeledValue("+48 601 234 56\(number)")]
            _ = try await book.plugin.create(details, operation: book.operation())
        }
        func id(_ name: String) async throws -> String {
            try #require(try await book.plugin.search(name).rows.first { $0.name == name }).id
        }
        #expect(try await book.plugin.findAddresses("", .email, isByUse: true).count == names.count)
        #expect(try await book.plugin.findAddresses("", .email).isEmpty)
        #expect(try await book.plugin.findAddresses("-", .email, isByUse: true).isEmpty)
        let queries = ["jan", "j", "ann", "person", "601 234", "example.org", "luk kow", "56", "łu", "n", "xyz", "a o"]
        func results(_ isByUse: Bool) async throws -> [[String]] {
            var found: [[String]] = []
            for query in queries {
                found.append(try await book.plugin.findAddresses(query, .email, isByUse: isByUse).map(\.contact.name))
            }
            return found
        }
        #expect(try await results(true) == results(false))
        for name in ["Jana Nowak", "Jana Nowak", "Hanna Jansen", "Marianne Ott"] {
            await book.plugin.recordUsage(of: try await id(name))
        }
        #expect(
            try await book.plugin.findAddresses(" ", .email, isByUse: true).prefix(2).map(\.contact.name) == [
                "Jana Nowak", "Hanna Jansen",
            ])
        let (plain, byUse) = (try await results(false), try await results(true))
        for (query, (one, other)) in zip(queries, zip(plain, byUse)) {
            #expect(Set(one) == Set(other), "\(query)")
        }
        #expect(byUse[0].prefix(2) == ["Jana Nowak", "Hanna Jansen"])
        #expect(
            try await book.plugin.findAddresses("jan", .email, isByUse: true, limit: 1).map(\.contact.name) == [
                "Jana Nowak"
            ])
        // A query does not count as use, and use is not a change.
        #expect(try await results(true) == byUse)
        #expect(try await book.database.history.operations(limit: 20).count == names.count)
        try await book.plugin.entities.delete([try await id("Jana Nowak")], operation: book.operation())
        #expect(try await book.plugin.findAddresses("jan", .email, isByUse: true).first?.contact.name == "Hanna Jansen")
    }

    @Test func `a picture is set, and undo takes it back`() async throws {
        let book = try ContactsFixture()
        let ada = try await book.add("Ada Lovelace")[0]
        let gif = Array("GIF89a".utf8) + [1, 2, 3]
        #expect(
            try await book.plugin.setPhoto(of: ada.id, to: gif, operation: book.operation("contacts photo")).isChanged)
        #expect(try await !book.plugin.setPhoto(of: ada.id, to: gif, operation: book.operation()).isChanged)
        #expect(try await book.plugin.entities.get(ada.id).card.photo == .picture(gif))
        await #expect(throws: HubError.self) {
            try await book.plugin.setPhoto(of: ada.id, to: [1, 2, 3], operation: book.operation())
        }
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await book.plugin.entities.get(ada.id).card == ada.card)
        #expect(try await !book.plugin.setPhoto(of: ada.id, to: nil, operation: book.operation()).isChanged)
    }

    @Test func `history says what became of a picture`() async throws {
        let book = try ContactsFixture()
        let ada = try await book.add("Ada Lovelace")[0]
        let gif = Array("GIF89a".utf8) + [UInt8](repeating: 7, count: 33_600)
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
        let then = book.clock.now
        for picture in [gif, png, nil] {
            book.clock.advance(by: .seconds(60))
            _ = try await book.plugin.setPhoto(of: ada.id, to: picture, operation: book.operation("contacts photo"))
        }
        let entities = book.plugin.entities
        let history = try await entities.history(of: ada.id).map(\.changes)
        #expect(
            history.prefix(3) == [
                ["photo removed, PNG, 9 bytes"], ["photo replaced, PNG, 9 bytes"], ["photo added, GIF, 34 kB"],
            ])
        let middle = then + .seconds(90)
        #expect(
            try await entities.differences(of: ada.id, since: middle, until: middle + .seconds(60))
                == [VersionDifference("photo", before: "GIF, 34 kB", after: "PNG, 9 bytes")])
        // Other lines of the card change nothing of the picture, however it is folded.
        let card = ada.card.settingPhoto(gif, at: nil)
        let folded = Card(String(decoding: card.bytes, as: UTF8.self).replacing("\r\n ", with: ""))
        #expect(folded.bytes != card.bytes && card.changes(to: folded) == [])
        #expect(
            card.changes(
                to: Card(
                    "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Lovelace\r\nPHOTO:https://example.org/a\r\nEND:VCARD\r\n")
            )
            .map(\.description).last == "photo replaced, at https://example.org/a")
    }

    @Test func `a QR code holds the card without its picture, as far as it fits`() async throws {
        let book = try ContactsFixture()
        let ada = try await book.add("Ada Lovelace")[0]
        let size = try await book.plugin.qrCode(of: ada.id).size
        let picture = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 5000)
        try await book.plugin.setPhoto(of: ada.id, to: picture, operation: book.operation())
        #expect(try await abs(book.plugin.qrCode(of: ada.id).size - size) <= 8)
        _ = try await book.plugin.update(ada.id, operation: book.operation()) {
            $0.note = String(repeating: "long ", count: 600)
        }
        let error = await #expect(throws: HubError.self) { try await book.plugin.qrCode(of: ada.id) }
        #expect(error?.code == "qr-too-long")
    }

    @Test func `members and relatives are named by the cards that they mean`() async throws {
        let book = try ContactsFixture()
        try await book.importing(
            """
            BEGIN:VCARD
            VERSION:3.0
            UID:8F2A-11
            FN:Ada
            EMAIL:ada@example.org
            END:VCARD
            BEGIN:VCARD
            VERSION:3.0
            UID:8F2A-12
            FN:Friends
            X-ADDRESSBOOKSERVER-KIND:group
            X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:8F2A-11
            END:VCARD

            """)
        let names = try await book.plugin.resolveRelations([
            "urn:uuid:8F2A-11", "mailto:ada@example.org", "urn:uuid:none", "",
        ])
        #expect(names.mapValues(\.name) == ["urn:uuid:8F2A-11": "Ada", "mailto:ada@example.org": "Ada"])
    }
}
