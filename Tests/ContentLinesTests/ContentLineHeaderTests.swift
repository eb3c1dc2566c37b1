import ContentLines
import TestSupport
import Testing

struct ContentLineHeaderTests {
    private func parts(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        let header = ContentLineHeader(at: 0, of: bytes.span)
        func part(_ range: Range<Int>) -> String {
            String(decoding: bytes.span.unfolded(range), as: UTF8.self)
        }
        guard let colon = header.colon else { return [part(0..<header.end)] }
        let nameStart = header.groupLength > 0 ? header.groupLength + 1 : 0
        return [
            part(0..<header.groupLength), part(nameStart..<header.nameEnd), part(header.nameEnd..<colon),
            part((colon + 1)..<bytes.span.endOfFoldedLine(from: colon + 1).end),
        ]
    }

    @Test(arguments: [
        ("TEL:1", ["", "TEL", "", "1"]),
        ("item1.TEL;TYPE=work:1:2", ["item1", "TEL", ";TYPE=work", "1:2"]),
        ("X;A=\"b:c;d\":e", ["", "X", ";A=\"b:c;d\"", "e"]),
        ("X;A=b.c:d", ["", "X", ";A=b.c", "d"]),
        ("X\";A=b:c", ["", "X\"", ";A=b", "c"]),
        (":value", ["", "", "", "value"]),
        ("a.:b", ["a", "", "", "b"]),
        ("no colon", ["no colon"]),
        ("no colon\nX:1", ["no colon"]),
        ("", [""]),
        ("\n X:1", [""]),
        ("SUM\r\n MARY;A\n =b:c\r\n d\r\nX:1", ["", "SUMMARY", ";A=b", "cd"]),
        ("A\r\r\n B:c\r\r\nX:1", ["", "AB", "", "c"]),
        // A separator with a combining mark is a separator all the same.
        ("A;\u{301}B=\u{301}c:\u{301}d", ["", "A", ";\u{301}B=\u{301}c", "\u{301}d"]),
        ("A;B=\"\u{301};\"\u{301}:c", ["", "A", ";B=\"\u{301};\"\u{301}", "c"]),
    ])
    func `the parts of a line`(text: String, expected: [String]) {
        #expect(parts(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test func `a quote that is not closed ends at the first colon`() {
        let bytes = Array("X;A=\"b;c:d:e\nY:1".utf8)
        let header = ContentLineHeader(at: 0, of: bytes.span)
        #expect(header.hasOpenQuote)
        #expect(header.colon == 8)
        #expect(header.nameEnd == 1)
        let noColon = Array("X;A=\"b".utf8)
        #expect(ContentLineHeader(at: 0, of: noColon.span).colon == nil)
        #expect(!ContentLineHeader(at: 0, of: noColon.span).hasOpenQuote)
    }

    @Test func `a line is read alike wherever it is folded, and from wherever it begins`() {
        let line = Array("item1.X-NAME;A=\"b:c\";D=e:value".utf8)
        let plain = parts(String(decoding: line, as: UTF8.self))
        for place in 1..<line.count {
            for fold in ["\r\n ", "\n\t", "\r ", "\r\r\n "] {
                let folded = line[..<place] + Array(fold.utf8) + line[place...]
                let header = ContentLineHeader(at: 0, of: Array(folded).span)
                #expect(header.isFolded == (place <= 24), "\(place)")
                // A fold inside of a group's dot moves the dot; the parts are the same.
                #expect(parts(String(decoding: folded, as: UTF8.self)) == plain, "\(place)")
            }
            let shifted = [UInt8](repeating: 0x3A, count: place) + line
            let header = ContentLineHeader(at: place, of: shifted.span)
            #expect(
                (header.start, header.groupLength, header.nameEnd, header.colon) == (place, 5, place + 12, place + 24))
        }
    }

    @Test func `any bytes have a header inside of their first line`() {
        var random = SeededGenerator(seed: 3)
        let alphabet = Array("ab;:.=\"\r\n \t\\^".utf8) + [0xCC, 0x81, 0xFF, 0]
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let header = ContentLineHeader(at: 0, of: bytes.span)
            #expect(0...bytes.count ~= header.end)
            #expect(header.groupLength <= header.nameEnd && header.nameEnd <= header.end)
            #expect(header.end <= max(0, bytes.span.endOfFoldedLine(from: 0).end))
            if let colon = header.colon { #expect(colon == header.end && bytes[colon] == UInt8(ascii: ":")) }
        }
    }

    @Test(arguments: [";a=b", ";a=\"b:c\"", ".", "a", "\n a", ":", ";a=\":", "é"])
    func `a header of many parts`(part: String) {
        Scaling.expectLinear(part, size: 8000) {
            repeated(part, $0, after: "X")
        } _: { bytes in
            let header = ContentLineHeader(at: 0, of: bytes.span)
            _ = ContentParameter.list(String(decoding: bytes[header.nameEnd..<header.end], as: UTF8.self))
        }
    }
}
