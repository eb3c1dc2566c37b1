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

    /// The answer to a question was no: nothing was done, which is not a failure.
    package static let cancelled = Output.done("Cancelled")

    /// The same output with `note` beside it.
    package func noting(_ note: Diagnostic) -> Output {
        var output = self
        output.notes.append(note)
        return output
    }
}
