import MinteeDomain

/// Targets as people say them.
extension Target {
    /// The target in words: `at least 20`, `6 to 10`, `less than 3`.
    var words: String {
        let (low, high) = (NumberText.text(min), NumberText.text(max))
        return switch (minOperator, maxOperator) {
        case (.equal, _): "exactly \(low)"
        case (_, .equal): "exactly \(high)"
        case (.lessOrEqual, .lessOrEqual): "\(low) to \(high)"
        case (.none, .lessOrEqual): "at most \(high)"
        case (.none, _): "less than \(high)"
        case (.lessOrEqual, .none): "at least \(low)"
        case (_, .none): "more than \(low)"
        case (.lessOrEqual, _): "at least \(low) and less than \(high)"
        case (_, .lessOrEqual): "more than \(low), at most \(high)"
        case (.less, .less): "more than \(low) and less than \(high)"
        }
    }

    /// The target in words; empty if a day is only done or not.
    var goal: String { self == .done ? "" : words }
}
