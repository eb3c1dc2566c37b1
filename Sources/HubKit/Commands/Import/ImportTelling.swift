/// Tells a person and a program what became of the items of one file.
package struct ImportTelling<Item: ImportedItem, Problem: ImportFault>: Sendable {
    private let report: ImportReport<Item, Problem>
    private let file: String
    private let thing: String?
    private let shortIDs: [String: String]
    private let isDryRun: Bool
    private let figure: @Sendable (Item) -> String?

    /// The narrowest column of names with words beside it, so that a few short ones do not look crowded.
    private static var leastNameWidth: Int { 15 }

    /// `thing` is what one item of the file is called, such as `card`. Only items with a short id show it. `figure` is what stands beside the name of an item,
    /// such as `3 days`, with its words in the lines below; without one the words stand there.
    package init(
        _ report: ImportReport<Item, Problem>, file: String, thing: String? = nil, shortIDs: [String: String],
        isDryRun: Bool, figure: @escaping @Sendable (Item) -> String? = { _ in nil }
    ) {
        self.report = report
        self.file = file
        self.thing = thing
        self.shortIDs = shortIDs
        self.isDryRun = isDryRun
        self.figure = figure
    }

    /// Whether something could not be used.
    package var hasSkipped: Bool { report.skippedCount > 0 }

    /// What a program gets.
    package var rows: [ImportLine<Item>] {
        report.items.map { item in
            ImportLine(
                outcome: item.outcome.rawValue, item: item, name: item.name, file: file, line: nil,
                reason: item.words.isEmpty ? nil : item.words.joined(separator: "; "))
        }
            + report.skipped.map { problem in
                ImportLine(
                    outcome: "skipped", item: nil, name: problem.subject ?? "", file: path(problem), line: problem.line,
                    reason: problem.message)
            }
    }

    /// The lines for a person: each item while they are few, what was left out, and the sum.
    package var lines: [String] {
        var lines = itemLines
        let untold = report.changedCount - report.items.count
        if untold > 0 { lines.append("and \(Numerals.grouped(untold)) more") }
        lines += report.skipped.flatMap(skippedLines)
        let unseen = report.skippedCount - report.skipped.count
        if unseen > 0 { lines.append("and \(Numerals.grouped(unseen)) more that were skipped") }
        lines += report.notes.map { "  \($0)" }
        if hasSkipped {
            let isOne = report.skippedCount == 1
            let what = (isOne ? "that" : "those") + (thing.map { isOne ? " \($0)" : " \($0)s" } ?? "")
            lines.append("  hint: mend \(what) and import the file again; the others stay as they are")
        }
        return lines + [sum]
    }

    private var sum: String {
        func count(_ outcome: ImportOutcome) -> String { Numerals.grouped(report.counts[outcome, default: 0]) }
        let sum =
            "\(file): \(count(.new)) new, \(count(.updated)) updated, \(count(.unchanged)) unchanged, "
            + "\(Numerals.grouped(report.skippedCount)) skipped"
        if isDryRun { return sum + ". Nothing was changed" }
        return report.changedCount > 0 ? sum + ". Undo: hub undo" : sum
    }

    /// Each item with what stands beside its name, and what stands below.
    private var itemLines: [String] {
        let figures = report.items.map(figure)
        let names = report.items.map { DisplayWidth.of($0.name) }.max() ?? 0
        let nameWidth = figures.contains(nil) ? max(Self.leastNameWidth, names) : names
        let idWidth = shortIDs.values.map(\.count).max() ?? 3
        let indent = 9 + idWidth + 2
        return zip(report.items, figures).flatMap { item, figure in
            let line =
                pad(item.outcome.rawValue, 9) + pad(shortIDs[item.id] ?? "", idWidth + 2) + item.name
            let beside = figure ?? item.words.joined(separator: "; ")
            let below = figure == nil ? [] : item.words
            return [beside.isEmpty ? line : pad(line, indent + nameWidth + 2) + beside]
                + below.map { String(repeating: " ", count: indent) + $0 }
        }
    }

    /// The file that a problem stands in.
    private func path(_ problem: Problem) -> String { problem.file.map { "\(file)/\($0)" } ?? file }

    private func skippedLines(_ problem: Problem) -> [String] {
        let subject = problem.subject.map { "\"\($0)\": " } ?? ""
        let place = "\(path(problem)):\(problem.line):\(problem.column)"
        return ["\(pad("skipped", 9))\(place)  \(subject)\(problem.message)"] + problem.excerptLines.map { "  " + $0 }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }
}

extension Output {
    /// What an import did with its files, one after the other; partly done when something was skipped.
    package init<Item, Problem>(
        imports: [ImportTelling<Item, Problem>], fields: [Field<ImportLine<Item>>]
    ) {
        self.init(.rows(Rows(imports.flatMap(\.rows), fields)))
        human = imports.flatMap(\.lines)
        isReport = true
        if imports.contains(where: \.hasSkipped) { exit = .partly }
    }
}
