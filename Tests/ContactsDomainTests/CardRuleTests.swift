import ContactsDomain
import Testing
import Text

/// The known breakages of vCard readers, one by one.
struct CardRuleTests {
    @Test(arguments: ["\r\n", "\n", "\r", "\r\r\n"])
    func `1 any line end, marks in any case, blanks behind them`(lineEnd: String) {
        let text = ["begin:vcard  ", "version:3.0", "fn:Ada", "end:vcard\t", ""].joined(separator: lineEnd)
        let (cards, problems) = split(Array(text.utf8))
        #expect(cards.map { Card($0.bytes).details.formattedName } == ["Ada"])
        #expect(problems.isEmpty)
    }

    @Test func `2 folds are undone before decoding`() {
        let card = Card(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:".utf8 + [0xC5, 0x0D, 0x0A, 0x20, 0x81] + "ukasz\r\nEND:VCARD\r\n".utf8)
        #expect(card.details.formattedName == "Łukasz")
    }

    @Test(arguments: ["=\r\n=62", "=\r\n =62", "= \r\nb", "=\r\n=\r\nb"])
    func `3 a soft break joins lines, indented or not`(broken: String) {
        let card = card("FN;ENCODING=QUOTED-PRINTABLE:a\(broken)c", "TITLE:x", version: "2.1")
        #expect(card.details.formattedName.filter { $0 != " " } == "abc")
        #expect(card.details.title == "x")
    }

    @Test func `3 a soft break at the end does not swallow the card's end`() {
        let (cards, _) = split(Array((card("FN;ENCODING=QUOTED-PRINTABLE:a=", version: "2.1").source).utf8))
        let card = Card(cards[0].bytes)
        #expect(card.details.formattedName == "a=")
        #expect(card.first(.end) != nil)
    }

    @Test func `4 components are split before they are decoded`() {
        let card = card("ADR;WORK;QUOTED-PRINTABLE:;;a=3Bb=0D=0Ac;Town", version: "2.1")
        #expect(card.details.addresses.first?.street == "a;b\nc")
        #expect(card.details.addresses.first?.locality == "Town")
    }

    @Test(arguments: ["ENCODING=BASE64", "ENCODING=b", "ENCODING=B", "BASE64", "ENCODING=b,b"])
    func `5 base64 ends at a blank line or a property`(encoding: String) {
        for end in ["", "TITLE:x"] {
            let card = card("PHOTO;\(encoding);JPEG:AAAA", "BBBB", " CCCC", "DD==", end, "FN:Ada", version: "2.1")
            #expect(card.details.formattedName == "Ada")
            #expect(card.properties.count { $0.kind == .photo } == 1)
            #expect(card.first(.photo).map { card.source.utf8.count > card.properties[$0].value.count } == true)
        }
    }

    @Test func `6 quotes hide colons, an open quote does not`() {
        #expect(card("EMAIL;TYPE=\"a:b\":x@y.z").details.emails.map(\.value) == ["x@y.z"])
        #expect(card("EMAIL;TYPE=\"home:x@y.z", "FN:Ada").details.emails.map(\.value) == ["x@y.z"])
        #expect(card("TEL;;TYPE=:1", "TEL;TYPE:2").details.phones.map(\.value) == ["1", "2"])
        #expect(card("EMAIL;TYPE=\"home:x@y.z").problems().map(\.code) == ["quote-open"])
    }

    @Test(arguments: [
        ("a\\:b", "a:b"), ("a\\\\n", "a\\n"), ("a\\nb\\Nc", "a\nb\nc"), ("a\\xb", "axb"), ("a\\", "a\\"),
        ("a\\,\\;b", "a,;b"),
    ])
    func `7 escapes are read in one pass`(written: String, text: String) {
        #expect(card("NOTE:\(written)").details.note == text)
    }

    @Test func `8 compounds are split at semicolons and then at commas`() {
        let details = card("N:a;b;Richter,James;;;more", "ADR;TYPE=work:;Szczecin").details
        #expect(details.name.additional == "Richter James")
        #expect(details.addresses.first?.extended == "Szczecin")
    }

    @Test(arguments: ["geo:1,2", "geo:1\\,2"])
    func `9 links are read with and without escapes`(written: String) {
        #expect(card("URL:\(written)", version: "4.0").details.urls.map(\.value) == ["geo:1,2"])
    }

    @Test func `10 a group's label belongs to its property, whatever its case`() {
        let details = card("Item1.TEL:1", "ITEM1.X-ABLABEL:Boat").details
        #expect(details.phones == [LabeledValue("1", label: "Boat")])
    }

    @Test(arguments: [1, 32, 33, 100]) func `10 each group has its own label, however many there are`(count: Int) {
        let lines = (1...count).flatMap { ["item\($0).TEL:\($0)", "ITEM\($0).X-ABLABEL:Boat \($0)"] }
        let card = Card((["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n"))
        #expect(card.details.phones == (1...count).map { LabeledValue("\($0)", label: "Boat \($0)") })
    }

    @Test(arguments: [
        "TEL;TYPE=work,fax:1", "TEL;TYPE=WORK;TYPE=FAX:1", "TEL;TYPE=\"work,fax\":1", "TEL;WORK;FAX:1",
        "TEL;type=fax,work:1",
    ])
    func `11 every form of TYPE means the same`(line: String) {
        #expect(card(line, version: line.contains("TYPE") ? "3.0" : "2.1").details.phones.map(\.label) == ["work fax"])
    }

    @Test func `11 a semicolon inside quotes does not end a parameter`() {
        let phone = card("TEL;TYPE=\"work;PREF=7\";PREF=2:1", version: "4.0")
        #expect(phone.details.phones.map(\.label) == ["work;pref=7"])
        let second = card("TEL;TYPE=home;X-NOTE=\"a;TYPE=work\":1", version: "4.0")
        #expect(second.details.phones.map(\.label) == ["home"])
        let preferred = card("TEL;PREF=1:1", "TEL;X-NOTE=\";PREF=1\":2", version: "4.0")
        #expect(preferred.details.phones.primary?.value == "1")
    }

    @Test func `12 of several preferred values the first wins`() {
        let details = card("TEL:1", "TEL;TYPE=pref:2", "TEL;TYPE=pref:3").details
        #expect(details.phones.primary?.value == "2")
    }

    @Test func `13 the syntax is decided line by line`() {
        let card = Card("BEGIN:VCARD\nN;CHARSET=UTF-8:x\nNOTE:a\\nb\nTITLE;X-A:c\\nd\nVERSION:2.1\nEND:VCARD\n")
        #expect(card.version == .v2)
        #expect(card.details.note == "a\nb")
        #expect(card.details.title == "c\\nd")
    }

    @Test func `14 a single value that repeats counts once and stays`() {
        let card = card("FN:One", "FN:Two", "UID:1", "UID:2", "BDAY:1985", "BDAY:1986")
        #expect(card.details.formattedName == "One")
        #expect(card.details.uidText == "1")
        #expect(card.updated(to: card.details, at: 0).card == card)
    }

    @Test func `15 REV may say anything`() {
        #expect(card("REV:2018-06-07-T081353Z", "FN:Ada").details.formattedName == "Ada")
    }

    @Test func `16 control characters are left out with a warning`() {
        let card = card("FN:A\u{0}d\u{7}a\tL")
        #expect(card.details.formattedName == "Ada\tL")
        #expect(card.problems().map(\.code) == ["control-character"])
    }

    @Test func `17 strange names are kept`() {
        let card = card("X-MESSAGING/XMPP-ALL:a", "X_B:c")
        #expect(card.details.others.map(\.name) == ["X-MESSAGING/XMPP-ALL", "X_B"])
    }

    @Test(arguments: [
        ("TEL:12345\\;6", "12345;6"), ("TEL:12345\\\\\\,6", "12345\\,6"),
        ("TEL;VALUE=uri:tel:+1-555;ext=5", "+1-555;ext=5"),
        ("TEL;VALUE=UNKNOWN:5", "5"),
    ])
    func `18 phone values keep their pauses`(line: String, value: String) {
        #expect(card(line).details.phones.map(\.value) == [value])
    }

    @Test func `19 escaped separators make one tag`() {
        #expect(card("CATEGORIES:a\\, b\\, c", "CATEGORIES:d,e").details.tags == ["a, b, c", "d", "e"])
    }

    @Test func `20 a street may have several lines`() {
        #expect(card("ADR:;;a\\nb;c").details.addresses.first?.street == "a\nb")
    }
}
