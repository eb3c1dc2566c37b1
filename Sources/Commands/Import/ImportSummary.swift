/// Reports the result of one file's import to people and programs.
package struct ImportSummary<Item: ImportedItem, Problem: ImportIssue>: Sendable {
    fileprivate let report: ImportReport<Item, Problem>
    fileprivate let file: String
    private let shortIDs: [String: String]
    fileprivate let isDryRun: Bool
    private let figure: @Sendable (Item) -> String?

    /// The narrowest column of names with words beside it, so that a few short ones do not look crowded.
    private static var leastNameWidth: Int { 15 }

    /// Only items with a short id show it. `figure` is the text next to the name of an item, such as `3 days`, with
    /// its remarks in the lines below; without a figure the remarks are next to the name.
    package init(
        _ report: ImportReport<Item, Problem>, file: String, shortIDs: [String: String], isDryRun: Bool,
        figure: @escaping @Sendable (Item) -> String? = { _ in nil }
    ) {
        self.report = report
        self.file = report.name ?? file
        self.shortIDs = shortIDs
        self.isDryRun = isDryRun
        self.figure = figure
    }

    /// Whether something could not be used.
    package var hasSkipped: Bool { report.skippedCount > 0 || report.failure != nil }

    /// The rows for programs.
    package var rows: [ImportReportRow<Item>] {
        var rows = report.items.map { item in
            ImportReportRow(
                outcome: item.outcome.rawValue, item: item, name: item.name, file: path(item.file),
                line: item.line, reason: item.words.isEmpty ? nil : item.words.joined(separator: "; "))
        }
        rows += report.skipped.map { problem in
            ImportReportRow(
                outcome: "skipped", item: nil, name: problem.subject ?? "", file: path(problem.file),
                line: problem.line > 0 ? problem.line : nil, reason: problem.message)
        }
        if let failure = report.failure {
            rows.append(
                ImportReportRow(outcome: "skipped", item: nil, name: "", file: file, line: nil, reason: failure.message)
            )
        }
        return rows
    }

    /// The row of the file as a whole, with its counts.
    fileprivate var totalRow: ImportReportRow<Item> {
        var row = ImportReportRow<Item>(outcome: "total", item: nil, name: "", file: file, line: nil, reason: nil)
        row.counts = [.new, .updated, .unchanged].map { ($0.rawValue, report.counts[$0, default: 0]) }
        row.counts.append(("skipped", report.skippedCount))
        return row
    }

    /// The lines for people: the items that the report has kept, the skipped ones, and the sum.
    package var lines: [String] { changedLines + problemLines + [sum + (isDryRun ? "" : undo)] }

    /// The lines for created and changed items.
    fileprivate var changedLines: [String] {
        itemLines + (untold > 0 ? ["and \(NumberFormat.grouped(untold)) more without remarks"] : [])
    }

    /// The number of changed items without a line.
    private var untold: Int { report.changedCount - report.items.count { $0.outcome != .unchanged } }

    /// The lines for skipped items, with hints.
    fileprivate var problemLines: [String] {
        var lines = report.skipped.flatMap(skippedLines)
        if let failure = report.failure {
            let start = report.total > 0 ? "the rest of \(file): " : ""
            lines.append("skipped".padded(to: 9) + start + failure.message)
        }
        lines += report.notes.map { "  \($0)" }
        // An error of the whole file has its own hint.
        if report.skipped.contains(where: { $0.line > 0 }) {
            let isOne = report.skippedCount == 1
            let what = (isOne ? "that" : "those") + (report.itemName.map { isOne ? " \($0)" : " \($0)s" } ?? "")
            lines.append("  hint: fix \(what) and import the file again; nothing is imported twice")
        }
        return lines
    }

    fileprivate var sum: String {
        let remarked = untold > 0 ? ", \(NumberFormat.grouped(report.remarkedCount)) with remarks" : ""
        return "\(file): \(report.counted)\(remarked)" + (isDryRun ? ". Nothing was changed" : "")
    }

    private var undo: String { report.changedCount > 0 ? ". Undo: hub undo" : "" }

    /// The lines of each item: its name with details next to it and below it.
    private var itemLines: [String] {
        let items = report.items
        let figures = items.map(figure)
        let names = items.map { DisplayWidth.of($0.name) }.max() ?? 0
        let nameWidth = figures.contains(nil) ? max(Self.leastNameWidth, names) : names
        let idWidth = shortIDs.values.map(\.count).max() ?? 3
        let indent = 9 + idWidth + 2
        return zip(items, figures).flatMap { item, figure in
            let line =
                item.outcome.rawValue.padded(to: 9) + (shortIDs[item.id] ?? "").padded(to: idWidth + 2) + item.name
            let beside = figure ?? item.words.joined(separator: "; ")
            let below = figure == nil ? [] : item.words
            return [beside.isEmpty ? line : line.padded(to: indent + nameWidth + 2) + beside]
                + below.map { String(repeating: " ", count: indent) + $0 }
        }
    }

    /// Returns the file of an item or a problem; `part` names one of several files that are read as one.
    private func path(_ part: String?) -> String { part.map { "\(file)/\($0)" } ?? file }

    private func skippedLines(_ problem: Problem) -> [String] {
        let subject = problem.subject.map { "\"\($0)\": " } ?? ""
        // A problem of a file as a whole has no line.
        let place = path(problem.file) + (problem.line > 0 ? ":\(problem.line):\(problem.column)" : "")
        return ["\("skipped".padded(to: 9))\(place)  \(subject)\(problem.message)"]
            + problem.excerptLines.map { "  " + $0 }
    }
}

