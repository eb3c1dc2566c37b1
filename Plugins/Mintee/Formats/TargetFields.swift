package import Text

/// A target in a form: two operators and two texts.
package struct TargetFields: Hashable, Sendable {
    /// Compares the lower bound with the value.
    package var lowerOperator: TargetOperator
    /// The text of the lower bound.
    package var lower: String
    /// Compares the value with the upper bound.
    package var upperOperator: TargetOperator
    /// The text of the upper bound.
    package var upper: String

    /// The decimal mark of the texts.
    package var mark: DecimalMark

    package init(
        _ lowerOperator: TargetOperator, _ lower: String, _ upperOperator: TargetOperator, _ upper: String,
        _ mark: DecimalMark = .point
    ) {
        self.mark = mark
        self.lowerOperator = lowerOperator
        self.lower = lower
        self.upperOperator = upperOperator
        self.upper = upper
    }

    /// The target in normal form, or the problem and its field: `lower` or `upper`.
    ///
    /// A blank field is ignored, whatever its operator; so is the text of a field that an operator switches off: `=` on
    /// one side switches off the other.
    package var target: Result<Target, Problem> {
        let isLowerOff = lowerOperator == .none || upperOperator == .equal && lowerOperator != .equal
        let isUpperOff = upperOperator == .none || lowerOperator == .equal && upperOperator != .equal
        if isLowerOff, isUpperOff { return .failure(Problem("I-6", "lower", TargetProblem.noOperator.message)) }
        let (min, max) = (isLowerOff ? "" : lower.trimmingBlanks, isUpperOff ? "" : upper.trimmingBlanks)
        if min.isEmpty, max.isEmpty {
            return .failure(Problem("I-7", isLowerOff ? "upper" : "lower", "a number is required"))
        }
        let (low, high): (Double, Double)
        switch (number(min, "lower"), number(max, "upper")) {
        case (.success(let first), .success(let second)): (low, high) = (first, second)
        case (.failure(let problem), _), (_, .failure(let problem)): return .failure(problem)
        }
        do throws(TargetProblem) {
            return .success(
                try Target(
                    minOperator: min.isEmpty ? .none : lowerOperator, maxOperator: max.isEmpty ? .none : upperOperator,
                    min: low, max: high))
        } catch {
            return .failure(Problem(error.rule, "upper", error.message))
        }
    }

    private func number(_ text: String, _ field: String) -> Result<Double, Problem> {
        do throws(TypedNumber.Problem) { return .success(try NumberText.number(text.isEmpty ? "0" : text, mark)) } catch
        {
            return .failure(Problem("I-7", field, error.message(text) + (error.hint.map { ": \($0)" } ?? "")))
        }
    }

    /// The reason why the fields are not a valid target.
    package struct Problem: Error, Hashable, Sendable {
        /// The violated rule.
        package let rule: RuleCode
        /// The field of the problem.
        package let field: String
        /// The description of the problem.
        package let message: String

        init(_ rule: RuleCode, _ field: String, _ message: String) {
            self.rule = rule
            self.field = field
            self.message = message
        }
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmingBlanks: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
