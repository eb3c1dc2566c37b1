import TestSupport
import Testing

@testable import WebServer

struct MessageTests {
    @Test func `a target is its path and its query`() throws {
        let target = try #require(RequestTarget("/a//b%2Fc/?x=1&y=&z&x=2+3&=4&e=%3D%26"))
        #expect(target.path == "/a//b%2Fc/")
        #expect(target.segments == ["a", "", "b/c", ""])
        #expect(target.query.map { "\($0.name)=\($0.value)" } == ["x=1", "y=", "z=", "x=2 3", "=4", "e==&"])
        #expect(RequestTarget("/")?.segments == [])
    }

    /// With the separator before it a combining character is one `Character`, which must not hide the separator.
    @Test func `a combining character hides no separator`() throws {
        let target = try #require(RequestTarget("/\u{34E}a/\u{34E}?\u{34E}x=\u{34E}&\u{34E}y"))
        #expect(target.path == "/\u{34E}a/\u{34E}")
        #expect(target.segments == ["\u{34E}a", "\u{34E}"])
        #expect(target.query.map(\.name) == ["\u{34E}x", "\u{34E}y"])
        #expect(target.query.map(\.value) == ["\u{34E}", ""])
        let request = HTTPRequest(method: .get, target: target, headers: ["Cookie": "a=\u{34E}1;\u{34E}c=2; b=3"])
        #expect(request.cookie("a") == "\u{34E}1")
        #expect(request.cookie("c") == nil)
        #expect(request.cookie("b") == "3")
    }

    @Test(arguments: ["", "a", "*", "http://x/", "/%", "/a?%zz"])
    func `a target that is none is refused`(text: String) {
        #expect(RequestTarget(text) == nil)
    }

    @Test(arguments: [
        ("a=1; b=2", "b", "2"), ("a=1;b=2", "b", "2"), ("ab=1; b=2", "b", "2"), ("b=x=y", "b", "x=y"),
        ("b", "b", nil), ("", "b", nil), ("B=1", "b", nil),
    ])
    func `a cookie is found by its exact name`(field: String, name: String, value: String?) throws {
        let target = try #require(RequestTarget("/"))
        #expect(HTTPRequest(method: .get, target: target, headers: ["Cookie": field]).cookie(name) == value)
    }

    @Test(arguments: [
        ("text/html,application/xml;q=0.9,*/*;q=0.8", true), ("application/json, TEXT/HTML ;q=1", true), ("*/*", false),
        ("text/htmlx", false), ("", false),
    ])
    func `a browser says that it takes HTML`(field: String, takes: Bool) throws {
        let target = try #require(RequestTarget("/"))
        #expect(HTTPRequest(method: .get, target: target, headers: ["Accept": field]).accepts("text/html") == takes)
    }

    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("a", false), ("\"b\"", false),
    ])
    func `a version is held when its tag is named`(field: String, held: Bool) throws {
        let target = try #require(RequestTarget("/"))
        let request = HTTPRequest(method: .get, target: target, headers: ["If-None-Match": field])
        #expect(request.holds(EntityTag("a")) == held)
    }

    @Test func `an event cannot begin a field of its own`() {
        let event = ServerSentEvent(event: "a\ndata: x", data: "1\r\n2\r3\n4\u{2028}5", id: "7\n8")
        #expect(
            String(decoding: event.bytes, as: UTF8.self)
                == "event: adata: x\nid: 78\ndata: 1\ndata: 2\ndata: 3\ndata: 4\u{2028}5\n\n")
    }

    @Test(arguments: ["127.0.0.1:1", "[::1]:65535", "0.0.0.0:0"])
    func `an address reads back as it is written`(text: String) throws {
        #expect(try SocketAddress(text).description == text)
    }

    @Test(arguments: [
        "localhost:1", "127.0.0.1", "::1:80", "[127.0.0.1]:1", "127.0.0.1:65536", ":1", "1.2.3:4", "[::1]",
    ])
    func `what is no numeric address with a port is refused`(text: String) {
        #expect(throws: WebServerError.malformedAddress(text)) { try SocketAddress(text) }
    }
}
