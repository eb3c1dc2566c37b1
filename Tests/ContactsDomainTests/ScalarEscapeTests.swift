import ContactsDomain
import Testing

/// Separators that are one `Character` with a combining mark are escaped as any other: else a value would break the card.
struct ScalarEscapeTests {
    @Test(arguments: ["a;\u{301}b", "a,\u{301}b", "a\\\u{301}b", "a\"\u{301}b", "\u{600};x", "a:\u{301}b"])
    func `values and labels with combined separators are read as they were written`(text: String) {
        for version in VCardVersion.allCases {
            var details = ContactDetails()
            details.formattedName = "Ada"
            details.name.family = text
            details.organization = [text, "unit"]
            details.note = text
            details.phones = [LabeledValue("123", label: "x\(text)")]
            let card = Card(details, version: version, at: nil)
            #expect(card.details.name.family == text, "\(version)")
            #expect(card.details.organization == [text, "unit"], "\(version)")
            #expect(card.details.note == text, "\(version)")
            #expect(card.details.phones.map(\.value) == ["123"], "\(version)")
        }
    }

    @Test func `parameters with combining marks beside separators are read one by one`() {
        let line = "TEL;X-A=\u{301}b;\u{301}X-B=c;TYPE=home:"
        let card = Card("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\n\(line)123\r\nEND:VCARD\r\n")
        #expect(card.details.phones == [LabeledValue("123", label: "home")])
        var details = card.details
        details.phones = [LabeledValue("456", label: "home")]
        #expect(
            card.updated(to: details, at: nil).card.bytes.split(separator: 0x0A).contains(
                Array("\(line)456\r".utf8)[...]))
    }

    @Test func `a jCard whose start has much white space is the same in any chunks`() {
        let text = Array("[\n[\"vcard\"\(String(repeating: " ", count: 400)),\n[[\"fn\",{},\"text\",\"Ada\"]]]]".utf8)
        var whole = CardFileReader(.jcard)
        let cards = whole.feed(text) + whole.finish()
        var bytewise = CardFileReader(.jcard)
        #expect(text.flatMap { bytewise.feed([$0]) } + bytewise.finish() == cards)
        #expect(cards.count == 1)
    }
}
