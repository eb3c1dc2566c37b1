import ContactsDomain
import TestSupport
import Testing

struct RandomBookTests {
    /// A complete entry after the changed part, for each format.
    private static func sentinel(_ name: String) -> [UInt8] {
        switch name {
        case "google": row("Sentinel,,,,,,,,,,,,,,,,,,s@example.org", columns: 42)
        case "google-old": row("Sentinel,Sentinel", columns: 54)
        case "outlook": row(",Sentinel", columns: 39)
        case "thunderbird": row("Sentinel", columns: 38)
        case "abook": Array("\n[99]\nname=Sentinel\n".utf8)
        case "jcard":
            Array(",\n[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"Sentinel\"]]]\n]\n".utf8)
        default: Array("\n\ndn: cn=Sentinel\ncn: Sentinel\n".utf8)
        }
    }

    private static func row(_ cells: String, columns: Int) -> [UInt8] {
        let missing = columns - cells.split(separator: ",", omittingEmptySubsequences: false).count
        return Array("\r\n\(cells)\(String(repeating: ",", count: missing))\r\n".utf8)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `changed bytes never crash and never swallow the next entry`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for (name, original, format) in Books.all {
            var bytes = original
            // The header of a table has to stay, or all of it means something else.
            let start = format == .csv ? (bytes.firstIndex(of: 0x0A) ?? 0) + 1 : 0
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: start..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 1...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: [0x22, 0x0D, 0x0A], at: place)
                default:
                    let marks: [UInt8] = [0x22, 0x2C, 0x3A, 0x3B, 0x5B, 0x5D, 0x5C, 0x0A, 0x20]
                    bytes.insert(marks.randomElement(using: &random) ?? 0, at: place)
                }
            }
            if bytes.starts(with: [0xFE]) || bytes.starts(with: [0xFF]) { continue }
            let reading = read(bytes + RandomBookTests.sentinel(name), as: format)
            #expect(reading.names.last == "Sentinel", "seed \(seed), \(name)")
            for card in reading.cards {
                #expect(card.updated(to: card.details, at: nil).card == card, "seed \(seed), \(name)")
                #expect(card.first(.end) == card.properties.count - 1, "seed \(seed), \(name)")
                _ = try jCard(card)
                _ = table([card])
                _ = calendar([card])
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `any bytes may be taken for any format`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "[\"vcard\",[", "]", "{}", "\"", "\\u00", "dn: ", "dn:: ", "cn", ":: ", "\n ", "\n", "\r", "=", "[1]",
            "name=",
            "First Name,Labels", ",", "\"\"", "version: 1", "\u{0}", "ü", "=?UTF-8?Q?=C3?=", "<a@b>", "(", ";",
        ]
        for _ in 0..<40 {
            let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            for format in [nil] + ImportFormat.allCases.map(Optional.some) { _ = read(text, as: format) }
            _ = MailHeader(Array("From: \(text)".utf8)).people(in: ["from"])
        }
    }

    @Test func `a file of nothing but open quotes is given up in time`() {
        let rows = String(repeating: "\"open,x\n", count: 20_000)
        let reading = read("First Name,Labels\n" + rows + "Sentinel,\n")
        #expect(reading.names == ["Sentinel"])
        #expect(reading.problems.count == 20_000)
    }
}
