import ContactsDomain
import Testing

struct LineFoldingTests {
    @Test func `a character of four bytes is never cut, wherever it falls`() {
        for position in 0..<160 {
            let note = String(repeating: "a", count: position) + "😀" + String(repeating: "b", count: 160)
            var details = ContactDetails()
            (details.formattedName, details.note) = ("A", note)
            let card = Card(details, at: nil)
            #expect(card.details.note == note)
            #expect(card.lines.allSatisfy { $0.utf8.count <= 75 })
            #expect(String(validating: card.bytes, as: UTF8.self) != nil)
            #expect(card.lines.allSatisfy { !$0.contains("\u{FFFD}") })
        }
    }

    @Test func `an escape is never cut from its letter`() {
        for position in 50..<90 {
            let note = String(repeating: "a", count: position) + "\\\\\n,;" + String(repeating: "b", count: 90)
            var details = ContactDetails()
            (details.formattedName, details.note) = ("A", note)
            let card = Card(details, at: nil)
            #expect(card.details.note == note)
            for line in card.lines { #expect(line.reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)) }
        }
    }

    @Test func `a group is one group wherever its name is folded`() {
        let phones = [
            card("FN:A", "item1.TEL:1", "item1.X-ABLabel:Boat"),
            card("FN:A", "it", " em1.TEL:1", "ite", " m1.X-ABLabel:Boat"),
            card("FN:A", "item1", " .TEL:1", "item1.X-ABLabel:Boat"),
        ]
        for card in phones { #expect(card.details.phones == [LabeledValue("1", label: "Boat")]) }
        #expect(Set(phones.map(\.contentHash)).count == 1)
        #expect(Set(phones.map { $0.converted(to: .v4).bytes }).count == 1)
    }

    @Test(arguments: VCardVersion.allCases)
    func `a property is read wherever the line is folded before its value`(version: VCardVersion) {
        let lines =
            version == .v2
            ? ["FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=C3=AB", "TEL;WORK:1"]
            : ["FN:Zoë", "item1.TEL;TYPE=work:1"]
        let plain = card(lines[0], lines[1], version: version.rawValue)
        #expect(plain.details.formattedName == "Zoë" && plain.details.phones == [LabeledValue("1", label: "work")])
        for (number, line) in lines.enumerated() {
            for place in 1..<line.prefix(while: { $0 != ":" }).count {
                var folded = lines
                folded[number] = "\(line.prefix(place))\r\n \(line.dropFirst(place))"
                let card = card(folded[0], folded[1], version: version.rawValue)
                #expect(card.details == plain.details && card.contentHash == plain.contentHash, "\(folded[number])")
            }
        }
    }

    @Test func `a version is known on a continuation line`() {
        #expect(Card("BEGIN:VCARD\r\nVER\r\n SION:\r\n 4.0\r\nFN:A\r\nEND:VCARD\r\n").version == .v4)
    }

    @Test func `no folded line begins with a colon`() {
        let url = String(repeating: ":", count: 60) + "x" + String(repeating: ":a", count: 100)
        var details = ContactDetails()
        (details.formattedName, details.urls) = ("A", [LabeledValue(url)])
        let card = Card(details, at: nil)
        #expect(card.details.urls.map(\.value) == [url])
        #expect(card.lines.dropFirst().allSatisfy { !$0.hasPrefix(" :") })
    }

    @Test(arguments: [":", "::\u{301}", ":\\", "\u{301}"])
    func `a value with hardly a place to cut keeps its name and its characters`(part: String) {
        for position in 0..<4 {
            let note = String(repeating: "a", count: position) + String(repeating: part, count: 120)
            for version in VCardVersion.allCases {
                var details = ContactDetails()
                (details.formattedName, details.note) = ("A", note)
                let card = Card(details, version: version, at: nil)
                #expect(card.details.note == note)
                #expect(String(validating: card.bytes, as: UTF8.self) != nil)
            }
        }
    }
}
