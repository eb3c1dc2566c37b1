package import CivilDate

/// A type that one word of the command line can be read as.
package protocol ArgumentValue: Sendable {
    /// Reads `argument`; the error says what was expected instead.
    static func parse(argument: String) throws(InvalidArgument) -> Self
    /// All possible values, if they are a short list.
    static var choices: [String]? { get }
}

extension ArgumentValue {
    /// By default nil: there is no short list of values.
    package static var choices: [String]? { nil }
}

/// The error for a word that cannot be parsed as the declared type.
package struct InvalidArgument: Error, Equatable {
    /// The expectation, after the word "expected": `a whole number`.
    package var expected: String
    /// The suggested input, if known.
    package var hint: String?

    package init(expected: String, hint: String? = nil) {
        self.expected = expected
        self.hint = hint
    }
}

/// A closed list of words, such as the formats of an export.
package protocol ChoiceArgument: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {}

extension ChoiceArgument {
    /// Parses a raw value; throws ``InvalidArgument`` with the choices and the nearest one.
    package static func parse(argument: String) throws(InvalidArgument) -> Self {
        if let value = Self(rawValue: argument) { return value }
        let words = allCases.map(\.rawValue)
        throw InvalidArgument(
            expected: words.joined(separator: ", "),
            hint: Suggestion.nearest(to: argument, in: words).map { "did you mean \($0)?" })
    }

    /// The raw values of all cases.
    package static var choices: [String]? { allCases.map(\.rawValue) }
}

extension String: ArgumentValue {
    /// Returns the argument unchanged.
    package static func parse(argument: String) -> String { argument }
}

extension Int: ArgumentValue {
    /// Parses a decimal integer.
    package static func parse(argument: String) throws(InvalidArgument) -> Int {
        guard let number = Int(WesternDigits.text(argument)) else { throw InvalidArgument(expected: "a whole number") }
        return number
    }
}

/// A number as it was typed; the locale says how it is read.
package struct NumberArgument: ArgumentValue {
    private let text: String

    /// Accepts what is a number in some locale.
    package static func parse(argument: String) throws(InvalidArgument) -> NumberArgument {
        do throws(TypedNumber.Problem) { _ = try TypedNumber(argument, .point) } catch {
            if error == .malformed(suggestion: nil) { throw InvalidArgument(expected: "a number") }
        }
        return NumberArgument(text: argument)
    }

    /// Returns the number in the locale of `config`. Throws `usage` if it is none there, or has two readings.
    package func number(_ config: Config) throws(HubError) -> TypedNumber {
        do throws(TypedNumber.Problem) { return try TypedNumber(text, config.decimalMark) } catch {
            throw HubError(.usage, code: "invalid-number", error.message(text), hint: error.hint)
        }
    }
}

extension CivilDate: ArgumentValue {
    /// Parses a date in the form `2026-11-20`.
    package static func parse(argument: String) throws(InvalidArgument) -> CivilDate {
        guard let day = CivilDate(argument) else {
            throw InvalidArgument(expected: "a date such as 2026-11-20")
        }
        return day
    }
}

extension DurationFormat: ArgumentValue {
    /// Parses a duration such as `45min` or `3w`.
    package static func parse(argument: String) throws(InvalidArgument) -> DurationFormat {
        guard let length = DurationFormat(argument) else {
            throw InvalidArgument(expected: "a duration", hint: "use 45min, 3h, 2d, 3w, 6mo or 1y")
        }
        return length
    }
}

extension DateExpression: ArgumentValue {
    /// Parses a date, a time or a duration.
    package static func parse(argument: String) throws(InvalidArgument) -> DateExpression {
        guard let expression = DateExpression(argument) else {
            throw InvalidArgument(
                expected: "a date",
                hint:
                    "use today, mon, \"last friday\", \"nov 24\", 2026-11-24, \"2 days ago\", -2d or a time: 2026-11-24T14:30"
            )
        }
        return expression
    }
}

extension DateRange: ArgumentValue {
    /// Parses `A..B`, `A..` or `..B`.
    package static func parse(argument: String) throws(InvalidArgument) -> DateRange {
        guard let range = DateRange(argument) else {
            throw InvalidArgument(
                expected: "a range of dates",
                hint: "use today, mon, \"nov 24\", 2026-11-24, or a range: mon..today, 2026-11-01..2026-11-20")
        }
        return range
    }
}
