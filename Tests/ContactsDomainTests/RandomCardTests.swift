import ContactsDomain
import TestSupport
import Testing

struct RandomCardTests {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `changed bytes never crash and never swallow the next card`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sentinel = Array("\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Sentinel\r\nEND:VCARD\r\n".utf8)
        for (name, bytes) in Samples.all where name != "apple-utf16" {
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: [0x3D, 0x0D, 0x0A], at: place)
                default:
                    bytes.insert([0x22, 0x3A, 0x3B, 0x5C, 0x0A, 0x20].randomElement(using: &random) ?? 0, at: place)
                }
            }
            // A first byte that says UTF-16 makes all of it something else.
            if bytes.starts(with: [0xFE]) || bytes.starts(with: [0xFF]) || bytes.prefix(2).contains(0) { continue }
            let cards = split(bytes + sentinel).cards.map { Card($0.bytes) }
            #expect(cards.last?.details.formattedName == "Sentinel", "seed \(seed), \(name)")
            for card in cards { exercise(card, "seed \(seed), \(name)") }
        }
    }

    /// Everything that can be done with a card.
    private func exercise(_ card: Card, _ comment: Comment) {
        let details = card.details
        #expect(card.updated(to: details, at: nil).card == card, comment)
        _ = card.problems()
        _ = card.contentHash
        var covered: [UInt8] = []
        for property in card.properties { covered += card.bytes[property.line] }
        #expect(covered == card.bytes, comment)
        var changed = details
        changed.title = "title"
        changed.phones = changed.phones.map { LabeledValue($0.value + "1", label: $0.label) }
        let update = card.updated(to: changed, at: 0).card
        #expect(update.details.title == "title", comment)
        #expect(update.details.phones.map(\.value) == changed.phones.map(\.value), comment)
        for version in VCardVersion.allCases { #expect(card.converted(to: version).version == version, comment) }
        let form = ContactForm(details, title: "x")
        #expect(ContactForm.read(form.text, editing: details).details == details, comment)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `any text survives being written and read`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("abc ,;:\\n\"^=%\n\t😀Łü日本'|<>&-")
        func text() -> String {
            String(
                (0..<Int.random(in: 1...120, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "x" }
            )
        }
        for version in VCardVersion.allCases {
            var details = ContactDetails()
            details.formattedName = "x" + text().filter { !$0.isNewline } + "x"
            details.note = "x" + text() + "x"
            details.title = "x" + text() + "x"
            details.tags = ["x" + text().filter { !$0.isNewline } + "x", "y"]
            details.name.family = "x" + text().filter { !$0.isNewline && $0 != "," } + "x"
            details.organization = ["a" + text() + "b", "c"]
            details.phones = [LabeledValue("1" + text() + "1", label: "Kind x" + text().filter(\.isLetter))]
            let card = Card(details, version: version, at: nil)
            let comment: Comment = "seed \(seed), \(version)"
            #expect(card.details.formattedName == details.formattedName, comment)
            #expect(card.details.note == details.note, comment)
            #expect(card.details.title == details.title, comment)
            #expect(card.details.tags == details.tags, comment)
            #expect(card.details.name == details.name, comment)
            #expect(card.details.organization == details.organization, comment)
            #expect(card.details.phones == details.phones, comment)
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `any text may be typed into form, search, date, number and assignment`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "name:", "phone:", "note:", "birthday:", "address:", "\n", "\r\n", " ", "  ", "\t", "#", "=", "+=", "-=",
            ".", "0",
            "31", "1985", "-", "--", "Feb", "ü", "😀", "\u{0}", "\u{301}", "\"", ";", ",", "@", "x", "日本",
            "9999999999999999",
        ]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            let reading = ContactForm.read(text, editing: ContactDetails())
            for problem in reading.problems { #expect(problem.columns.upperBound <= max(1, problem.excerpt.count)) }
            let card = Card(reading.details, at: nil)
            #expect(Card(card.details, at: nil).details == card.details, "seed \(seed)")
            _ = SearchQuery(text).substrings
            _ = PhoneNumber(text).e164
            _ = try? PartialDate(input: text)
            _ = PartialDate(card: text)
            var details = ContactDetails()
            _ = try? FieldAssignment(argument: text)?.apply(to: &details)
            _ = NameSimilarity.nearness(query: text, name: "Łukasz Nowak")
        }
    }
}
