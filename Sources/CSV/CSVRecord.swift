/// One record of a table.
package struct CSVRecord: Sendable, Equatable {
    /// Its first and last line, counted from 1.
    package let lines: ClosedRange<Int>
    /// The cells, unquoted, with LF as line end and without other control characters.
    package let cells: [String]
    /// The beginning of its first line, to be shown.
    package let excerpt: String

    /// Whether no cell says anything.
    package var isBlank: Bool { cells.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
}
