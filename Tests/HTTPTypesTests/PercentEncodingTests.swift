import HTTPTypes
import TestSupport
import Testing

struct PercentEncodingTests {
    @Test(arguments: [
        ("a%20b", false, "a b"), ("a+b", false, "a+b"), ("a+b", true, "a b"), ("%C5%81", false, "Ł"), ("", false, ""),
        ("%2f%2F", false, "//"), ("%", false, nil), ("%4", false, nil), ("%g0", false, nil), ("%00", false, nil),
        ("%C5", false, nil), ("%C0%AF", false, nil),
    ])
    func `escapes are decoded or refused`(text: String, plusIsSpace: Bool, decoded: String?) {
        #expect(PercentEncoding.decode(text, plusIsSpace: plusIsSpace) == decoded)
    }

    @Test func `what was encoded decodes to itself`() {
        var generator = SeededGenerator(seed: 4820)
        for _ in 0..<2000 {
            let scalars = (0..<8).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x1FFFF, using: &generator)) }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(PercentEncoding.decode(PercentEncoding.encode(text), plusIsSpace: true) == text)
        }
    }

    /// With the separator before it a combining character is one `Character`, which must not hide an escape.
    @Test(arguments: [
        ("a b", "a%20b"), ("%zz%4", "%25zz%254"), ("%c5%81", "%c5%81"), ("/\u{301}?a=b&c", "/%CC%81?a=b&c"), ("", ""),
        ("[]\"", "%5B%5D%22"),
    ])
    func `what a path may not have is escaped, and escapes stay`(text: String, repaired: String) {
        #expect(PercentEncoding.repaired(text) == repaired)
        #expect(PercentEncoding.repaired(repaired) == repaired)
    }

    @Test(arguments: [
        ("/a%2fb/c", "/a%2Fb/c"), ("/%61%7E", "/a~"), ("/!", "/%21"), ("/%", "/%25"), ("/ł", "/%C5%82"),
    ])
    func `a canonical path has one form of each escape`(path: String, canonical: String) {
        #expect(PercentEncoding.canonical(path) == canonical)
        #expect(PercentEncoding.canonical(canonical) == canonical)
    }

    @Test(arguments: [("a%20b+c", "a b+c"), ("%zz%", "%zz%"), ("%C5", "\u{FFFD}"), ("%00", "\0")])
    func `lossy decoding keeps what is not an escape`(text: String, decoded: String) {
        #expect(PercentEncoding.decodeLossy(text) == decoded)
    }

    @Test(arguments: ["%", "%4", "%41", "a", "ł", "+", "/"])
    func `a text of many parts`(part: String) {
        Scaling.expectLinear(part, size: 8000) {
            String(decoding: repeated(part, $0), as: UTF8.self)
        } _: { text in
            _ = PercentEncoding.decode(text)
            _ = PercentEncoding.decodeLossy(text)
            _ = PercentEncoding.repaired(text)
            _ = PercentEncoding.canonical(text)
            _ = PercentEncoding.encode(text)
        }
    }
}
