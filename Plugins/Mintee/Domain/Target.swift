/// An operator that compares a value with a bound.
package enum TargetOperator: Int, CaseIterable, Sendable {
    /// No bound.
    case none = 0
    case less, lessOrEqual, equal

    /// The operator as written; empty for no bound.
    package var symbol: String {
        switch self {
        case .none: ""
        case .less: "<"
        case .lessOrEqual: "<="
        case .equal: "="
        }
    }
}

/// The target of a value: one or two bounds with their operators.
///
/// The lower operator comes before the value (`min < x`), the upper one after it (`x < max`); an equality is stored as
/// the lower operator. ``init(minOperator:maxOperator:min:max:)`` only creates targets in this normal form.
package struct Target: Hashable, Sendable {
    /// Compares the lower bound with the value.
    package let minOperator: TargetOperator
    /// Compares the value with the upper bound.
    package let maxOperator: TargetOperator
    /// The lower bound, or the value to equal; 0 if there is none.
    package let min: Double
    /// The upper bound; 0 if there is none.
    package let max: Double

    /// Creates a target from stored values, without validation.
    package init(unchecked minOperator: TargetOperator, _ maxOperator: TargetOperator, _ min: Double, _ max: Double) {
        self.minOperator = minOperator
        self.maxOperator = maxOperator
        self.min = min
        self.max = max
    }

    /// Creates the normal form of entered bounds; throws if no value can reach them, or if there are none.
    package init(
        minOperator: TargetOperator, maxOperator: TargetOperator, min: Double, max: Double
    ) throws(TargetProblem) {
        guard min.isFinite, max.isFinite else { throw .notANumber }
        switch (minOperator, maxOperator) {
        case (.equal, .equal) where min != max: throw .equalButDifferent
        case (.equal, _): self.init(unchecked: .equal, .none, min, 0)
        case (_, .equal): self.init(unchecked: .equal, .none, max, 0)
        case (.none, .none): throw .noOperator
        case (.none, _): self.init(unchecked: .none, maxOperator, 0, max)
        case (_, .none): self.init(unchecked: minOperator, .none, min, 0)
        case (.lessOrEqual, .lessOrEqual):
            guard min <= max else { throw .minAboveMax }
            if min == max {
                self.init(unchecked: .equal, .none, min, 0)
            } else {
                self.init(unchecked: .lessOrEqual, .lessOrEqual, min, max)
            }
        case (.less, _), (.lessOrEqual, _):
            guard min < max else { throw .minNotBelowMax }
            self.init(unchecked: minOperator, maxOperator, min, max)
        }
    }

    /// Done or not: 1 or more.
    package static let done = Target(unchecked: .lessOrEqual, .none, 1, 0)

    /// At least `value`.
    package static func atLeast(_ value: Double) -> Target { Target(unchecked: .lessOrEqual, .none, value, 0) }

    /// At most `value`.
    package static func atMost(_ value: Double) -> Target { Target(unchecked: .none, .lessOrEqual, 0, value) }

    /// The target with `name` for the value: `3 <= x < 5`, `Target >= 1`.
    package func label(_ name: String = "x") -> String {
        switch (minOperator, maxOperator) {
        case (.equal, _): "\(name) = \(NumberText.text(min))"
        case (_, .equal): "\(name) = \(NumberText.text(max))"
        case (.none, .none): name
        case (.none, _): "\(name) \(maxOperator.symbol) \(NumberText.text(max))"
        case (.less, .none): "\(name) > \(NumberText.text(min))"
        case (_, .none): "\(name) >= \(NumberText.text(min))"
        case (_, _):
            "\(NumberText.text(min)) \(minOperator.symbol) \(name) \(maxOperator.symbol) \(NumberText.text(max))"
        }
    }

    /// Returns the codes of the seven operator rules that the target violates: `TTS-1` … `TTS-7`, or with the family
    /// `CMPLE` those of a legend.
    package func violations(of family: String = "TTS") -> [RuleCode] {
        var broken: [Int] = []
        if maxOperator == .equal { broken.append(2) }
        if maxOperator == .none, max != 0 { broken.append(3) }
        if minOperator == .none, min != 0 { broken.append(4) }
        if minOperator == .none, maxOperator == .none { broken.append(5) }
        if minOperator == .equal, maxOperator != .none { broken.append(6) }
        if minOperator != .none, maxOperator != .none, !(min < max) { broken.append(7) }
        return broken.map { RuleCode("\(family)-\($0)") }
    }
}

/// The reason why bounds are not a valid target.
package enum TargetProblem: Error, Hashable, Sendable {
    /// Both operators are `=`, with different values (E1).
    case equalButDifferent
    /// The lower bound must be less than the upper one (E2).
    case minNotBelowMax
    /// The lower bound is greater than the upper one (E3).
    case minAboveMax
    /// No bound at all (E4).
    case noOperator
    /// A bound is infinite or not a number.
    case notANumber

    /// The violated rule.
    package var rule: RuleCode {
        switch self {
        case .equalButDifferent: "TTS-6"
        case .minNotBelowMax, .minAboveMax: "TTS-7"
        case .noOperator: "TTS-5"
        case .notANumber: "I-7"
        }
    }

    /// The description of the problem, in a few words.
    package var message: String {
        switch self {
        case .equalButDifferent: "the value cannot equal two numbers"
        case .minNotBelowMax: "the lower bound must be less than the upper bound"
        case .minAboveMax: "the lower bound is greater than the upper bound"
        case .noOperator: "no bound given"
        case .notANumber: "a bound is not a number"
        }
    }
}

/// A pattern of days with the target for them.
///
/// If several sets of a task include a day, the one with the lowest priority number applies.
package struct TargetSet: Hashable, Sendable {
    /// The days.
    package var pattern: DayPattern
    /// The target.
    package var target: Target

    package init(_ pattern: DayPattern, _ target: Target = .done) {
        self.pattern = pattern
        self.target = target
    }

    /// The codes of the rules that pattern and target violate.
    package var violations: [RuleCode] {
        let broken = pattern.violations + target.violations()
        return broken.contains { $0 == "TTS-5" || $0.description.hasPrefix("DP") } ? broken + ["I-6"] : broken
    }
}
