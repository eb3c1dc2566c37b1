import ContactsDomain
import Testing

struct BookTests {
    @Test(arguments: Books.all.map(\.name))
    func `the beginning of a file tells its format, and how it is cut does not matter`(name: String) throws {
        let book = try #require(Books.all.first { $0.name == name })
        let whole = read(book.bytes)
        #expect(whole.cards == read(book.bytes, as: book.format).cards)
        #expect(!whole.cards.isEmpty)
        for size in [1, 7, 64, 1000] {
            let cut = read(book.bytes, chunk: size)
            #expect(cut.cards == whole.cards, "chunks of \(size)")
            #expect(cut.problems == whole.problems, "chunks of \(size)")
            let told = read(book.bytes, as: book.format, chunk: size)
            #expect(told.cards == whole.cards && told.problems == whole.problems, "chunks of \(size)")
            #expect(cut.raw.map(\.firstLine) == whole.raw.map(\.firstLine), "chunks of \(size)")
        }
    }

    @Test func `every sample of vCard is still read as vCard`() {
        for (name, bytes) in Samples.all {
            #expect(read(bytes).cards == split(bytes).cards.map { Card($0.bytes) }, "\(name)")
        }
    }

    @Test func `every card that is made has a name, an id of its own and no time`() {
        for (name, bytes, format) in Books.all where format != .jcard {
            for card in read(bytes).cards {
                #expect(card.details.uid?.count == 36, "\(name)")
                #expect(card.first(.revision) == nil, "\(name)")
                #expect(card.version == .v3)
            }
        }
    }

    @Test func `Google's table of today`() throws {
        let reading = Books.reading("google")
        #expect(reading.problems.isEmpty)
        #expect(reading.names == ["Łukasz Nowak", "Dra. María García", "Bakery Öl & Korn"])
        #expect(reading.raw.map(\.firstLine) == [2, 6, 7])
        let details = reading.details[0]
        #expect(details.emails.map(\.value) == ["lukasz@nowak.example", "l.nowak@example.org", "luki@example.org"])
        #expect(details.emails.map(\.label) == ["home", "work", "work"])
        #expect(details.emails.primary?.preference == 1)
        #expect(details.phones.map(\.label) == ["mobile", "Holiday home"])
        #expect(details.tags == ["Friends", "Chess"])
        #expect(details.birthday == PartialDate(month: 4, day: 15).map(ContactDate.date))
        #expect(details.anniversary == PartialDate(year: 2011, month: 6, day: 18).map(ContactDate.date))
        #expect(details.note == "Met in Gdańsk,\nat the \"Long Street\"")
        #expect(details.addresses.first?.parts == ["", "m. 2", "Długa 1", "Gdańsk", "", "80-831", "PL"])
        #expect(details.organization == ["Example Sp. z o.o.", "Research"])
        #expect(details.relations == [LabeledValue("Anna Nowak", label: "Spouse")])
        #expect(details.urls == [LabeledValue("https://nowak.example/?a=1", label: "Blog")])
        #expect(details.others.contains { $0.name == "Shoe size" && $0.value == "43" })
        #expect(reading.cards[0].photo == .link("https://lh3.example.org/photo.jpg"))
        #expect(reading.details[1].tags == ["starred"])
        #expect(reading.details[1].phones == [LabeledValue("555-0101", label: "work fax")])
    }

    @Test func `Google's table of old`() throws {
        let details = try #require(Books.reading("google-old").details.first)
        #expect(details.formattedName == "田中 花子")
        #expect(details.name == StructuredName(family: "田中", given: "花子"))
        #expect(details.messengers.first?.value == "skype:hanako.t")
        #expect(details.addresses.first?.street == "1-2-3 Ginza\nTokyo")
        #expect(details.organization == ["Example KK", "Books"])
        #expect(details.title == "Editor")
        #expect(details.role == "Translator")
        #expect(details.others.map(\.name).contains("Hobby"))
        #expect(details.tags == ["Tokyo"])
    }

    @Test func `Outlook's table in Windows-1252`() throws {
        let reading = Books.reading("outlook")
        #expect(reading.problems.isEmpty)
        let details = reading.details[0]
        #expect(details.name == StructuredName(family: "Müller", given: "Jörg", prefix: "Dr."))
        #expect(details.organization == ["Müller & Söhne GmbH", "Verkauf"])
        #expect(details.addresses.map(\.street) == ["Industriestr. 1\nHalle 3"])
        #expect(details.phones.map(\.label) == ["work fax", "work", "mobile"])
        #expect(details.birthday == PartialDate(year: 1970, month: 12, day: 24).map(ContactDate.date))
        #expect(details.anniversary == nil)
        #expect(details.tags == ["Business", "Key Customer"])
        #expect(details.note == "Liebt – laut \"Frau Groß\" – Käse.\nZweite Zeile.")
        #expect(details.relations.map(\.label) == ["manager", "spouse"])
        #expect(details.others.map(\.name) == ["User 1"])
        // The first row shows that the month comes first.
        #expect(reading.details[1].birthday == PartialDate(year: 1985, month: 3, day: 4).map(ContactDate.date))
        #expect(reading.details[1].anniversary == PartialDate(year: 1999, month: 6, day: 5).map(ContactDate.date))
    }

    @Test func `a date of ambiguous order stays text, with a warning`() throws {
        let reading = read("First Name,Last Name,E-mail Address,Birthday\r\nZoe,Smith,z@example.org,3/4/1985\r\n")
        #expect(reading.details.first?.birthday == .text("3/4/1985"))
        #expect(reading.raw.first?.doubts.map(\.line) == [2])
    }

