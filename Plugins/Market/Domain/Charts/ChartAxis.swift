/// Values for the marks of an axis: multiples of 1, 2 or 5 times a power of ten.
package struct ChartAxis: Hashable, Sendable {
    /// The distance between marks.
    package let step: Double
    /// The marks, the lowest first.
    package let marks: [Double]

    /// Creates about `count` marks within a range; a range without extent has the one mark of its value.
    package init(_ range: ClosedRange<Double>, count: Int) {
        let extent = range.upperBound - range.lowerBound
        guard extent > 0, extent.isFinite, count > 0 else {
            (step, marks) = (0, [range.lowerBound])
            return
        }
        let step = ChartAxis.step(extent / Double(count))
        let first = (range.lowerBound / step).rounded(.up)
        let last = (range.upperBound / step).rounded(.down)
        self.step = step
        // A step below the precision of the values would not end.
        guard last - first <= Double(4 * count) else {
            marks = [range.lowerBound]
            return
        }
        marks = stride(from: first, through: last, by: 1).map { $0 * step }
    }

    /// The least of 1, 2, 5 and 10 times a power of ten that is not below `rough`.
    private static func step(_ rough: Double) -> Double {
        var power = 1.0
        while power <= rough / 10 { power *= 10 }
        while power > rough { power /= 10 }
        return [1.0, 2, 5].map { $0 * power }.first { $0 >= rough * (1 - 1e-9) } ?? 10 * power
    }
}
