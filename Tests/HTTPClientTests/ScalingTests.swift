import HTTPClient
import TestSupport
import Testing

struct ScalingTests {
    @Test(arguments: ["/a", "/..", "/.", "/a/..", "/", "%41", "%", "é", " ", "?", "#", ":", "@", "[", "\u{1}"])
    func `an address`(part: String) {
        let base = HTTPURL(host: "x.org", path: "/a/")
        for start in ["http://", "http://x.org", "http://x.org/?", ""] {
            Scaling.expectLinear(start + part, size: 500) {
                start + String(repeating: part, count: $0)
            } _: { text in
                _ = HTTPURL(text)?.comparablePath
                _ = base.resolving(text)?.description
            }
        }
    }
}
