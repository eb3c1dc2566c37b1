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
}
