import HTTPTypes
import Testing

struct HTTPHeadersTests {
    @Test func `header names are compared without case`() {
        var headers: HTTPHeaders = ["Accept": "a", "ACCEPT": "b"]
        #expect(headers["accept"] == "a")
        #expect(headers.values("aCCept") == ["a", "b"])
        headers["accept"] = "c"
        #expect(headers.values("Accept") == ["c"])
        headers["ACCEPT"] = nil
        #expect(headers.fields.isEmpty)
    }

    @Test func `a field without a field before it is not lengthened`() {
        var headers = HTTPHeaders()
        headers.extendLast("a")
        #expect(headers.fields.isEmpty)
        headers.append("Set-Cookie", "a")
        headers.append("Set-Cookie", "b")
        headers.extendLast("c")
        #expect(headers.values("set-cookie") == ["a", "b c"])
    }

    @Test(arguments: [
        ("X-A", "b\tc", true), ("", "b", false), ("X A", "b", false), ("X:", "b", false), ("Ä", "b", false),
        ("X", "b\r\nY: c", false), ("X", "b\0", false), ("X", "\u{7F}", false), ("!#$%&'*+-.^_`|~1", "ä", true),
        ("X", "", true),
    ])
    func `a field that could break its line is not valid`(name: String, value: String, isValid: Bool) {
        let headers: HTTPHeaders = [name: value]
        #expect(headers.fields.map(\.isValid) == [isValid])
    }

    @Test func `letter case of other than ASCII letters counts`() {
        #expect("Content-Type".equalsIgnoringASCIICase("CONTENT-type"))
        #expect(!"ä".equalsIgnoringASCIICase("Ä"))
        #expect(!"@".equalsIgnoringASCIICase("`"))
        #expect(!"a".equalsIgnoringASCIICase("ab"))
        // The Kelvin sign is a small k by the rules of Unicode.
        #expect(!"k".equalsIgnoringASCIICase("\u{212A}"))
        #expect("ÄB".lowercasedASCII == "Äb")
    }

    @Test func `methods are tokens, and their letter case counts`() {
        #expect(HTTPMethod(rawValue: "get") != .get)
        #expect(HTTPMethod(rawValue: "PROPFIND").isValid)
        #expect(!HTTPMethod(rawValue: "").isValid)
        #expect(!HTTPMethod(rawValue: "GET /").isValid)
        #expect([HTTPMethod.get, .head, .options].filter(\.isSafe).count == 3)
        #expect([HTTPMethod.post, .put, .patch, .delete].filter(\.isSafe).isEmpty)
    }
}
