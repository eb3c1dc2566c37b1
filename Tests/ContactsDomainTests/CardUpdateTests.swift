import ContactsDomain
import Testing
import Text

struct CardUpdateTests {
    private let time: Int64 = 1_795_166_520_000

    @Test(arguments: Samples.all.map(\.name))
    func `an edit changes its own line and REV and no other byte`(name: String) throws {
        for card in Samples.cards(name) {
            var details = card.details
            details.title = "A new title, with; signs"
            let update = card.updated(to: details, at: time)
            #expect(update.card.details.title == details.title)
            let kept = card.properties.filter { $0.kind != .title && $0.kind != .revision }.map { card.bytes[$0.line] }
            let found = update.card.properties.filter { $0.kind != .title && $0.kind != .revision }
                .map { update.card.bytes[$0.line] }
            #expect(kept == found)
            #expect(update.card.properties.contains { $0.kind == .revision })
        }
    }

    @Test func `nothing changed is the same card`() {
        for card in Samples.everyCard {
            let update = card.updated(to: card.details, at: time)
            #expect(update.card == card)
            #expect(update.changes.isEmpty)
        }
    }

    @Test func `a changed birthday is reported with the number of untouched properties`() throws {
        let card = try #require(Samples.cards("moment").last)
        var details = card.details
        details.birthday = PartialDate(year: 1985, month: 3, day: 31).map(ContactDate.date)
        let update = card.updated(to: details, at: time)
        #expect(update.changes.map(\.description) == ["birthday 1985-03-31"])
        #expect(update.untouched == 8)
        #expect(update.card.lines.contains("BDAY:1985-03-31"))
        #expect(update.card.lines.contains("REV:20261120T092200Z"))
    }

