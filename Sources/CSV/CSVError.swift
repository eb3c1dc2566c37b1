/// A record that could not be read.
package struct CSVError: Sendable, Equatable {
    /// The error in a record.
    package enum Reason: Sendable, Equatable {
        /// A quote is not closed.
        case openQuote
        /// There is text between a closing quote and the next cell.
        case textBehindQuote
        /// The record spans several lines, and has not as many cells as the first one; a quote is missing.
        case columns(Int, expected: Int)
        /// The record is longer than 1 MiB.
        case tooLong
    }

    /// Its first line, counted from 1.
    package let line: Int
    /// The beginning of that line, to be shown.
    package let excerpt: String
    /// The error in the record.
    package let reason: Reason
}

extension CSVError.Reason: CustomStringConvertible {
    /// The predicate of a sentence that starts with `this row`.
    package var description: String {
        switch self {
        case .openQuote: "has an unclosed quote"
        case .textBehindQuote: "has text after a closing quote"
        case .columns(let count, let expected):
            "has \(count) columns where the first line has \(expected); is a quote missing?"
        case .tooLong: "is longer than 1 MiB"
        }
    }
}
