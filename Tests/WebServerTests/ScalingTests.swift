import TestSupport
import Testing
import WebServer

struct ScalingTests {
    @Test(arguments: ["/a", "/", "%41", "a", "?", "&a=b", "&", "=", "+", "é", "a%C3%A9"])
    func `a request target`(part: String) {
        for start in ["/", "/a?b="] {
            Scaling.expectLinear(start + part, size: 666) {
                start + String(repeating: part, count: $0)
            } _: {
                _ = RequestTarget($0)
            }
        }
    }

    @Test(arguments: ["a=b; ", ";", "=", " ", ",", "\"a\", ", "text/html;q=1,", "é", "\u{301}"])
    func `the header fields of a request`(part: String) throws {
        let target = try #require(RequestTarget("/"))
        Scaling.expectLinear(part, size: 666) { count in
            let value = String(repeating: part, count: count)
            let names = ["Cookie", "If-None-Match", "Accept", "Content-Type"]
            return HTTPRequest(
                method: .get, target: target,
                headers: names.reduce(into: HTTPHeaders()) { $0.append($1, value) })
        } _: { request in
            _ = (request.cookie("none"), request.mediaType, request.accepts("text/plain"))
            _ = request.holds(EntityTag("none"))
        }
    }
}
