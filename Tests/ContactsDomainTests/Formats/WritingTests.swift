import ContactsDomain
import Testing

/// The output of a writer.
private func written(_ cards: [Card], by writer: some CardListWriter) -> String {
    var writer = writer
    for card in cards { writer.survey(card) }
    var bytes = writer.begin()
    for (number, card) in cards.enumerated() { bytes += writer.add(card, id: "id\(number)") }
    return String(decoding: bytes + writer.end(), as: UTF8.self)
}

/// The card as jCard, read back.
func jCard(_ card: Card) throws -> Card {
    let text = written([card], by: JCardWriter(isSingle: true))
    let reading = read(text, as: .jcard)
    #expect(reading.problems.isEmpty, "\(text)")
    return try #require(reading.cards.first, "\(text)")
}

/// The cards as Google's table.
func table(_ cards: [Card], isSafe: Bool = false) -> String {
    written(cards, by: GoogleWriter(isSpreadsheetSafe: isSafe))
}

/// The birthdays of the cards as a calendar.
func calendar(_ cards: [Card]) -> String { written(cards, by: DateCalendar(isOnlyBirthdays: true)) }

struct WritingTests {
    @Test func `every sample card says the same after a way through jCard`() throws {
        for card in Samples.everyCard + Books.all.flatMap({ read($0.bytes).cards }) {
            let before = card.exported(as: .v4).details
            #expect(try jCard(card).details == before, "\(card.source)")
        }
    }

    @Test func `a jCard goes to a vCard and back to the same bytes`() throws {
        for card in Samples.everyCard {
            let once = written([card], by: JCardWriter(isSingle: true))
            let again = written([try jCard(card)], by: JCardWriter(isSingle: true))
            #expect(again == once)
        }
    }

    @Test func `a jCard has types, lists and times as RFC 7095 spells them`() {
        let text = written(
            [
                card(
                    "FN:Ada", "BDAY:--1210", "REV:20261120T091200Z", "N:Lovelace;Ada;Augusta,King;;",
                    "item1.TEL;TYPE=cell,voice;VALUE=uri:tel:+1", "CATEGORIES:a,b\\,c", "X-FOO;X-P=1:a\\,b;c",
                    "ORG:One",
                    version: "4.0")
            ], by: JCardWriter(isSingle: false))
        #expect(text.hasPrefix("[\n[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"Ada\"],"))
        #expect(text.contains("[\"bday\",{},\"date-and-or-time\",\"--12-10\"]"))
        #expect(text.contains("[\"rev\",{},\"timestamp\",\"2026-11-20T09:12:00Z\"]"))
        #expect(text.contains("[\"n\",{},\"text\",[\"Lovelace\",\"Ada\",[\"Augusta\",\"King\"],\"\",\"\"]]"))
        #expect(text.contains("[\"tel\",{\"group\":\"item1\",\"type\":[\"cell\",\"voice\"]},\"uri\",\"tel:+1\"]"))
        #expect(text.contains("[\"categories\",{},\"text\",\"a\",\"b,c\"]"))
        #expect(text.contains("[\"x-foo\",{\"x-p\":\"1\"},\"unknown\",\"a\\\\,b;c\"]"))
        #expect(text.contains("[\"org\",{},\"text\",\"One\"]"))
        #expect(text.hasSuffix("]]]\n]\n"))
    }

    @Test func `Google's table, written and read back, says the same`() throws {
        for book in ["google", "google-old", "outlook", "thunderbird", "abook", "evolution"] {
            let cards = Books.reading(book).cards
            let text = table(cards)
            let again = read(text)
            #expect(again.problems.isEmpty, "\(text)")
            #expect(again.cards.count == cards.count)
            for (before, after) in zip(cards.map(\.details), again.details) {
                #expect(after.name == before.name, "\(book)")
                #expect(after.displayName == before.displayName || before.displayName != before.name.formatted)
                #expect(after.phones.map(\.value) == before.phones.map(\.value), "\(book)")
                #expect(after.phones.map(\.label) == before.phones.map(\.label), "\(book)")
                #expect(after.emails.map(\.label) == before.emails.map(\.label), "\(book)")
                #expect(after.emails.primary?.value == before.emails.primary?.value, "\(book)")
                #expect(after.addresses == before.addresses, "\(book)")
                #expect(after.organization.first == before.organization.first, "\(book)")
                #expect(after.birthday == before.birthday, "\(book)")
                #expect(after.anniversary == before.anniversary, "\(book)")
                #expect(after.note == before.note, "\(book)")
                #expect(after.tags == before.tags, "\(book)")
                #expect(after.relations.map(\.value) == before.relations.map(\.value), "\(book)")
            }
            #expect(table(again.cards) == table(read(table(again.cards)).cards), "\(book)")
        }
    }

