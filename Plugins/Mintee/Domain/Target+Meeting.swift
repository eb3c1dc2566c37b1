/// The status of a value against a target.
package enum CompletionStatus: Sendable {
    case unsatisfactory
    /// Exactly at a bound that `<` excludes.
    case borderline
    case satisfactory

    /// The status in words.
    package var name: String {
        switch self {
        case .unsatisfactory: "unsatisfactory"
        case .borderline: "borderline"
        case .satisfactory: "satisfactory"
        }
    }
}

/// The position of a value against its target, as charts show it.
package enum CompletionCategory: Int, CaseIterable, Sendable {
    case reached = 1, under, over

    /// The name in legends.
    package var name: String {
        switch self {
        case .reached: "Reached target"
        case .under: "Under target"
        case .over: "Over target"
        }
    }
}

extension Target {
    /// Returns the status of `value`.
    package func status(of value: Double) -> CompletionStatus {
        var isMet = true
        switch minOperator {
        case .none: break
        case .less:
            if value == min { return .borderline }
            isMet = value > min
        case .lessOrEqual: isMet = value >= min
        case .equal: return value == min ? .satisfactory : .unsatisfactory
        }
        switch maxOperator {
        case .none: break
        case .less:
            if value == max { return .borderline }
            isMet = isMet && value < max
        case .lessOrEqual: isMet = isMet && value <= max
        case .equal: return value == max ? .satisfactory : .unsatisfactory
        }
        return isMet ? .satisfactory : .unsatisfactory
    }

    /// Returns whether `value` reaches the target, or the side on which it misses it.
    package func category(of value: Double) -> CompletionCategory {
        if status(of: value) == .satisfactory { return .reached }
        switch minOperator {
        case .none: return .over
        case .less: return value <= min ? .under : .over
        case .lessOrEqual, .equal: return value < min ? .under : .over
        }
    }

    /// Returns the progress of `value`, 0...1; the fill of the app's cards. Nil for a target that is not in normal
    /// form.
    ///
    /// It does not distinguish `<` from `<=`, and can be 1 for a value above the target.
    package func meter(of value: Double) -> Double? {
        switch (minOperator, maxOperator) {
        case (.none, .none), (.none, .equal): return nil
        case (.none, _): return Target.share(of: max, value)
        case (.equal, _), (_, .none): return Target.share(of: min, value)
        case (_, _):
            if value <= min { return 0 }
            return value < max ? (value - min) / (max - min) : 1
        }
    }

    /// Returns the share of the target that a value earns, 0...1, by the formulas of Loop Habit Tracker: below it the part of
    /// the way from 0, above it what is left of one more upper bound.
    package func credit(of value: Double) -> Double {
        switch category(of: value) {
        case .reached: 1
        case .under: min > 0 ? Swift.min(1, Swift.max(0, value / min)) : 0
        case .over:
            if case let limit = minOperator == .equal ? min : max, limit > 0 {
                Swift.min(1, Swift.max(0, 1 - (value - limit) / limit))
            } else {
                0
            }
        }
    }

    /// Returns the share of the way from 0 to `bound` that the value has come.
    private static func share(of bound: Double, _ value: Double) -> Double {
        if bound == 0 { return 1 }
        if bound > 0 ? value <= 0 : value >= 0 { return 0 }
        return Swift.min(value / bound, 1)
    }
}
