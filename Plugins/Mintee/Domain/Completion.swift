/// The value that a person gives to one instance: any real number.
package enum Completion {
    /// The value after one more: the next whole number above.
    package static func up(_ value: Double, by count: Int = 1) -> Double { value.rounded(.down) + Double(count) }

    /// The value after one less: the next whole number below.
    package static func down(_ value: Double, by count: Int = 1) -> Double { value.rounded(.up) - Double(count) }

    /// The smallest value that reaches `target`, for `done`; for a Specific task, which has none, 1.
    ///
    /// It is the lower bound where there is one; just above it (a whole number where one fits) when the bound itself is
    /// left out; an at-most target is met by 0 already.
    package static func reaching(_ target: Target?) -> Double {
        guard let target else { return 1 }
        switch target.minOperator {
        case .none:
            return target.status(of: 0) == .satisfactory ? 0 : target.maxOperator == .less ? target.max - 1 : target.max
        case .equal, .lessOrEqual: return target.min
        case .less:
            let next = target.min.rounded(.down) + 1
            return target.status(of: next) == .satisfactory ? next : decimal(in: target)
        }
    }

    /// The smallest number above the lower bound of `target` that has as few decimals as any that reaches it.
    private static func decimal(in target: Target) -> Double {
        var scale = 1.0
        for _ in 0..<15 {
            scale *= 10
            let first = (target.min * scale).rounded(.down)
            // A bound such as 0.1 may lie a little beside its decimal.
            for step in 0...2 where target.status(of: (first + Double(step)) / scale) == .satisfactory {
                return (first + Double(step)) / scale
            }
        }
        return (target.min + target.max) / 2
    }
}
