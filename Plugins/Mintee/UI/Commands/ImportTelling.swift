import HubKit
import MinteeDomain

/// One task of an import, for a program.
struct ImportLine: Sendable {
    let outcome: String
    let id: String?
    let name: String
    let days: Int?
    let file: String
    let line: Int?
    let reason: String?

    static let fields = [
        Field<ImportLine>("outcome", "OUTCOME", help: "new, updated or skipped") { .text($0.outcome) },
        Field<ImportLine>("id", "ID", help: "the task's id") { FieldValue($0.id) },
        Field<ImportLine>("name", "NAME", help: "the name of the task") { .text($0.name) },
        Field<ImportLine>("days", "DAYS", help: "how many days it got") { FieldValue($0.days) },
        Field<ImportLine>("file", "FILE", help: "the file it came from") { .text($0.file) },
        Field<ImportLine>("line", "LINE", help: "the line of what was skipped") { FieldValue($0.line) },
        Field<ImportLine>("reason", "REASON", help: "why it was skipped, or what hub cannot carry of it") {
            FieldValue($0.reason)
        },
    ]
}

/// Tells a person what became of the tasks of one file.
struct ImportTelling: Sendable {
    private let report: TaskImportReport
    private let file: String
    private let shortIDs: [String: String]
    private let isDryRun: Bool

    init(_ report: TaskImportReport, file: String, shortIDs: [String: String], isDryRun: Bool) {
        self.report = report
        self.file = file
        self.shortIDs = shortIDs
        self.isDryRun = isDryRun
    }

    /// What a program gets.
    var rows: [ImportLine] {
        report.items.map { item in
            ImportLine(
                outcome: item.outcome.rawValue, id: item.id.isEmpty ? nil : item.id, name: item.name, days: item.days,
                file: file, line: nil, reason: item.words.isEmpty ? nil : item.words.joined(separator: "; "))
        }
            + report.skipped.map { problem in
                ImportLine(
                    outcome: "skipped", id: nil, name: problem.subject ?? "", days: nil, file: path(problem),
                    line: problem.place.line, reason: problem.message)
            }
    }

    /// The lines for a person: each task while they are few, what was left out, and the sum.
    var lines: [String] {
        var lines = report.items.flatMap(itemLines)
        let untold = report.changedCount - report.items.count
        if untold > 0 { lines.append("and \(Numerals.grouped(untold)) more") }
        for problem in report.skipped { lines += skippedLines(problem) }
        let unseen = report.skippedCount - report.skipped.count
        if unseen > 0 { lines.append("and \(Numerals.grouped(unseen)) more that were skipped") }
        lines += report.notes.map { "  \($0)" }
        if report.skippedCount > 0 {
            let what = report.skippedCount == 1 ? "that" : "those"
            lines.append("  hint: mend \(what) and import the file again; the others stay as they are")
        }
        return lines + [sum]
    }

    private var sum: String {
        func count(_ outcome: TaskImportReport.Outcome) -> String {
            Numerals.grouped(report.counts[outcome, default: 0])
        }
        let sum =
            "\(file): \(count(.new)) new, \(count(.updated)) updated, \(count(.unchanged)) unchanged, "
            + "\(Numerals.grouped(report.skippedCount)) skipped"
        if isDryRun { return sum + ". Nothing was changed" }
        return report.changedCount > 0 ? sum + ". Undo: hub undo" : sum
    }

    /// The task with its number of days, and below it what hub cannot carry.
    private func itemLines(_ item: TaskImportReport.Item) -> [String] {
        let nameWidth = report.items.map { DisplayWidth.of($0.name) }.max() ?? 0
        let idWidth = shortIDs.values.map(\.count).max() ?? 3
        let days = item.days.map { $0 == 1 ? "1 day" : "\(Numerals.grouped($0)) days" } ?? "analysis"
        let line =
            pad(item.outcome.rawValue, 9) + pad(shortIDs[item.id] ?? "", idWidth + 2) + pad(item.name, nameWidth + 2)
            + days
        return [line] + item.words.map { String(repeating: " ", count: 11 + idWidth) + $0 }
    }

    /// The file that a problem stands in.
    private func path(_ problem: ImportProblem) -> String { problem.place.file.map { "\(file)/\($0)" } ?? file }

    private func skippedLines(_ problem: ImportProblem) -> [String] {
        let subject = problem.subject.map { "\"\($0)\": " } ?? ""
        let place = "\(path(problem)):\(problem.place.line):\(problem.columns.lowerBound)"
        let line = "\(pad("skipped", 9))\(place)  \(subject)\(problem.message)"
        if problem.place.excerpt.isBlank { return [line] }
        let excerpt = SourceExcerpt(
            lines: [problem.place.excerpt], line: problem.place.line, columns: problem.columns, note: "")
        return [line] + excerpt.rendered.map { "  " + $0 }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }
}
