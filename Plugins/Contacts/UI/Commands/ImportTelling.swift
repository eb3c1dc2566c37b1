import ContactsDomain
import HubKit

/// One card of an import, for a program.
struct ImportLine: Sendable {
    let outcome: String
    let id: String?
    let name: String
    let file: String
    let line: Int?
    let reason: String?

    static let fields = [
        Field<ImportLine>("outcome", "OUTCOME", help: "new, updated or skipped") { .text($0.outcome) },
        Field<ImportLine>("id", "ID", help: "the contact's id") { FieldValue($0.id) },
        Field<ImportLine>("name", "NAME", help: "the name on the card") { .text($0.name) },
        Field<ImportLine>("file", "FILE", help: "the file it came from") { .text($0.file) },
        Field<ImportLine>("line", "LINE", help: "the line at which a skipped card begins") { FieldValue($0.line) },
        Field<ImportLine>("reason", "REASON", help: "why a card was skipped or read with a doubt") {
            FieldValue($0.reason)
        },
    ]
}

/// Tells a person what became of the cards of one file.
struct ImportTelling: Sendable {
    private let report: ImportReport
    private let file: String
    private let shortIDs: [String: String]
    private let isDryRun: Bool

    /// The narrowest column of names, so that a few short ones do not look crowded.
    private static let nameWidth = 15

    init(_ report: ImportReport, file: String, shortIDs: [String: String], isDryRun: Bool) {
        self.report = report
        self.file = file
        self.shortIDs = shortIDs
        self.isDryRun = isDryRun
    }

    /// What a program gets.
    var rows: [ImportLine] {
        report.items.map { item in
            ImportLine(
                outcome: item.outcome.rawValue, id: item.contact.id, name: item.contact.name, file: file, line: nil,
                reason: item.doubts.isEmpty ? nil : Self.list(item.doubts))
        }
            + report.skipped.map { problem in
                ImportLine(
                    outcome: "skipped", id: nil, name: problem.subject ?? "", file: place(problem), line: problem.line,
                    reason: problem.message)
            }
    }

    /// The lines for a person: each card while they are few, and the sum.
    var lines: [String] {
        var lines = report.items.map(line)
        let untold = report.changedCount - report.items.count
        if untold > 0 { lines.append("and \(Numerals.grouped(untold)) more") }
        for problem in report.skipped { lines += skippedLines(problem) }
        let unseen = report.skippedCount - report.skipped.count
        if unseen > 0 { lines.append("and \(Numerals.grouped(unseen)) more that were skipped") }
        if report.skippedCount > 0 {
            let what = report.skippedCount == 1 ? "that card" : "those cards"
            lines.append("  hint: mend \(what) and import the file again; the others stay as they are")
        }
        return lines + [sum]
    }

    private var sum: String {
        func count(_ outcome: ImportReport.Outcome) -> String { Numerals.grouped(report.counts[outcome, default: 0]) }
        let sum =
            "\(file): \(count(.new)) new, \(count(.updated)) updated, \(count(.unchanged)) unchanged, "
            + "\(Numerals.grouped(report.skippedCount)) skipped"
        if isDryRun { return sum + ". Nothing was changed" }
        return report.changedCount > 0 ? sum + ". Undo: hub undo" : sum
    }

    private func line(_ item: ImportReport.Item) -> String {
        let width = max(Self.nameWidth, report.items.map { DisplayWidth.of($0.contact.name) }.max() ?? 0)
        let idWidth = shortIDs.values.map(\.count).max() ?? 3
        let id = isDryRun && item.outcome == .new ? "" : shortIDs[item.contact.id] ?? ""
        var line = pad(item.outcome.rawValue, 9) + pad(id, idWidth + 2) + item.contact.name
        if !item.doubts.isEmpty {
            line = pad(line, 11 + idWidth + width + 2) + Self.list(item.doubts)
        }
        return line
    }

    /// What was doubted, each thing once.
    private static func list(_ doubts: [InputProblem]) -> String {
        var seen = Set<String>()
        return doubts.map(\.message).filter { seen.insert($0).inserted }.joined(separator: "; ")
    }

    /// The file that a problem stands in.
    private func place(_ problem: InputProblem) -> String { problem.file.map { "\(file)/\($0)" } ?? file }

    private func skippedLines(_ problem: InputProblem) -> [String] {
        let subject = problem.subject.map { "\"\($0)\": " } ?? ""
        return [
            "\(pad("skipped", 9))\(place(problem)):\(problem.line):\(problem.columns.lowerBound)  \(subject)\(problem.message)"
        ]
            + problem.excerptLines.map { "  " + $0 }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }
}
