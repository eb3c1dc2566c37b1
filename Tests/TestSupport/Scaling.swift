import Glibc
package import Testing

/// The growth of the cost of some work with its input.
///
/// What is measured is the processor's time of this thread in one process, at one size and at eight times that size; so a
/// busy machine changes both alike. Linear work costs 8 times as much, quadratic work 64 times.
package enum Scaling {
    /// The largest growth that counts as linear: work that reads its input repeatedly is above it.
    package static let limit = 24.0

    /// Expects `work` to cost at most `limit` times as much on an input of `8 * size` as on one of `size`.
    ///
    /// `size` should be so large that one run takes some milliseconds. The best of several runs counts, where one of each size
    /// does not show a growth far below the limit.
    package static func expectLinear<Input>(
        _ name: String, size: Int, _ input: (Int) -> Input, location: SourceLocation = #_sourceLocation,
        _ work: (Input) throws -> Void
    ) rethrows {
        let (small, large) = (input(size), input(8 * size))
        var (least, most) = (Duration.seconds(3600), Duration.seconds(3600))
        var growth = Double.infinity
        for _ in 0..<6 {
            // The first run of all may load libraries and fill caches. In the large one that hides no growth.
            most = min(most, try time { try work(large) })
            for _ in 0..<3 {
                least = min(least, try time { try work(small) })
                growth = most / max(least, .microseconds(1))
                // A small run that was slow by chance could hide a growth that is near the limit, but not one far above it.
                if growth < limit / 2 { return }
            }
            if growth < limit { return }
        }
        Issue.record(
            "\(name) costs \(growth) times as much for eight times the input (\(least), \(most))",
            sourceLocation: location)
    }

    private static func time(_ work: () throws -> Void) rethrows -> Duration {
        let start = now()
        try work()
        return now() - start
    }

    private static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// `part` repeated `count` times between a beginning and an end, as bytes.
package func repeated(_ part: String, _ count: Int, after start: String = "", before end: String = "") -> [UInt8] {
    var bytes = Array(start.utf8)
    let part = Array(part.utf8)
    bytes.reserveCapacity(bytes.count + part.count * count + end.utf8.count)
    for _ in 0..<count { bytes += part }
    return bytes + Array(end.utf8)
}

/// The parts that `part` makes of 0, 1, 2, … between a beginning and an end, as bytes.
package func numbered(
    _ count: Int, after start: String = "", before end: String = "", _ part: (Int) -> String
) -> [UInt8] {
    var bytes = Array(start.utf8)
    for number in 0..<count { bytes += part(number).utf8 }
    return bytes + Array(end.utf8)
}
