import TestSupport
import Testing
import TextDecoding

struct ScalingTests {
    @Test(arguments: ["a", "\r", "\n", "é", "\u{0}", "\u{1}"])
    func `text of a file`(part: String) {
        for mark in [[], [0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF]] as [[UInt8]] {
            Scaling.expectLinear(part, size: 2666) {
                mark + repeated(part, $0)
            } _: {
                _ = TextDecoding.withoutControls(TextDecoding.decode(file: $0))
            }
        }
    }
}
