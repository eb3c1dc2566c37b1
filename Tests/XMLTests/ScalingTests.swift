import TestSupport
import Testing
import XML

/// No document costs more than its length, sound or not.
struct ScalingTests {
    private static func read(_ document: [UInt8]) {
        guard let root = try? XMLReader.read(document) else { return }
        _ = root.trimmedText
        _ = root.children(XMLName("", "a")).map(\.trimmedText)
    }

    @Test(arguments: [
        "<a/>", "<a>text</a>", "<a b=\"c\" d=\"e\"/>", "<x:a xmlns:x=\"urn:x\"/>", "<a xmlns=\"urn:#\"/>", "<n#/>",
        "<a n#=\"\"/>", "text ", " ", "\r\n", "é", "&amp;", "&#x41;", "<!-- c -->", "<![CDATA[x]]>", "<?x y?>", "<a>",
        "</a>", "<a", "<", "&", "]]>", "<a b=\"", "<!--",
    ])
    func `a document of many parts`(part: String) {
        Scaling.expectLinear(part, size: 1333) { count in
            numbered(count, after: "<r>", before: "</r>") { part.replacing("#", with: String($0)) }
        } _: {
            Self.read($0)
        }
    }

    @Test(arguments: [" a#=\"1\"", " xmlns:a#=\"urn:a\"", " ", "&amp;", "é"])
    func `a tag of many parts`(part: String) {
        // A tag may have 32 KiB and 256 attributes; the largest here is just below.
        Scaling.expectLinear(part, size: 31) { count in
            repeated(
                String(
                    decoding: numbered(count, after: "<a", before: "/>") { part.replacing("#", with: String($0)) },
                    as: UTF8.self), 20, after: "<r>", before: "</r>")
        } _: {
            Self.read($0)
        }
    }

    @Test func `a text that comes in many pieces`() {
        Scaling.expectLinear("references", size: 2666) {
            repeated("&lt;a&gt;\n", $0, after: "<r><a>", before: "</a></r>")
        } _: {
            Self.read($0)
        }
    }

    @Test(arguments: ["a", "<", "\"", "é", "\u{1}", "\n"])
    func `writing a long text`(part: String) {
        Scaling.expectLinear(part, size: 2666) {
            String(repeating: part, count: $0)
        } _: {
            _ = XMLWriter().write(XMLElement(XMLName("", "a"), text: $0))
        }
    }
}
