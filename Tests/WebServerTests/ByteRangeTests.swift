import Testing
import WebServer

struct ByteRangeTests {
    private static let tag = EntityTag("v1")

    private func range(_ field: String?, ifRange: String? = nil, method: HTTPMethod = .get, length: Int = 1000) throws
        -> ByteRange
    {
        var request = HTTPRequest(method: method, target: try #require(RequestTarget("/")))
        request.headers["Range"] = field
        request.headers["If-Range"] = ifRange
        return ByteRange(request, length: length, tag: Self.tag)
    }

    @Test(arguments: [
        ("bytes=0-99", 0..<100), ("bytes=100-", 100..<1000), ("bytes=-100", 900..<1000), ("bytes=-5000", 0..<1000),
        ("bytes=999-999", 999..<1000), ("bytes=0-999999999999999999999999", 0..<1000), ("bytes= 1-2", 1..<3),
    ])
    func `one range is a part`(field: String, part: Range<Int>) throws {
        #expect(try range(field) == .part(part))
    }

    @Test(arguments: ["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"])
    func `a range behind the end cannot be satisfied`(field: String) throws {
        #expect(try range(field) == .unsatisfiable)
    }

    @Test(arguments: [
        nil, "", "bytes", "bytes=", "bytes=-", "bytes=2-1", "bytes=a-b", "bytes=0-1,5-6", "items=0-1", "bytes=0-1-2",
        "bytes=+1-2",
    ])
    func `what is no single range is ignored`(field: String?) throws {
        #expect(try range(field) == .whole)
    }

    @Test func `a range of another version, and one of a request that is no GET, is ignored`() throws {
        #expect(try range("bytes=0-1", ifRange: "\"v1\"") == .part(0..<2))
        #expect(try range("bytes=0-1", ifRange: "\"v0\"") == .whole)
        #expect(try range("bytes=0-1", ifRange: "W/\"v1\"") == .whole)
        #expect(try range("bytes=0-1", ifRange: "Sun, 22 Nov 2026 08:00:00 GMT") == .whole)
        #expect(try range("bytes=0-1", method: .head) == .whole)
    }

    @Test func `of nothing no part can be had`() throws {
        #expect(try range("bytes=0-", length: 0) == .unsatisfiable)
        #expect(try range("bytes=-1", length: 0) == .unsatisfiable)
    }
}
