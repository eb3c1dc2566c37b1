import TestSupport
import Testing
import XML

struct XMLWriterTests {
    @Test func `namespaces are declared once, with the prefixes that were given`() {
        let dav = XMLElement(
            XMLName("DAV:", "propfind"), [XMLElement(XMLName("DAV:", "prop"), [XMLElement(XMLName("urn:x", "y"))])])
        let text = String(decoding: XMLWriter(prefixes: ["DAV:": "D"]).write(dav), as: UTF8.self)
        #expect(
            text == """
                <?xml version="1.0" encoding="utf-8"?>
                <D:propfind xmlns:D="DAV:" xmlns:ns2="urn:x"><D:prop><ns2:y/></D:prop></D:propfind>

                """)
    }

    @Test func `characters that XML cannot carry are replaced`() throws {
        let element = XMLElement(XMLName("", "a"), text: "1\u{0}2\u{1B}3\u{FFFE}4")
        #expect(try XMLReader.read(XMLWriter().write(element)).text == "1\u{FFFD}2\u{FFFD}3\u{FFFD}4")
    }

    @Test(arguments: 0..<300)
    func `what is written is read back equal`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let element = XMLWriterTests.element(depth: 0, &random)
        let prefixes = Bool.random(using: &random) ? ["DAV:": "D", "urn:b": "ns1"] : [:]
        let bytes = XMLWriter(prefixes: prefixes).write(element)
        #expect(try XMLReader.read(bytes) == element, "\(String(decoding: bytes, as: UTF8.self))")
    }

    private static func element(depth: Int, _ random: inout SeededGenerator) -> XMLElement {
        var element = XMLElement(name(&random), text: text(&random))
        for _ in 0..<Int.random(in: 0...3, using: &random) { element.attributes[name(&random)] = text(&random) }
        guard depth < 5 else { return element }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            element.children.append(XMLWriterTests.element(depth: depth + 1, &random))
        }
        return element
    }

    private static func name(_ random: inout SeededGenerator) -> XMLName {
        XMLName(
            ["", "DAV:", "urn:b", "http://x/?a=1&b=\"2\"", "http://www.w3.org/XML/1998/namespace"]
                .randomElement(using: &random) ?? "",
            ["a", "lang", "ärger", "x-1.2"].randomElement(using: &random) ?? "")
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let pieces = ["<", ">", "&", "\"", "'", "]]>", "\r", "\n", "\t", "\r\n", " ", "ż", "🙂", "a", "&amp;", "\u{85}"]
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