extension ImportReport {
    /// As in `2 new, 0 updated, 0 unchanged, 1 skipped`.
    fileprivate var counted: String { Self.counted(counts, skipped: skippedCount) }

    fileprivate static func counted(_ counts: [ImportOutcome: Int], skipped: Int) -> String {
        func count(_ outcome: ImportOutcome) -> String { NumberFormat.grouped(counts[outcome, default: 0]) }
        return "\(count(.new)) new, \(count(.updated)) updated, \(count(.unchanged)) unchanged, "
            + "\(NumberFormat.grouped(skipped)) skipped"
    }
}

extension Output {
    /// Creates the output of an import, file by file; the exit code is partial when something was skipped.
    ///
    /// With `isQuiet`, only skipped items are printed. With `counts`, each file ends with a row of its counts.
    package init<Item, Problem>(
        imports: [ImportSummary<Item, Problem>], fields: [Field<ImportReportRow<Item>>], isQuiet: Bool = false,
        counts: Bool = false
    ) {
        self.init(.rows(Rows(imports.flatMap { $0.rows + (counts ? [$0.totalRow] : []) }, fields)))
        if isQuiet {
            human = imports.filter(\.hasSkipped).flatMap(\.problemLines)
        } else if imports.count == 1 {
            human = imports[0].lines
        } else {
            human = imports.flatMap { $0.changedLines + $0.problemLines + ($0.isUnread ? [] : [$0.sum]) }
            human?.append(Output.sum(imports))
        }
        isReport = true
        if imports.contains(where: \.hasSkipped) { exit = .partly }
    }

    /// The sum of several files.
    private static func sum<Item, Problem>(_ imports: [ImportSummary<Item, Problem>]) -> String {
        let reports = imports.map(\.report)
        let counts = reports.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
        let skipped = reports.reduce(0) { $0 + $1.skippedCount }
        let failed = reports.count { $0.failure != nil }
        let unread = failed == 0 ? "" : ", \(NumberFormat.grouped(failed)) \(failed == 1 ? "file" : "files") not read"
        let counted = ImportReport<Item, Problem>.counted(counts, skipped: skipped)
        let isDryRun = imports.contains(where: \.isDryRun)
        let hasChanged = reports.contains { $0.changedCount > 0 }
        return "\(NumberFormat.grouped(imports.count)) files: \(counted)\(unread)"
            + (isDryRun ? ". Nothing was changed" : hasChanged ? ". Undo: hub undo" : "")
    }
}

extension ImportSummary {
    /// Whether the file could not be read at all.
    fileprivate var isUnread: Bool { report.failure != nil && report.total == 0 }
}

extension Input {
    /// Whether an import lists every item: for a program, in a pipe or a file, and with `--verbose`.
    package var listsAllItems: Bool { Output.isForProgram(self) || !console.isShown || verbose }
}

extension Output {
    /// Whether the output is meant for a program, which gets all rows.
    package static func isForProgram(_ input: Input) -> Bool {
        let forms = [GlobalOptions.json, GlobalOptions.plain, GlobalOptions.format]
        return input[GlobalOptions.null] || forms.contains { input[$0] != nil }
    }
}