    @Test func `a changed number keeps its parameters and place`() {
        let card = card("TEL;X-SLOT=1;TYPE=cell,voice;TYPE=pref:1", "TEL:2", "NOTE:n", lineEnd: "\n")
        var details = card.details
        details.phones[0].value = "+48 3"
        #expect(
            card.updated(to: details, at: nil).card.source
                == "BEGIN:VCARD\nVERSION:3.0\nTEL;X-SLOT=1;TYPE=cell,voice;TYPE=pref:+48 3\nTEL:2\nNOTE:n\nEND:VCARD\n")
    }

    @Test(arguments: [
        ("3.0", "TEL;TYPE=HOME,VOICE:1", "work fax", "TEL;TYPE=WORK,FAX,VOICE:1"),
        ("2.1", "TEL;HOME;VOICE:1", "mobile", "TEL;VOICE;CELL:1"), ("4.0", "TEL:1", "mobile", "TEL;TYPE=cell:1"),
        ("3.0", "TEL;TYPE=HOME;PREF=1:1", "", "TEL;PREF=1:1"),
    ])
    func `another kind changes only the words for it`(version: String, line: String, label: String, expected: String) {
        let card = card(line, version: version)
        var details = card.details
        details.phones[0].label = label
        #expect(card.updated(to: details, at: nil).card.lines[2] == expected)
    }

    @Test func `a kind in people's own words takes a group, and leaves it again`() {
        let plain = card("item1.EMAIL:a@b.c", "item1.X-ABLabel:x", "TEL;TYPE=CELL:1", "FN:A")
        var details = plain.details
        details.phones[0].label = "Boat house"
        let labeled = plain.updated(to: details, at: nil).card
        #expect(labeled.lines[4...5] == ["item2.TEL:1", "item2.X-ABLabel:Boat house"])
        details.phones[0].label = "mobile"
        #expect(labeled.updated(to: details, at: nil).card.lines[4...5] == ["item2.TEL;TYPE=CELL:1", "FN:A"])
        details.phones = []
        details.emails = []
        #expect(
            labeled.updated(to: details, at: nil).card.lines == ["BEGIN:VCARD", "VERSION:3.0", "FN:A", "END:VCARD"])
    }

    @Test func `a new value comes after the others of its kind`() {
        let card = card("TEL:1", "item1.TEL:2", "item1.X-ABLabel:x", "NOTE:n", "FN:A")
        var details = card.details
        details.phones.append(LabeledValue("3", label: "mobile"))
        details.urls.append(LabeledValue("https://example.org/a,b;c"))
        #expect(
            card.updated(to: details, at: nil).card.lines.dropFirst(2) == [
                "TEL:1", "item1.TEL:2", "item1.X-ABLabel:x", "TEL;TYPE=CELL:3", "NOTE:n", "FN:A",
                "URL:https://example.org/a,b;c", "END:VCARD",
            ])
    }

    @Test func `components that stay keep their bytes`() {
        let card = card("N:Old;Robert;James,Lee;;;second;third", "ADR:;;Street 1;Town;;1;X;more")
        var details = card.details
        details.name.family = "New, Name"
        details.addresses[0].locality = "City"
        let lines = card.updated(to: details, at: nil).card.lines
        #expect(lines[2] == "N:New\\, Name;Robert;James,Lee;;;second;third")
        #expect(lines[3] == "ADR:;;Street 1;City;;1;X;more")
    }

    @Test func `tags change in place`() {
        let card = card("CATEGORIES:a,b", "CATEGORIES:c")
        var details = card.details
        details.tags = ["b", "c", "d,e"]
        #expect(card.updated(to: details, at: nil).card.lines[2...3] == ["CATEGORIES:b", "CATEGORIES:c,d\\,e"])
        details.tags = ["a", "b"]
        #expect(card.updated(to: details, at: nil).card.lines[2...3] == ["CATEGORIES:a,b", "END:VCARD"])
    }

    @Test func `an old card is written by its own rules`() throws {
        let card = card("N;CHARSET=Windows-1252:x", "NOTE:y", version: "2.1")
        var details = card.details
        details.name.given = "Łukasz; a"
        details.note = "one\ntwo"
        let new = card.updated(to: details, at: nil).card
        #expect(new.lines[2] == "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:x;=C5=81ukasz=3B a;;;")
        #expect(new.lines[3] == "NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo")
        #expect(new.details == details)
    }

    @Test(arguments: [
        ("2.1", "BDAY:--04-15"), ("3.0", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15"), ("4.0", "BDAY:--0415"),
    ])
    func `a birthday without a year is written as each version can`(version: String, line: String) {
        let card = card("FN:a", "BDAY;VALUE=date:1985-01-01", version: version)
        var details = card.details
        details.birthday = PartialDate(month: 4, day: 15).map(ContactDate.date)
        let new = card.updated(to: details, at: nil).card
        #expect(new.lines[3] == line)
        #expect(new.details.birthday == details.birthday)
        details.birthday = .text("circa 1800, spring")
        #expect(new.updated(to: details, at: nil).card.details.birthday == details.birthday)
        details.birthday = nil
        #expect(new.updated(to: details, at: nil).card.first(.birthday) == nil)
    }

    @Test(arguments: VCardVersion.allCases)
    func `a new card holds what it was made of`(version: VCardVersion) throws {
        var details = ContactDetails()
        details.uid = "urn:uuid:1"
        details.setName("Dr. Łukasz van der Berg")
        details.nicknames = ["Luki", "a,b"]
        details.phones = [LabeledValue("+48 601 234 567", label: "mobile"), LabeledValue("1;2,3", label: "work fax")]
        details.emails = [LabeledValue("a@example.org", label: "home"), LabeledValue("b@example.org", label: "Boat")]
        var address = PostalAddress()
        (address.label, address.street, address.locality) = ("home", "Długa 1; m. 2\nHinterhaus", "Gdańsk")
        details.addresses = [address]
        details.organization = ["Müller & Söhne", "R\\D; x"]
        details.title = "Boss"
        details.birthday = PartialDate(year: 1985, month: 2, day: 28).map(ContactDate.date)
        details.anniversary = PartialDate(month: 2, day: 29).map(ContactDate.date)
        details.urls = [LabeledValue("https://example.org/?a=1;b=2,3")]
        details.messengers = [LabeledValue("xmpp:a@example.org")]
        details.note = "First, line;\n\n  back\\slash 😀 " + String(repeating: "Żółć ", count: 50)
        details.tags = ["friends", "a,b"]
        let card = Card(details, version: version, at: time)
        #expect(card.details == details)
        #expect(card.lines.allSatisfy { $0.utf8.count <= 77 })
        #expect(card.lines[1] == "VERSION:\(version.rawValue)")
    }

    @Test func `a new line does not become a part of a value that ends with a soft break`() {
        let card = Card(
            "BEGIN:VCARD\r\nVERSION:2.1\r\nFN:A\r\nNOTE;ENCODING=QUOTED-PRINTABLE:cut off=\r\nEND:VCARD\r\n")
        var details = card.details
        details.title = "Dr"
        let changed = card.updated(to: details, at: nil).card
        #expect(changed.details.title == "Dr")
        #expect(changed.details.note == card.details.note)
    }

    @Test func `messengers with fields of their own are shown, searched and changed as such`() {
        let old = card(
            "X-ICQ;TYPE=HOME:123456", "X-JABBER:ada@jabber.example", "X-Skype-Username;X-EVOLUTION-UI-SLOT=1:ada")
        let details = old.details
        #expect(
            details.messengers == [
                LabeledValue("123456", label: "home icq"), LabeledValue("ada@jabber.example", label: "jabber"),
                LabeledValue("ada", label: "skype"),
            ])
        #expect(details.others.isEmpty && SearchText(details).email.contains("jabber.example"))
        var new = details
        new.messengers[0].value = "654321"
        new.messengers.remove(at: 1)
        let updated = old.updated(to: new, at: nil).card
        let written = String(decoding: updated.bytes, as: UTF8.self)
        #expect(written.contains("X-ICQ;TYPE=HOME:654321\r\n") && !written.contains("X-JABBER"))
        #expect(written.contains("X-Skype-Username;X-EVOLUTION-UI-SLOT=1:ada\r\n"))
        #expect(updated.converted(to: .v4).details.messengers == new.messengers)
    }

    @Test func `a new line does not become a part of a nested card without an end`() {
        let card = Card("BEGIN:VCARD\r\nVERSION:2.1\r\nFN:A\r\nAGENT:\r\nBEGIN:VCARD\r\nFN:B\r\n")
        var details = card.details
        details.title = "Dr"
        let changed = card.updated(to: details, at: nil).card
        #expect(changed.details.title == "Dr")
        #expect(changed.source.hasSuffix("AGENT:\r\nBEGIN:VCARD\r\nFN:B\r\n"))
    }

    @Test func `a new line after a lone CR does not swallow an empty line`() {
        let card = Card("BEGIN:VCARD\rVERSION:3.0\r\nFN:A\r\nTITLE:x\r\n\nNOTE:n\r\nEND:VCARD\r\n")
        var details = card.details
        details.title = "Dr"
        #expect(card.updated(to: details, at: nil).card.source.hasSuffix("TITLE:Dr\r\n\nNOTE:n\r\nEND:VCARD\r\n"))
    }
}