    @Test func `the first columns are Google's, and only a safe table has apostrophes`() {
        let cards = [card("FN:=Ada", "N:=Ada;;;;", "TEL:+49 30 1", "NOTE:+cmd|' /C calc'!A0")]
        let plain = table(cards)
        #expect(plain.hasPrefix("First Name,Middle Name,Last Name,Phonetic First Name,"))
        #expect(plain.contains(",Labels,Phone 1 - Label,Phone 1 - Value\r\n"))
        #expect(plain.contains(",=Ada,"))
        #expect(plain.contains(",+49 30 1\r\n"))
        let safe = table(cards, isSafe: true)
        #expect(safe.contains(",'=Ada,"))
        #expect(safe.contains(",'+cmd|"))
        // A number runs nothing, and Google would not know it with an apostrophe.
        #expect(safe.contains(",+49 30 1\r\n"))
        #expect(read(safe).details == read(plain).details)
    }

    @Test func `a table keeps the whole name, deep organizations, roles, and what has no name`() {
        let cards = [
            card("FN:The Countess", "N:Lovelace;Ada;;;", "ORG:Acme;Sales;North;Team 5", "ROLE:Boss"),
            card("FN:Ada King", "ORG:Acme"), card("NOTE:only this"), card("FN:Acme", "ORG:Acme"),
        ]
        let details = read(table(cards, isSafe: true)).details
        #expect(details.map(\.displayName) == ["The Countess", "Ada King", "", "Acme"])
        #expect(details[0].organization == ["Acme", "Sales", "North", "Team 5"])
        #expect(details[0].role == "Boss" && details[0].name.family == "Lovelace" && details[0].others.isEmpty)
        #expect(details[2].note == "only this")
    }

    @Test func `tables of addresses alone, short rows and a birthday among the events`() {
        let plain = read("Email\nada@example.org\njan@example.org\n")
        #expect(plain.details.map(\.displayName) == ["ada@example.org", "jan@example.org"])
        let named = read("Name,Email Home,E-mail (work)\nAda,a@x.example,b@x.example\nJan,c@x.example\n")
        #expect(named.details[0].emails.map(\.label) == ["home", "work"])
        #expect(
            named.raw.map { $0.doubts.map(\.message) } == [
                [], ["this row has 2 columns where the first line has 3; check its values"],
            ])
        let google = read("First Name,Labels,Event 1 - Label,Event 1 - Value\nAda,,Birthday,1815-12-10\n")
        #expect(google.details[0].birthday?.description == "1815-12-10")
    }

    @Test func `birthdays become events that come back every year`() {
        let cards = [
            card("UID:1", "FN:Ada, Countess", "BDAY:1815-12-10"),
            card("UID:2", "FN:Leap", "BDAY:--02-29", version: "4.0"),
            card("FN:Vague", "BDAY;VALUE=text:in May"), card("FN:Nobody"),
        ]
        let text = calendar(cards)
        #expect(text == calendar(cards))
        #expect(text.split(separator: "BEGIN:VEVENT").count == 3)
        #expect(
            text.contains("DTSTART;VALUE=DATE:18151210\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Birthday of Ada\\, Countess\r\n")
        )
        #expect(text.contains("DTSTART;VALUE=DATE:20000229\r\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1\r\n"))
        #expect(text.contains("DESCRIPTION:born in 1815\r\n"))
        #expect(text.hasSuffix("END:VCALENDAR\r\n"))
    }

    @Test(arguments: VCardVersion.allCases)
    func `a picture is set, read, replaced and removed, and nothing else is touched`(version: VCardVersion) {
        let plain = card("FN:Ada", "X-A:1", "NOTE:x", version: version.rawValue)
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<200).map { UInt8($0) }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
        let first = plain.settingPhoto(png, at: nil)
        #expect(first.photo == .picture(png))
        #expect(first.source.contains("X-A:1\r\nNOTE:x\r\n"))
        let second = first.settingPhoto(jpeg, at: nil)
        #expect(second.photo == .picture(jpeg))
        #expect(second.all(.photo).count == 1)
        #expect(second.settingPhoto(nil, at: nil) == plain)
        for other in VCardVersion.allCases { #expect(first.converted(to: other).photo == .picture(png), "\(other)") }
    }

    @Test func `image types are detected by their first bytes`() {
        #expect(PictureType(sniffing: Array("GIF89a".utf8)) == .gif)
        #expect(PictureType(sniffing: Array("RIFF1234WEBPVP8".utf8)) == .webp)
        #expect(PictureType(sniffing: Array("BM....".utf8)) == .bmp)
        #expect(PictureType(sniffing: Array("<svg>".utf8)) == nil)
        #expect(PictureType(sniffing: []) == nil)
    }
}
