import ContactsDomain
import Testing

struct CardConversionTests {
    /// The details without what a version cannot say or says in other words.
    private func comparable(_ card: Card) -> ContactDetails {
        var details = card.details
        details.others = []
        return details
    }

    @Test(arguments: Samples.all.map(\.name))
    func `every card means the same in 3 and 4`(name: String) {
        for card in Samples.cards(name) {
            let three = card.converted(to: .v3)
            let four = three.converted(to: .v4)
            let back = four.converted(to: .v3)
            #expect(four.version == .v4)
            #expect(comparable(three) == comparable(four))
            #expect(comparable(three) == comparable(back))
            #expect(back.converted(to: .v4) == four)
            if card.version != .v4 { #expect(comparable(card) == comparable(three)) }
        }
    }

    @Test(arguments: Samples.all.map(\.name))
    func `every card can be written as 2`(name: String) {
        for card in Samples.cards(name) {
            let old = card.converted(to: .v2)
            #expect(old.lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
            #expect(old.details.phones == card.details.phones)
            #expect(old.details.name == card.details.name)
            #expect(old.details.note == card.details.note)
        }
    }

    @Test(arguments: [
        ("TEL;TYPE=home,pref:1", "TEL;TYPE=home;PREF=1:1"),
        ("PHOTO;ENCODING=b;TYPE=JPEG:AAAA", "PHOTO:data:image/jpeg;base64,AAAA"),
        ("PHOTO;VALUE=uri:http://example.org/a.png", "PHOTO:http://example.org/a.png"),
        ("KEY;ENCODING=b;TYPE=PGP:AAAA", "KEY:data:application/pgp-keys;base64,AAAA"),
        ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15", "BDAY:--0415"), ("BDAY:1985-04-15", "BDAY:19850415"),
        ("X-ANNIVERSARY:2000-01-02", "ANNIVERSARY:20000102"), ("X-ABShowAs:COMPANY", "KIND:org"),
        ("X-ADDRESSBOOKSERVER-KIND:group", "KIND:group"),
        ("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1", "MEMBER:urn:uuid:1"),
        ("LABEL;TYPE=home:a\\nb", "X-LABEL;TYPE=home:a\\nb"), ("CLASS:PUBLIC", "X-CLASS:PUBLIC"),
        ("X-WHO;KNOWS=1:a\\,b;c", "X-WHO;KNOWS=1:a\\,b;c"), ("item1.TEL:2", "item1.TEL:2"),
    ])
    func `3 and 4 have their own words`(three: String, four: String) {
        #expect(card(three).converted(to: .v4).lines[2] == four)
        #expect(card(four, version: "4.0").converted(to: .v3).lines[2] == three)
    }

    @Test func `a sort string becomes a parameter and comes back`() {
        let three = card("FN:A B", "N:B;A;;;", "SORT-STRING:Zed")
        let four = three.converted(to: .v4)
        #expect(four.lines.contains("N;SORT-AS=\"Zed\":B;A;;;"))
        #expect(four.converted(to: .v3).lines.contains("SORT-STRING:Zed"))
    }

    @Test func `an Android card becomes a clean one`() throws {
        let three = try #require(Samples.cards("android").first).converted(to: .v3)
        #expect(three.lines.contains("TEL;TYPE=CELL,pref:601234567"))
        #expect(three.lines.contains("NOTE:First line\\nsecond line"))
        #expect(three.lines.contains("N:Żółć;Łukasz;;;"))
        #expect(three.lines.contains { $0.hasPrefix("PHOTO;ENCODING=b;TYPE=JPEG:/9j/") })
        #expect(three.lines.contains { $0.hasPrefix("X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Luki;1;") })
    }
}
