import TestSupport
import Testing
import Text

struct RawTextTests {
    @Test func `bytes that are not UTF-8 survive as text, and are shown`() {
        let name = ByteString(Array("caf".utf8) + [0xE9] + Array(".vcf".utf8))
        let text = RawText.text(name)
        #expect(RawText.contains(text) && RawText.bytes(text) == name && ByteString(path: text) == name)
        #expect(TerminalSanitizer.line("cannot open \(text)") == "cannot open caf\\xE9.vcf")
        #expect(ByteString(path: "caf\u{E9}") == "caf\u{E9}")
    }

    @Test func `text is taken as it is`() {
        for text in ["", "Łódź", "\u{1F600}", "\u{10FFFF}", "\u{100000}"] {
            #expect(!RawText.contains(text) && RawText.text(ByteString(text)).hasSameBytes(as: text))
        }
    }

    @Test func `any bytes come back`() {
        var generator = SeededGenerator(seed: 31)
        let parts: [[UInt8]] = [
            Array("a".utf8), Array("é".utf8), [0xE9], [0xF0, 0x9F], [0xFF], Array("\u{10FEE9}".utf8), [0xF4, 0x8F],
            [0xBB, 0xA9], Array("\u{1F600}".utf8),
        ]
        for _ in 0..<1000 {
            let bytes = (0..<Int.random(in: 0...6, using: &generator)).flatMap { _ in
                parts.randomElement(using: &generator) ?? []
            }
            #expect(RawText.bytes(RawText.text(ByteString(bytes))).bytes == bytes)
        }
    }
}
