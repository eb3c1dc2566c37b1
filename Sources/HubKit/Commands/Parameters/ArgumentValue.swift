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
        guard let number = Int(argument) else { throw InvalidArgument(expected: "a whole number") }
        return number
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
