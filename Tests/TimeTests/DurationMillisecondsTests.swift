import Testing
import Time

struct DurationMillisecondsTests {
    @Test(arguments: [
        (Duration.zero, 0, Int32(1)), (.milliseconds(1), 1, 2), (.microseconds(1999), 1, 2),
        (.seconds(60), 60_000, 60_001),
        (.milliseconds(-1), -1, 1), (.microseconds(-1999), -1, 1), (.seconds(-60), -60_000, 1),
        (.seconds(3_000_000), 3_000_000_000, .max), (.seconds(Int64.max), .max, .max), (.seconds(Int64.min), .min, 1),
        (.seconds(Int64.max / 1000), Int(Int64.max / 1000 * 1000), .max),
    ])
    func `a duration in milliseconds, however long`(duration: Duration, milliseconds: Int, timeout: Int32) {
        #expect(duration.milliseconds == milliseconds)
        #expect(duration.pollTimeout == timeout)
    }
}
