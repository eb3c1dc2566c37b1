/// The output of a command. HubRuntime writes it as a table, JSON or plain text; a route can send the same value.
package struct Output: Sendable {
    /// The result, which goes to stdout.
    package enum Body: Sendable {
        /// Nothing.
        case none
        /// A single item: an object in JSON, else a block of titles and values.
        case record(Rows)
        /// A list: an array in JSON, a table otherwise.
        case rows(Rows)
        /// A list that arrives over time: JSON Lines, or a table row by row.
        case stream([FieldDescriptor], RowStream)
        /// Lines of text.
        case text([String])
        /// A file, written as it comes.
        case bytes(ByteStream)
    }

    /// Batches of rows that all have the same fields.
    package typealias RowStream = any AsyncSequence<Rows, any Error> & Sendable
    /// Chunks of a file.
    package typealias ByteStream = any AsyncSequence<[UInt8], any Error> & Sendable

    /// The result.
    package var body: Body
    /// The human form of the body, when it is more than a table: lines with their own layout.
    package var human: [String]?
    /// Makes the human form for a terminal of so many columns, in the place of `human`; nil columns in a pipe, where nothing
    /// is wrapped.
    package var layout: (@Sendable (_ width: Int?) -> [String])?
    /// The text of the body for a locale that has nothing but ASCII, where it must be drawn in another way.
    package var ascii: [String]?
    /// The file that the result goes to when an option of the command names one; `-` for stdout. It takes precedence over
    /// `--output`.
    package var file: String?
    /// Whether the command itself has written to the path of `--output`, such as a folder; then the body is printed.
    package var wroteFile = false
    /// Lines that open the human form, such as the day that a table is about.
    package var heading: [String] = []
    /// Lines that close the human form, such as the sum of an import.
    package var summary: [String] = []
    /// Whether a table has a line of column titles.
    package var hasHeader = true
    /// Whether it reports what was done rather than requested data; `--quiet` hides it.
    package var isReport = false
    /// Messages besides the result.
    package var notes: [Diagnostic] = []
    /// The exit status.
    package var exit: ExitStatus = .done

    package init(_ body: Body) { self.body = body }
}

/// The exit status of a command that did not fail.
package enum ExitStatus: Int32, Sendable {
    /// All is done; an empty list counts.
    case done = 0
    /// No: nothing matches, or a check failed.
    case no = 1
    /// Items were skipped or a conflict was kept; the rest is done.
    case partly = 2
}
