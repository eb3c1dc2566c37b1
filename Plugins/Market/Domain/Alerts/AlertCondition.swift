package import BigInteger
package import Text
import Time

/// What an alert waits for.
package enum AlertCondition: Hashable, Sendable {
    /// The price is above a bound.
    case above(BigDecimal)
    /// The price is below a bound.
    case below(BigDecimal)
    /// The price changed by at least a percentage, down when it is negative, within a period.
    case change(percent: BigDecimal, within: Duration)

    /// The reason why a text is not a condition.
    package enum Problem: Error, Hashable, Sendable {
        /// It is neither a comparison nor a change.
        case malformed
        /// The bound is not above zero.
        case bound
        /// The percentage is zero, or a fall of more than 100.
        case percentage
        /// The period is not from 1 minute to 31 days.
        case period
        /// A number is none of the locale, or has two readings; with its text.
        case number(String, TypedNumber.Problem)
    }

    /// The longest period of a change.
    package static let maximumPeriod = Duration.seconds(31 * 86_400)

    /// Parses `> 100000`, `< 90000`, `-5% in 1h`, `+10 % in 3d`; a person types numbers with the `mark` of the locale.
    package init(_ text: some StringProtocol, _ mark: DecimalMark = .point) throws(Problem) {
        let words = text.split(whereSeparator: \.isWhitespace).joined()
        if let first = words.first, first == ">" || first == "<" {
            let bound = try AlertCondition.number(words.dropFirst(), mark)
            guard bound > 0 else { throw .bound }
            self = first == ">" ? .above(bound) : .below(bound)
            return
        }
        guard let sign = words.firstIndex(of: "%"), words[words.index(after: sign)...].hasPrefix("in"),
            let length = DurationFormat(words[words.index(after: sign)...].dropFirst(2))
        else { throw .malformed }
        let percent = try AlertCondition.number(words[..<sign], mark)
        guard !percent.isZero, percent >= -100 else { throw .percentage }
        guard let period = AlertCondition.period(length), period <= AlertCondition.maximumPeriod else { throw .period }
        self = .change(percent: percent, within: period)
    }

    private static func number(_ text: Substring, _ mark: DecimalMark) throws(Problem) -> BigDecimal {
        do throws(TypedNumber.Problem) {
            if let number = BigDecimal(try TypedNumber(text, mark).text) { return number }
        } catch {
            if error != .malformed(suggestion: nil) { throw .number(String(text), error) }
        }
        throw .malformed
    }

    private static func period(_ length: DurationFormat) -> Duration? {
        guard length.count > 0 else { return nil }
        return switch length.unit {
        case .minute: .seconds(length.count * 60)
        case .hour: .seconds(length.count * 3600)
        case .day: .seconds(length.count * 86_400)
        case .week: .seconds(length.count * 7 * 86_400)
        case .month, .year: nil
        }
    }
}

extension AlertCondition: CustomStringConvertible {
    /// The condition as it is parsed: `> 100000`, `-5 % in 1h`.
    package var description: String {
        switch self {
        case .above(let bound): return "> \(bound)"
        case .below(let bound): return "< \(bound)"
        case .change(let percent, let period):
            let minutes = Int(period.components.seconds / 60)
            let length =
                minutes.isMultiple(of: 1440)
                ? "\(minutes / 1440)d" : minutes.isMultiple(of: 60) ? "\(minutes / 60)h" : "\(minutes)min"
            return "\(percent.isNegative ? "" : "+")\(percent) % in \(length)"
        }
    }
}
