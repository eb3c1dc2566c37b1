import Testing
import TextDecoding

struct TextDecodingTests {
    @Test(
        arguments: [
            ("caf\u{E9}", [0x63, 0x61, 0x66, 0xE9]), ("café", Array("café".utf8)),
            ("“x” €", [0x93, 0x78, 0x94, 0x20, 0x80]), ("ab", [0xEF, 0xBB, 0xBF, 0x61, 0x62]),
            ("aé", [0xFF, 0xFE, 0x61, 0, 0xE9, 0]), ("aé", [0xFE, 0xFF, 0, 0x61, 0, 0xE9]), ("", []),
        ] as [(String, [UInt8])])
    func `the bytes of a file tell their character set`(text: String, bytes: [UInt8]) {
        #expect(TextDecoding.decode(file: bytes) == text)
    }

    @Test func `of control characters only line ends and tabs are left`() {
        #expect(TextDecoding.withoutControls("a\r\nb\rc\td\u{0}\u{7F}e\n\r") == "a\nb\nc\tde\n\n")
    }

    @Test(arguments: [0x0A, 0x0D] as [UInt8]) func `a line ends at its first CR or LF, wherever that is`(byte: UInt8) {
        let others: [UInt8] = [0x09, 0x0B, 0x0C, 0x0E, 0x00, 0x8A, 0x8D, 0xFF]
        for length in 0..<24 {
            let plain = (0..<length).map { others[$0 % others.count] }
            #expect(plain.span.endOfLine(from: length / 2) == length)
            for end in 0..<length {
                var bytes = plain
                bytes[end] = byte
                bytes[length - 1] = byte
                for start in 0...end { #expect(bytes.span.endOfLine(from: start) == end) }
            }
        }
    }

    @Test(arguments: 1...7) func `UTF-16 in pieces reads as in one`(length: Int) {
        let text = "aé€😀\n"
        let bytes: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { unit in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        var transcoder = UTF16Transcoder()
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            transcoder.feed(Array(bytes[start..<min(start + length, bytes.count)]), to: &output)
        }
        transcoder.finish(&output)
        #expect(String(decoding: output, as: UTF8.self) == text)
    }
}
