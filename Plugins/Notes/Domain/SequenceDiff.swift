/// The shortest edit script between two sequences (Myers 1986, greedy), within a budget of steps.
enum SequenceDiff {
    /// A range of the old sequence that gives way to a range of the new one.
    struct Hunk: Hashable {
        var old: Range<Int>
        var new: Range<Int>
    }

    /// The largest number of insertions and deletions of one script; what is kept for it grows with its square.
    static let maximumDistance = 1200

    /// Returns the hunks between two parts of sequences, in order; nil when the script would be longer than
    /// `most` (at most ``maximumDistance``), or `budget` is used up.
    static func hunks<Element: Equatable>(
        _ a: ContiguousArray<Element>, _ aRange: Range<Int>, _ b: ContiguousArray<Element>, _ bRange: Range<Int>,
        atMost most: Int = maximumDistance, budget: inout Int
    ) -> [Hunk]? {
        let (n, m) = (aRange.count, bRange.count)
        if n == 0, m == 0 { return [] }
        if n == 0 || m == 0 { return [Hunk(old: aRange, new: bRange)] }
        let limit = min(maximumDistance, most, n + m)
        guard abs(n - m) <= limit else { return nil }
        // The furthest x on each diagonal, and those of each distance so far.
        var furthest = [Int32](repeating: 0, count: 2 * limit + 3)
        var trace: [Int32] = []
        let offset = limit + 1
        for distance in 0...limit {
            for diagonal in stride(from: -distance, through: distance, by: 2) {
                var x: Int
                if diagonal == -distance
                    || (diagonal != distance
                        && furthest[offset + diagonal - 1] < furthest[offset + diagonal + 1])
                {
                    x = Int(furthest[offset + diagonal + 1])
                } else {
                    x = Int(furthest[offset + diagonal - 1]) + 1
                }
                // Beside the rectangle there is no path.
                if x > n || x - diagonal > m {
                    x = min(x, n + 1)
                    furthest[offset + diagonal] = Int32(x)
                    trace.append(Int32(x))
                    continue
                }
                let begin = x
                while x < n, x - diagonal < m, x - diagonal >= 0,
                    a[aRange.lowerBound + x] == b[bRange.lowerBound + x - diagonal]
                { x += 1 }
                budget -= x - begin + 1
                furthest[offset + diagonal] = Int32(x)
                trace.append(Int32(x))
                if x >= n, x - diagonal >= m {
                    return path(trace, distance, n, m, aRange.lowerBound, bRange.lowerBound)
                }
            }
            guard budget > 0 else { return nil }
        }
        return nil
    }

    /// Walks back from the end and puts neighbouring steps together.
    private static func path(
        _ trace: [Int32], _ distance: Int, _ n: Int, _ m: Int, _ aStart: Int, _ bStart: Int
    ) -> [Hunk] {
        // Distance d has d + 1 entries, after those of all smaller ones.
        func reached(_ d: Int, _ diagonal: Int) -> Int { Int(trace[d * (d + 1) / 2 + (diagonal + d) / 2]) }
        var hunks: [Hunk] = []
        func add(_ old: Range<Int>, _ new: Range<Int>) {
            if let last = hunks.last, last.old.lowerBound == old.upperBound, last.new.lowerBound == new.upperBound {
                hunks[hunks.count - 1] = Hunk(
                    old: old.lowerBound..<last.old.upperBound, new: new.lowerBound..<last.new.upperBound)
            } else {
                hunks.append(Hunk(old: old, new: new))
            }
        }
        var (x, y) = (n, m)
        var d = distance
        while d > 0 {
            let diagonal = x - y
            let isDown =
                diagonal == -d
                || (diagonal != d && reached(d - 1, diagonal - 1) < reached(d - 1, diagonal + 1))
            let previous = isDown ? diagonal + 1 : diagonal - 1
            let px = reached(d - 1, previous)
            let py = px - previous
            if isDown {
                add(aStart + px..<aStart + px, bStart + py..<bStart + py + 1)
            } else {
                add(aStart + px..<aStart + px + 1, bStart + py..<bStart + py)
            }
            (x, y) = (px, py)
            d -= 1
        }
        return hunks.reversed()
    }
}
