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
