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
    /// Whether a new file with the result is for its owner alone.
    package var isSecret = false
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
    /// The line of the text for people that says what an operation has changed. HubRuntime adds how to undo that; when no operation
    /// was recorded, it says that nothing changed instead. Nil for every other report.
    package var editLine: EditLine?
    /// Messages besides the result.
    package var notes: [Diagnostic] = []
    /// The exit status.
    package var exit: ExitStatus = .done

    package init(_ body: Body) { self.body = body }
}

/// The line of a report that says what changed.
package enum EditLine: Sendable {
    case first
    case last
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

extension Output {
    /// Nothing to show.
    package static let nothing = Output(.none)

    /// A list; when it is empty, `empty` says so and what to type, and the exit code stays 0.
    package static func list<Row: Sendable>(
        _ rows: [Row], _ fields: [Field<Row>], count: String? = nil, empty: Diagnostic? = nil
    ) -> Output {
        var output = Output(.rows(Rows(rows, fields)))
        if rows.isEmpty, let empty { output.notes.append(empty) }
        if !rows.isEmpty, let count { output.notes.append(Diagnostic(count, level: .aside)) }
        return output
    }

    /// Returns the note for `shown` rows of `total` and how to get the rest, such as `50 of 645 matches, more:
    /// --limit 645`; `whole` when no row is left out. `noun` is the plural of the rows.
    package static func count(_ shown: Int, of total: Int, _ noun: String, whole: String? = nil) -> String? {
        guard shown < total else { return whole }
        return "\(NumberFormat.grouped(shown)) of \(NumberFormat.grouped(total)) \(noun), more: --limit \(total)"
    }

    /// Returns the note for `shown` rows of more than are counted, and how to get more of them.
    package static func count(_ shown: Int, ofMoreThan counted: Int, _ noun: String) -> String {
        "\(NumberFormat.grouped(shown)) of more than \(NumberFormat.grouped(counted)) \(noun), more: --limit \(counted)0"
    }

    /// The result of a search; an empty one has exit code 1.
    package static func matches<Row: Sendable>(
        _ rows: [Row], _ fields: [Field<Row>], count: String? = nil, none: Diagnostic
    ) -> Output {
        var output = list(rows, fields, count: count, empty: none)
        if rows.isEmpty { output.exit = .no }
        return output
    }

    /// A single item, with its own text for people or as a block of titles and values.
    package static func record<Row: Sendable>(_ row: Row, _ fields: [Field<Row>], human: [String]? = nil) -> Output {
        var output = Output(.record(Rows([row], fields)))
        output.human = human
        return output
    }

    /// The chosen items with their own text for people: one as an object, several as a list, with an empty line between them.
    package static func chosen<Row: Sendable>(
        _ rows: [Row], _ fields: [Field<Row>], lines: @escaping @Sendable (Row, _ width: Int?) -> [String]
    ) -> Output {
        let table = Rows(rows, fields)
        var output = Output(rows.count == 1 ? .record(table) : .rows(table))
        output.layout = { width in Array(rows.map { lines($0, width) }.joined(separator: [""])) }
        return output
    }

    /// Lines of text.
    package static func text(_ lines: [String]) -> Output { Output(.text(lines)) }

    /// A small file that is there as a whole, for `path` when it is given.
    package static func file(_ bytes: [UInt8], path: String? = nil) -> Output {
        var output = Output(
            .bytes(
                AsyncThrowingStream<[UInt8], any Error> { continuation in
                    continuation.yield(bytes)
                    continuation.finish()
                }))
        output.file = path
        return output
    }

    /// The result of a change: the sentence `message` for people, the fields of `row` for programs.
    package static func changed<Row: Sendable>(_ message: String, _ row: Row, _ fields: [Field<Row>]) -> Output {
        var output = record(row, fields, human: [message])
        output.isReport = true
        return output
    }

    /// The results of a change item by item, without a header, followed by the lines of `summary`.
    package static func report<Row: Sendable>(
        _ rows: [Row], _ fields: [Field<Row>], summary: [String] = [], exit: ExitStatus = .done,
        details: @escaping @Sendable (Row) -> [String] = { _ in [] }
    ) -> Output {
        var output = Output(.rows(Rows(rows, fields, details: details)))
        output.summary = summary
        output.hasHeader = false
        output.isReport = true
        output.exit = exit
        return output
    }

    /// The result of a command in one sentence, when there is nothing more for programs.
    package static func done(_ message: String) -> Output {
        var output = Output(.text([message]))
        output.isReport = true
        return output
    }

    /// The result of an edit, which can be undone; see ``editLine``.
    package static func edited(_ message: String) -> Output { done(message).asEdit(.last) }

    /// The result of an edit: the sentence `message` for people, the fields of `row` for programs.
    package static func edited<Row: Sendable>(_ message: String, _ row: Row, _ fields: [Field<Row>]) -> Output {
        changed(message, row, fields).asEdit(.last)
    }

    /// The same as the report of an edit whose `line` says what changed.
    package func asEdit(_ line: EditLine) -> Output {
        var output = self
        output.isReport = true
        output.editLine = line
        return output
    }

    /// The answer to a question was no: nothing was done, which is not a failure.
    package static let cancelled = Output.done("Cancelled")

    /// The same output with `note` beside it.
    package func noting(_ note: Diagnostic) -> Output {
        var output = self
        output.notes.append(note)
        return output
    }
}
