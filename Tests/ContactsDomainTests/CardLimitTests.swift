import ContactsDomain
import TestSupport
import Testing

/// A card with more properties than any program writes costs itself and no other.
struct CardLimitTests {
    private static let limit = Card.maximumProperties

    private static func found(_ bytes: [UInt8], _ format: ImportFormat) -> (names: [String], problems: [InputProblem]) {
        var reader = CardFileReader(format)
        let found = reader.feed(bytes) + reader.finish()
        return (
            found.compactMap { if case .card(let raw) = $0 { Card(raw.bytes).details.displayName } else { nil } },
            found.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
        )
    }

    private static func vcard(_ name: String, _ count: Int) -> [UInt8] {
        repeated("TEL:1\r\n", count, after: "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\n", before: "END:VCARD\r\n")
    }

    @Test func `in a file of vCards`() {
        let full = Self.limit - 4
        let (names, problems) = Self.found(
            Self.vcard("Full", full) + Self.vcard("Over", full + 1) + Self.vcard("Next", 1), .vcard)
        #expect(names == ["Full", "Next"])
        #expect(problems.map(\.subject) == ["Over"])
        #expect(problems.map(\.message) == ["the card has more than 10000 properties"])
    }

    @Test func `a picture of many lines is one property`() {
        let picture = repeated(" AAAA\r\n", Self.limit * 2, after: "PHOTO;ENCODING=b:AAAA\r\n")
        let card = Array("BEGIN:VCARD\r\nFN:Ada\r\n".utf8) + picture + Array("END:VCARD\r\n".utf8)
        #expect(Self.found(card, .vcard).names == ["Ada"])
    }

    @Test func `in LDIF and jCard`() {
        let entry = repeated("telephoneNumber: 1\n", Self.limit, after: "dn: cn=Over\ncn: Over\n", before: "\n")
        let (names, problems) = Self.found(entry + Array("dn: cn=Next\ncn: Next\n".utf8), .ldif)
        #expect(names == ["Next"])
        #expect(problems.map(\.subject) == ["Over"])
        let jcard = repeated(
            "[\"tel\",{},\"text\",\"1\"],", Self.limit, after: "[[\"vcard\",[",
            before: "[\"fn\",{},\"text\",\"Over\"]]],")
        let next = Array("[\"vcard\",[[\"fn\",{},\"text\",\"Next\"]]]]".utf8)
        let json = Self.found(jcard + next, .jcard)
        #expect(json.names == ["Next"])
        #expect(json.problems.map(\.note) == ["the card has more than 10000 properties"])
    }

    @Test func `cards of a file are located by range`() {
        for (start, end) in [
            ("", "\n"), ("\u{FEFF}", "\r\n"), ("text before\n", "\n"), ("BEGIN:VCARD\nFN:cut\n", "\n"),
        ] {
            let first = "BEGIN:VCARD\(end)UID:1\(end)FN:A\(end)END:VCARD\(end)"
            let second = "begin:vcard\(end)UID:2\(end)FN:B\(end)end:vcard\(end)"
            let file = CardFile(Array((start + first + "between\(end)" + second).utf8))
            #expect(file.parts.map(\.key) == ["1", "2"])
            guard file.parts.count == 2 else { continue }
            #expect(file.replacing(file.parts[0], with: file.parts[0].bytes) == file.bytes)
            #expect(file.removing(file.parts[1]) == Array((start + first + "between\(end)").utf8))
            let changed = file.replacing(file.parts[1], with: Array("X\(end)".utf8))
            #expect(changed == Array((start + first + "between\(end)X\(end)").utf8))
        }
    }
}
