import TestSupport
import Testing
import XML

struct XMLReaderTests {
    private func read(_ text: String, limits: XMLLimits = XMLLimits()) throws(XMLError) -> XMLElement {
        try XMLReader.read(Array(text.utf8), limits: limits)
    }

    @Test func `names carry their namespace, whatever the prefix`() throws {
        let forms = [
            #"<D:a xmlns:D="DAV:"><D:b c="1">x</D:b></D:a>"#, #"<a xmlns="DAV:"><b c="1">x</b></a>"#,
            #"<ns0:a xmlns:ns0="DAV:"><b xmlns="DAV:" c='1'><![CDATA[x]]></b></ns0:a>"#,
        ]
        let expected = XMLElement(
            XMLName("DAV:", "a"), [XMLElement(XMLName("DAV:", "b"), attributes: [XMLName("", "c"): "1"], text: "x")])
        for form in forms { #expect(try read(form) == expected) }
    }

    @Test func `text is joined, entities of XML are decoded, line ends become LF`() throws {
        let root = try read("<a>1&amp;2<!-- c --><b/>\r\n&#x41;&lt;&#13;</a>")
        #expect(root.text == "1&2\nA<\r")
        #expect(root.trimmedText == "1&2\nA<")
        #expect(root.children.count == 1)
    }

    @Test func `long text comes whole`() throws {
        let text = String(repeating: "żółć 0123456789\n", count: 100_000)
        #expect(try read("<a>\(text)</a>").text == text)
    }

    @Test func `the encoding that the document names is used`() throws {
        let bytes = Array(#"<?xml version="1.0" encoding="iso-8859-1"?><a>"#.utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try XMLReader.read(bytes).text == "é")
    }

    @Test func `a document that lays a bomb is refused at its declaration`() {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><lolz>&c;</lolz>
            """
        #expect(throws: XMLError.documentTypeRefused) { try read(bomb) }
    }

    @Test(arguments: [
        #"<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>"#, #"<!DOCTYPE a PUBLIC "x" "http://127.0.0.1:9/x.dtd"><a/>"#,
        #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>"#, "<!DOCTYPE a><a/>",
        #"<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]><a/>"#,
    ])
    func `nothing outside is read`(document: String) {
        #expect(throws: XMLError.documentTypeRefused) { try read(document) }
    }

    @Test func `deep nesting, many elements and large documents have limits`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        _ = try read(nested(64))
        #expect(throws: XMLError.tooDeep(limit: 64)) { try read(nested(65)) }
        #expect(throws: XMLError.tooDeep(limit: 64)) { try read(String(repeating: "<a>", count: 1_000_000)) }
        let many = "<a>" + String(repeating: "<b/>", count: 100) + "</a>"
        #expect(throws: XMLError.tooManyElements(limit: 100)) { try read(many, limits: XMLLimits(elements: 100)) }
        #expect(try read(many, limits: XMLLimits(elements: 101)).children.count == 100)
        let marked = "<a>" + String(repeating: "<b c='1' d='2'/>", count: 50) + "</a>"
        #expect(throws: XMLError.tooManyAttributes(limit: 99)) { try read(marked, limits: XMLLimits(attributes: 99)) }
        #expect(try read(marked, limits: XMLLimits(attributes: 100)).children.count == 50)
        #expect(throws: XMLError.tooLarge(limit: 10)) { try read(many, limits: XMLLimits(bytes: 10)) }
    }

    @Test func `a tag that never ends is refused early`() {
        let attributes = (0..<200_000).map { " a\($0)=''" }.joined()
        #expect(throws: XMLError.markupTooLong) { try read("<a\(attributes)/>") }
        #expect(throws: XMLError.markupTooLong) { try read("<a>" + "<!--" + String(repeating: "x", count: 1 << 20)) }
        let some = (0..<300).map { " a\($0)=''" }.joined()
        #expect(throws: XMLError.markupTooLong) { try read("<a\(some)/>") }
    }

    @Test(arguments: [
        "", "   ", "text", "<a>", "<a></b>", "<a/><b/>", "<a><b></a></b>", "<a b=1/>", "<a b='1' b='2'/>", "<a>&x;</a>",
        "<p:a/>", "<a p:b=''/>", "<a>\u{1}</a>", "<a>&#1;</a>", "<a", "<?xml version='1.0'?>", "<a>]]></a>",
        "<a>&nbsp;</a>", "<a>\u{0}</a>",
    ])
    func `what is not well-formed is an error`(document: String) {
        let error = #expect(throws: XMLError.self) { try read(document) }
        guard case .malformed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `broken UTF-8 is an error that names its line`() {
        let bytes = Array("<a>\n\n".utf8) + [0xC3, 0x28] + Array("</a>".utf8)
        let error = #expect(throws: XMLError.self) { try XMLReader.read(bytes) }
        guard case .malformed(line: 3, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `any bytes give an element or an error`() {
        var random = SeededGenerator(seed: 5)
        let seed = Array(
            #"<?xml version="1.0"?><D:m xmlns:D="DAV:"><D:r a="&lt;">t&amp;<![CDATA[x]]></D:r></D:m>"#.utf8)
        for _ in 0..<3000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                }
            }
            // A change may leave the document sound; what counts is that there is an end to it.
            if let root = try? XMLReader.read(bytes) { #expect(root.name.local.utf8.count <= bytes.count) }
        }
    }
}
