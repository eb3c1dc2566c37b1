import Collation
import Testing

struct CharsetTests {
    @Test(
        arguments: [
            ("ISO-8859-2", [0xA3, 0x75, 0x6B, 0x61, 0x73, 0x7A], "Łukasz"),
            ("Shift_JIS", [0x93, 0x63, 0x92, 0x86], "田中"), ("windows-1251", [0xC6], "Ж"),
            ("utf-8", [], ""),
        ] as [(String, [UInt8], String)])
    func `bytes are decoded by the name of their character set`(name: String, bytes: [UInt8], text: String) throws {
        #expect(try Charset.decode(bytes, as: name) == text)
    }

    @Test func `an unknown name is an error`() {
        #expect(throws: CollationError.self) { try Charset.decode([0x41], as: "no such charset") }
    }
}