    @Test func `Thunderbird's table`() throws {
        let details = try #require(Books.reading("thunderbird").details.first)
        #expect(details.formattedName == "Nguyễn Văn An")
        #expect(details.birthday == PartialDate(year: 1988, month: 2, day: 29).map(ContactDate.date))
        #expect(details.emails.map(\.value) == ["an@example.org", "an@home.example"])
        #expect(details.phones.map(\.label) == ["work", "mobile"])
        #expect(details.addresses.first?.locality == "Hà Nội")
    }

    @Test func `abook's addressbook`() throws {
        let reading = Books.reading("abook")
        #expect(reading.names == ["Ada Lovelace", "Jörg Müller", "only@example.org"])
        let details = reading.details[0]
        #expect(details.emails.map(\.value) == ["ada@example.org", "countess@example.com"])
        #expect(details.addresses.first?.street == "12 St James's Square\nGround floor")
        #expect(details.phones.map(\.label) == ["home", "work", "mobile"])
        #expect(details.tags == ["maths", "friends"])
        #expect(details.anniversary == PartialDate(year: 1835, month: 7, day: 8).map(ContactDate.date))
        #expect(details.others.map(\.name) == ["custom1"])
        #expect(reading.raw[2].doubts.map(\.message) == ["anniversary \"in May\" is not a valid date; kept as text"])
    }

    @Test func `Thunderbird's LDIF with base64, folds and a group`() throws {
        let reading = Books.reading("thunderbird-ldif")
        #expect(reading.problems.isEmpty)
        #expect(reading.names == ["Ada Lovelace", "Łukasz Nowak", "Chess"])
        let ada = reading.details[0]
        #expect(ada.birthday == PartialDate(year: 1815, month: 12, day: 10).map(ContactDate.date))
        #expect(ada.note == "A note that is so long that its line has to be folded, and after the fold it goes on.")
        #expect(ada.addresses.first?.postalCode == "SW1Y 4JH")
        #expect(ada.organization == ["Analytical Engines", "Programs"])
        let group = reading.details[2]
        #expect(group.kind == .group)
        #expect(group.members.first == "urn:uuid:\(ada.uid ?? "")")
        #expect(group.members.count == 2)
    }

    @Test func `Evolution's LDIF with a picture, and a value that is never fetched`() throws {
        let reading = Books.reading("evolution")
        let details = try #require(reading.details.first)
        #expect(details.displayName == "Zoë Meyer")
        #expect(details.phones.map(\.label) == ["main", "car"])
        #expect(details.addresses.first?.street == "Hauptstr. 5\nHinterhaus\n10115 Berlin")
        #expect(details.relations.map(\.value) == ["Erna Korn", "Max Meyer"])
        guard case .picture(let bytes) = reading.cards[0].photo else { throw NoPicture() }
        #expect(PictureType(sniffing: bytes) == .png)
        #expect(bytes.count == 70)
        #expect(reading.raw[0].doubts.map(\.line) == [22, 23])
    }

    private struct NoPicture: Error {}

    @Test func `jCards with every kind of value, and a broken one between them`() throws {
        let reading = Books.reading("jcard")
        #expect(reading.names == ["Ada Lovelace, Countess", "Łukasz Nowak"])
        #expect(reading.problems.map(\.line) == [23])
        let card = reading.cards[0]
        let details = card.details
        #expect(details.name.family == "Lovelace")
        #expect(details.name.additional == "Augusta King")
        #expect(details.birthday == PartialDate(month: 12, day: 10).map(ContactDate.date))
        #expect(details.organization == ["Analytical Engines", "Programs; Notes"])
        #expect(details.addresses.first?.country == "England")
        #expect(details.phones == [LabeledValue("+44-7700-900001", label: "mobile", preference: 1)])
        #expect(details.emails.first?.label == "Engine room")
        #expect(details.tags == ["maths", "friends, old"])
        #expect(details.note == "First \"programmer\"\nand émigrée 😀")
        #expect(details.relations == [LabeledValue("William King", label: "spouse")])
        #expect(card.source.contains("REV:20261120T091200Z\r\n"))
        #expect(card.source.contains("TEL;TYPE=cell,voice;PREF=1;VALUE=uri:tel:+44-7700-900001\r\n"))
        #expect(card.source.replacing("\r\n ", with: "").contains(";LABEL=12 St James's Square^nLondon:"))
    }

    @Test func `an unknown table is one problem`() {
        let reading = read("a,b,c\r\n1,2,3\r\n4,5,6\r\n", as: .csv)
        #expect(reading.cards.isEmpty)
        #expect(reading.problems.map(\.code) == ["header-unknown"])
    }

    @Test func `each invalid row is reported with its line and the rest is read`() {
        let reading = read(
            """
            First Name,Last Name,E-mail Address
            Ada,"Lovelace,ada@example.org
            Jan,Kowal,jan@example.org,surplus
            ,,
            Zoe,"Mey"er,zoe@example.org
            ,,only@example.org
            """)
        #expect(reading.names == ["only@example.org"])
        #expect(reading.problems.map(\.line) == [2, 3, 5])
    }

    @Test func `a table with semicolons, as a German Outlook writes it`() {
        let reading = read("\u{FEFF}First Name;Last Name;E-mail Address\r\nJörg;Müller;j@example.org\r\n")
        #expect(reading.details.map(\.name.family) == ["Müller"])
    }
}
