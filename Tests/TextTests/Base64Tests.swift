import TestSupport
import Testing
import Text

struct Base64Tests {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of the standard hold`(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text.utf8) == Array(plain.utf8))
    }

    @Test func `any bytes survive, also with line ends and without padding`() {
        var generator = SeededGenerator(seed: 4648)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.encode(bytes)
            #expect(Base64.decode(text.utf8) == bytes)
            let folded = text.enumerated().map { $0 % 7 == 6 ? "\($1)\r\n " : "\($1)" }.joined()
            #expect(Base64.decode(folded.utf8) == bytes)
            #expect(Base64.decode(text.utf8.filter { $0 != UInt8(ascii: "=") }) == bytes)
        }
    }

    @Test(arguments: ["Z", "Zm9vY", "Zm9=v", "Zg=", "Zg===", "Zm9v====", "Zm9*", "Zm9\u{E9}"])
    func `text that is not base64 is refused`(text: String) { #expect(Base64.decode(text.utf8) == nil) }
}
