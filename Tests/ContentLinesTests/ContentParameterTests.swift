import ContentLines
import TestSupport
import Testing

struct ContentParameterTests {
    @Test(arguments: [
        ("", []), (";TYPE=work", ["TYPE|work"]), (";HOME;PREF=1", ["|HOME", "PREF|1"]),
        (";A=\"b;c\";D=e=f", ["A|\"b;c\"", "D|e=f"]), (";", ["|"]), (";;A=", ["|", "A|"]), (";=x", ["|=x"]),
        (";A=\"b;c", ["A|\"b;c"]), (";a=\u{301};\u{301}b", ["a|\u{301}", "|\u{301}b"]),
    ])
    func `parameters are parted by semicolons outside quotes`(text: String, expected: [String]) {
        let found = ContentParameter.list(text).map { Array("\($0.name)|\($0.written)".utf8) }
        #expect(found == expected.map { Array($0.utf8) })
    }

    @Test func `joined parameters are the text that they were read from`() {
        var random = SeededGenerator(seed: 4)
        let alphabet = Array("ab;=,\"^n' :\u{301}ł").map(String.init) + ["\u{301}", "\r\n"]
        for _ in 0..<3000 {
            let text =
                ";"
                + (0..<Int.random(in: 0...20, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
                .joined()
            #expect(Array(ContentParameter.list(text).map(\.text).joined().utf8) == Array(text.utf8))
        }
    }

    @Test func `a value is read as it was given`() {
        var random = SeededGenerator(seed: 5)
        let alphabet = Array("abn'^;:,= \tł😀").map(String.init) + ["\u{301}"]
        for _ in 0..<3000 {
            let value = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? ""
            }
            .joined()
            let line = Array("X\(ContentParameter("P", value).text):y".utf8)
            let header = ContentLineHeader(at: 0, of: line.span)
            #expect(header.colon == line.count - 2)
            let read = ContentParameter.list(String(decoding: line[1..<(line.count - 2)], as: UTF8.self))
            #expect(read.map(\.name) == ["P"])
            #expect(read.first.map { Array($0.value.utf8) } == Array(value.utf8))
        }
    }

    @Test(arguments: [("a\"b", "a'b"), ("a\"\u{301}", "a'\u{301}"), ("a\r\nb\u{7}", "a  b "), ("a\tb", "a\tb")])
    func `what no value can hold is replaced`(value: String, read: String) {
        #expect(Array(ContentParameter("P", value).value.utf8) == Array(read.utf8))
    }

    @Test(arguments: [
        ("a^nb", "a\nb"), ("^^n", "^n"), ("^'a^'", "\"a\""), ("a^", "a^"), ("^x^^^", "^x^^"), ("", ""),
        ("^n\u{301}", "\n\u{301}"), ("\"a,b\",\"c\"", "a,b,c"),
    ])
    func `carets stand for characters that no value can hold`(written: String, value: String) {
        #expect(Array(ContentParameter("P", written: written).value.utf8) == Array(value.utf8))
    }

    @Test func `escaped text is the same when it is decoded`() {
        var random = SeededGenerator(seed: 6)
        let alphabet = ["^", "n", "'", "\"", "\n", "a", "\u{301}", "ł"]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? ""
            }
            .joined()
            let escaped = ContentParameter.escaped(text)
            #expect(Array(ContentParameter.unescaped(escaped).utf8) == Array(text.utf8))
            #expect(!escaped.utf8.contains { $0 == 0x0A || $0 == 0x22 })
        }
    }
}
