import Collation
import TestSupport
import Testing

struct ScalingTests {
    @Test(arguments: ["a", "ü", "ж", "ж ", "中", "a\u{301}", "\u{301}", "ก", "각", "🇵🇱", "\u{FFFD}"])
    func `folding`(part: String) {
        Scaling.expectLinear(part, size: 100) {
            String(repeating: part, count: $0)
        } _: {
            _ = Transliterator.fold($0)
            _ = Transliterator.foldGerman($0)
        }
    }
}
