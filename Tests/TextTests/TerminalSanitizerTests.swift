import TestSupport
import Testing
import Text

@Suite struct TerminalSanitizerTests {
    @Test(arguments: [
        ("Ada", "Ada"), ("Łukasz 日本 👍🏽", "Łukasz 日本 👍🏽"), ("a\nb\tc\r\nd", "a b c  d"), ("\u{1B}[31mred", "\\e[31mred"),
        ("\u{7}\u{8}\u{0}", "\\u{7}\\u{8}\\u{0}"), ("\u{9B}31m", "\\u{9B}31m"), ("\u{7F}", "\\u{7F}"),
        ("abc\u{202E}fed", "abc\\u{202E}fed"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
        ("\u{1B}]0;title\u{7}", "\\e]0;title\\u{7}"), ("line\u{2028}two", "line\\u{2028}two"),
    ])
    func `what could fool a terminal is shown as an escape`(text: String, shown: String) {
        #expect(TerminalSanitizer.line(text) == shown)
    }

    @Test func `a block keeps its line ends and tabs`() {
        #expect(TerminalSanitizer.block("a\n\tb\u{1B}[2J") == "a\n\tb\\e[2J")
    }

    @Test func `each scalar that could fool a terminal is escaped, and no other one`() {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x3000, 0xFE00...0xFFFF, 0xE0000...0xE0200, 0xEFF00...0xF0000, 0x10FE00...0x10FFFF,
        ]
        var wrong: [UInt32] = []
        for value in ranges.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in [scalarText([value]), scalarText([0x61, value, 0x62]), scalarText([0x25A0, value])] {
                if (TerminalSanitizer.line(text) != text) != TerminalSanitizer.isHarmful(scalar) { wrong.append(value) }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10).map { String($0, radix: 16) })")
    }

    @Test(.seeded) func `random text never holds a control character afterwards`() {
        var generator = SeededGenerator()
        for _ in 0..<5000 {
            var text = ""
            for _ in 0..<12 {
                let value = UInt32.random(
                    in: 0...(Bool.random(using: &generator) ? 0x2070 : 0x10FFFF), using: &generator)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            let shown = TerminalSanitizer.line(text).unicodeScalars
            let isSafe = shown.allSatisfy { $0.properties.generalCategory != .control && !$0.properties.isBidiControl }
            #expect(isSafe)
        }
    }
}
