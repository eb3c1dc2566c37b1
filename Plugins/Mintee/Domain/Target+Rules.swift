extension Target {
    /// Returns the codes of the seven operator rules that the target violates: `TTS-1` … `TTS-7`, or with the family
    /// `CMPLE` those of a legend.
    package func breaches(of family: String = "TTS") -> [RuleCode] {
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

extension TargetProblem {
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
