import ContactsDomain
import Testing

struct SampleCardTests {
    @Test(arguments: [
        ("agent", ["Big Boss"]), ("android", ["Łukasz Żółć", "Taxi Service"]),
        ("apple", ["Bäckerei Öl & Korn", "Friends"]), ("apple-utf16", ["田中花子"]), ("blackberry", ["Amina Khan"]),
        ("evolution", ["Robert O'Brien"]), ("gmail", ["María Garcia"]), ("iphone", ["Zoe Meyer"]),
        ("khard", ["Ada Lovelace"]), ("lotus", ["Paolo Rossi"]), ("moment", ["Ada Lovelace", "Łukasz Nowak"]),
        ("nokia", ["Владимир Иванов"]), ("outlook-2003", ["Dr. Jörg Müller"]),
        ("outlook-2007", ["Mr. John Q. Smith Jr."]), ("radicale", ["only@example.org"]),
        ("rfc6350", ["Example Person"]), ("thunderbird", ["Nguyễn Văn An"]),
    ])
    func `every program's cards are found and named`(name: String, names: [String]) {
        #expect(Samples.cards(name).map(\.details.displayName) == names)
    }

    @Test func `an Android card of 2.1`() throws {
        let details = try #require(Samples.cards("android").first).details
        #expect(details.name == StructuredName(family: "Żółć", given: "Łukasz"))
        #expect(
            details.phones == [
                LabeledValue("601234567", label: "mobile", preference: 1), LabeledValue("602000111", label: "boat"),
            ])
        #expect(details.addresses.first?.street == "Długa 1; m. 2")
        #expect(details.addresses.first?.locality == "Gdańsk")
        #expect(details.note == "First line\nsecond line")
    }

    @Test func `an iPhone card with labels in groups`() throws {
        let details = try #require(Samples.cards("iphone").first).details
        #expect(details.phones.map(\.label) == ["mobile", "Ferienhaus"])
        #expect(details.emails.map(\.label) == ["homepage"])
        #expect(details.addresses.first?.street == "Hauptstr. 5\nHinterhaus")
        #expect(details.birthday == PartialDate(month: 5, day: 9).map(ContactDate.date))
        #expect(details.organization == ["Example GmbH"])
    }

    @Test func `an Apple company with picture and profile`() throws {
        let cards = Samples.cards("apple")
        let details = try #require(cards.first).details
        #expect(details.kind == .organization)
        #expect(details.note == "Geschlossen: montags; sonst 7,30 Uhr.")
        #expect(details.urls.first?.value == "https://example.org/a,b")
        #expect(details.messengers.map(\.label) == ["twitter"])
        #expect(details.relations == [LabeledValue("Erna", preference: 1)])
        #expect(details.others.map(\.name) == ["PHOTO"])
        #expect(cards.last?.details.kind == .group)
    }

    @Test func `an Outlook 2003 card in Windows-1252`() throws {
        let details = try #require(Samples.cards("outlook-2003").first).details
        #expect(details.name == StructuredName(family: "Müller", given: "Jörg", prefix: "Dr."))
        #expect(details.organization == ["Müller & Söhne", "Verkauf"])
        #expect(details.phones.map(\.label) == ["work", "work fax"])
        #expect(details.addresses.first?.street == "Industriestr. 1\nHalle 3")
        #expect(details.addresses.first?.locality == "München")
        #expect(details.urls.first?.value == "http://example.com/?a=1;b=2")
    }

    @Test func `an Outlook 2007 card with binary values and blank lines`() throws {
        let card = try #require(Samples.cards("outlook-2007").first)
        #expect(card.details.emails.map(\.value) == ["john@example.com"])
        #expect(card.details.birthday == PartialDate(year: 1970, month: 1, day: 15).map(ContactDate.date))
        #expect(PhoneNumber(card.details.phones[1].value).extension == "12")
        #expect(card.properties.count { $0.kind == .revision } == 1)
    }

    @Test func `an Evolution card with quoted types`() throws {
        let details = try #require(Samples.cards("evolution").first).details
        #expect(details.name.additional == "James Lee")
        #expect(details.emails == [LabeledValue("rob@example.org", label: "work", preference: 1)])
        #expect(details.phones.map(\.label) == ["mobile", "work fax"])
        #expect(details.anniversary == PartialDate(year: 1999, month: 9, day: 9).map(ContactDate.date))
        #expect(details.tags == ["Work", "Old friends"])
    }

    @Test func `a Google card without a formatted name`() throws {
        let details = try #require(Samples.cards("gmail").first).details
        #expect(details.urls.first == LabeledValue("https://example.org/maria", label: "PROFILE"))
        #expect(details.birthday == PartialDate(month: 4, day: 14).map(ContactDate.date))
        #expect(details.note == "Likes: tea, cake")
        #expect(details.emails.map(\.label) == ["home", "Second home"])
    }

    @Test func `a Thunderbird card of 4.0`() throws {
        let details = try #require(Samples.cards("thunderbird").first).details
        #expect(details.phones.map(\.value) == ["+84-24-5550-100;ext=5", "+84 24 5550 101"])
        #expect(details.phones.map(\.label) == ["mobile", "home"])
        #expect(details.emails.primary?.value == "an@example.org")
        #expect(details.anniversary == .text("some day in May"))
        #expect(details.tags == ["a, b, c"])
    }

    @Test func `a card of RFC 6350 with more components than are known`() throws {
        let card = try #require(Samples.cards("rfc6350").first)
        #expect(card.details.name == StructuredName(family: "Person", given: "Example"))
        #expect(card.details.phones.primary?.value == "+1-555-0101")
        #expect(card.details.addresses.first?.country == "USA")
        #expect(card.details.birthday == PartialDate(month: 2, day: 29).map(ContactDate.date))
    }
}
