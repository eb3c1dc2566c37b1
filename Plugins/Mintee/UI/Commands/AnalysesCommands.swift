import CivilDate
import HubKit
import MinteeDomain

/// `hub mintee analyses` and its subcommands.
enum AnalysesCommands {
    static let tree = Command(
        group: "analyses", aliases: ["analysis"], summary: "saved charts over tags",
        examples: [
            Example("hub mintee analyses new Health --tag health", "a chart of all tasks with a tag"),
            Example("hub mintee analyses show Water --type line", "one task as a line"),
        ], prominence: .more, view: "list", subcommands: [list, show, new, edit, remove, restore, order])

    private static let shown = Argument<String>(
        "NAME", help: "an analysis or a task: its id or name", completion: .dynamic(showable))
    private static let one = Argument<String>(
        "NAME", help: "an analysis: its id or name", completion: .dynamic(completion))
    private static let newName = Argument<String>("NAME", help: "name of the analysis")
    /// Completes analyses by prefixes of their id or of words of their name.
    @Sendable private static func completion(
        _ host: any PluginHost, _ typed: String
    ) async throws -> [CompletionWord] {
        let mintee = try host.plugin(MinteePlugin.self)
        let found = try await mintee.getAnalyses()
            .filter { TaskSelection.isMeant($0.id, $0.analysis.name, by: typed) }
        let short = try await mintee.shortenIDs(found.map(\.id))
        return found.map { CompletionWord(id: short[$0.id] ?? $0.id, name: $0.analysis.name) }
    }

    @Sendable private static func showable(
        _ host: any PluginHost, _ typed: String
    ) async throws -> [CompletionWord] {
        guard case .dynamic(let tasks) = TaskSelection.completion else { return [] }
        return try await completion(host, typed) + tasks(host, typed)
    }

    private static let type = Option<ChartKind>("type", "TYPE", help: "box or line")
    private static let days = Option<Int>("days", "N", in: 1...Int(Int16.max), help: "the last N days")
    private static let from = Option<DateExpression>("from", "D", help: "first day; requires --to")
    private static let to = Option<DateExpression>("to", "D", help: "last day; requires --from")
    private static let tags = Option<[String]>(
        "tag", "TAG", help: "tasks with this tag; repeatable", completion: TaskSelection.tagCompletion)
    private static let colors = Option<[String]>(
        "legend", "CATEGORY=RRGGBB",
        help: "colour of reached, under or over, or of a value range such as \"x >= 5\"=09B300")
    private static let svg = Option<String>(
        "svg", "FILE", help: "write an SVG image to FILE, or - for stdout", completion: .files(["svg"]))

    private static let list = Command(
        "list", summary: "list analyses, those on the home page first",
        examples: [
            Example("hub mintee analyses", "all analyses"),
            Example("hub mintee analyses --json=name,tags", "for a script"),
        ], fields: AnalysisListItem.fields
    ) { (mintee: MinteePlugin, _: Input) in
        let rows = try await mintee.getAnalyses()
        let short = try await mintee.shortenIDs(rows.map(\.id))
        return .list(
            rows.map { AnalysisListItem(record: $0, shortID: short[$0.id] ?? $0.id) }, AnalysisListItem.fields,
            empty: Diagnostic(
                "No analyses",
                suggestions: [Example("hub mintee analyses new Health --tag health", "create the first one")]))
    }

    private static let show = Command(
        "show", summary: "draw a chart of an analysis or a task",
        examples: [
            Example("hub mintee analyses show Health", "as a grid of days"),
            Example("hub mintee analyses show Water --type line --days 90 --svg water.svg", "as an image"),
        ], parameters: [shown, type, days, from, to, svg], exclusive: [["days", "from"]], fields: ChartedDay.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let result = try await chart(mintee, input)
        if let file = input[svg] {
            let picture = ChartSVG(result.chart)
            let text = result.kind == .box ? picture.box : picture.line
            return .file(Array(text.utf8), path: file)
        }
        var output = Output(.rows(Rows(result.chart.cells, ChartedDay.fields)))
        output.layout = { ChartDrawing(result).lines(width: $0) }
        return output
    }

    private static func chart(_ mintee: MinteePlugin, _ input: Input) async throws -> ChartAnalysis.Result {
        let word = input[shown]
        let today = mintee.day.today
        let range = try range(input, today: today)
        let kind = input[type]?.kind
        let analyses = try await mintee.getAnalyses()
        if let found = try await find(word, in: analyses, mintee, input) {
            return try await mintee.chart(analysis: found.id, kind: kind, range: range)
        }
        let task = try await TaskSelection(mintee, input).task(word)
        let fallback = kind == .line ? AnalysisRange.last(days: 28) : nil
        return try await mintee.chart(task: task.id, kind: kind, range: range ?? fallback)
    }

    private static let new = Command(
        "new", summary: "create an analysis",
        examples: [
            Example("hub mintee analyses new Health --tag health", "the last 28 days as a grid"),
            Example("hub mintee analyses new Year --tag health --type line --days 365", "as a line"),
        ], parameters: [newName, type, days, from, to, tags, colors], exclusive: [["days", "from"]],
        fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        var analysis = Analysis(name: input[newName])
        try apply(input, to: &analysis, today: mintee.day.today)
        if input.dryRun { return .done("Would create \(analysis.name)") }
        let record = try await mintee.saveAnalysis.create(analysis, operation: Operation(input))
        return try await changed("is new", record, mintee)
    }

    private static let name = Option<String>("name", "NAME", help: "new name")

    private static let edit = Command(
        "edit", summary: "change an analysis",
        examples: [
            Example("hub mintee analyses edit Health --days 90", "another range"),
            Example("hub mintee analyses edit Health --legend under=AD0C00", "another colour"),
        ], parameters: [one, name, type, days, from, to, tags, colors], exclusive: [["days", "from"]],
        fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await analysis(input[one], mintee, input)
        var analysis = record.analysis
        if let text = input[name] { analysis.name = text }
        try apply(input, to: &analysis, today: mintee.day.today)
        if input.dryRun { return .done("Would change \(record.analysis.name)") }
        let change = analysis
        let saved = try await mintee.saveAnalysis.update(
            record.id, expecting: record.revision, operation: Operation(input)
        ) { $0 = change }
        return try await changed("is changed", saved, mintee)
    }

    private static let remove = Command(
        "rm", summary: "move an analysis to the trash; its tags stay",
        examples: [
            Example("hub mintee analyses rm Health", "after confirmation"),
            Example("hub mintee analyses rm Health --yes", "without confirmation"),
        ], parameters: [one], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await analysis(input[one], mintee, input)
        if input.dryRun { return .done("\(record.analysis.name) would be moved to the trash") }
        let question = "Remove the analysis \(record.analysis.name)?"
        guard try await input.confirm(question, consequence: "1 analysis would be moved to the trash") else {
            return .cancelled
        }
        try await mintee.arrangeAnalyses.delete(record.id, operation: Operation(input))
        return .done(
            "\(record.analysis.name) is in the trash for \(mintee.config[HubKeys.trashDays]) days. Undo: hub undo")
    }

    private static let restore = Command(
        "restore", summary: "restore an analysis from the trash",
        examples: [
            Example("hub mintee analyses restore Health", "by name"),
            Example("hub mintee analyses restore 7kt", "by id, as shown by hub trash list"),
        ], parameters: [one], fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let all = try await mintee.getAnalyses(inTrash: true)
        guard let record = try await find(input[one], in: all, mintee, input) else {
            throw HubError(
                .notFound, code: "analysis-not-found", "no analysis in the trash is named \"\(input[one])\"",
                hint: "hub trash list lists the trash")
        }
        if input.dryRun { return .done("Would restore \(record.analysis.name)") }
        try await mintee.arrangeAnalyses.restore(record.id, operation: Operation(input))
        return .done("Restored: \(record.analysis.name). Undo: hub undo")
    }

    private static let names = Arguments<String>(
        "NAME", .zeroOrMore, help: "analyses in the order of the home page", completion: .dynamic(completion))

    private static let order = Command(
        "order", summary: "set the analyses on the home page and their order",
        examples: [
            Example("hub mintee analyses order Health Work", "these two"),
            Example("hub mintee analyses order", "none"),
        ], parameters: [names], fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        var chosen: [AnalysisRecord] = []
        for word in input[names] { chosen.append(try await analysis(word, mintee, input)) }
        let text = chosen.isEmpty ? "none" : chosen.map(\.analysis.name).joined(separator: ", ")
        if input.dryRun { return .done("On the home page would be: \(text)") }
        try await mintee.arrangeAnalyses.order(chosen.map(\.id), operation: Operation(input))
        return .done("On the home page: \(text). Undo: hub undo")
    }

    /// Returns the analysis that `word` matches: by its exact name, else its name in any case, else its id or a prefix
    /// of it; asks if there are several.
    private static func find(
        _ word: String, in all: [AnalysisRecord], _ mintee: MinteePlugin, _ input: Input
    ) async throws -> AnalysisRecord? {
        if let exact = all.first(where: { $0.analysis.name == word }) { return exact }
        let folded = all.filter { TagName.folded($0.analysis.name) == TagName.folded(word) }
        let found = folded.isEmpty && Identifier.isPrefix(word) ? all.filter { $0.id.hasPrefix(word) } : folded
        if found.count < 2 { return found.first }
        let short = try await mintee.shortenIDs(found.map(\.id))
        let candidates = found.map { Candidate(id: short[$0.id] ?? $0.id, name: $0.analysis.name) }
        let picked = try await input.pick(candidates, named: word, noun: "analyses")
        return found.first { (short[$0.id] ?? $0.id) == picked.id }
    }

    private static func analysis(_ word: String, _ mintee: MinteePlugin, _ input: Input) async throws -> AnalysisRecord
    {
        let all = try await mintee.getAnalyses()
        if let found = try await find(word, in: all, mintee, input) { return found }
        let near = Suggestion.nearest(to: word, in: all.map(\.analysis.name))
        throw HubError(
            .notFound, code: "analysis-not-found", "no analysis is named \"\(word)\"",
            hint: near.map { "did you mean \($0)?" } ?? "hub mintee analyses lists all analyses")
    }

    private static func changed(_ what: String, _ record: AnalysisRecord, _ mintee: MinteePlugin) async throws -> Output
    {
        let short = try await mintee.shortenIDs([record.id])[record.id] ?? record.id
        return .changed(
            "\(record.analysis.name) (\(short)) \(what): \(record.analysis.kind.name), \(record.analysis.range.text), "
                + "\(record.analysis.tags.joined(separator: ", ")). Undo: hub undo",
            AnalysisListItem(record: record, shortID: short), AnalysisListItem.fields)
    }

    private static func range(_ input: Input, today: CivilDate) throws -> AnalysisRange? {
        if let count = input[days] { return .last(days: count) }
        guard input[from] != nil || input[to] != nil else { return nil }
        guard let first = input[from]?.day(today: today, .back), let last = input[to]?.day(today: today, .back) else {
            throw HubError.breaking("ANL-2", "range", "requires both --from and --to")
        }
        return .dates(from: first, to: last)
    }

    private static func apply(_ input: Input, to analysis: inout Analysis, today: CivilDate) throws {
        if let kind = input[type]?.kind { analysis.kind = kind }
        if let range = try range(input, today: today) { analysis.range = range }
        if !input[tags].isEmpty { analysis.tags = input[tags] }
        for text in input[colors] { try apply(color: text, to: &analysis.legend) }
    }

    /// Applies `reached=09B300` or `"3 <= x < 5"=09B300`; value ranges replace categories, and the other way round.
    private static func apply(color text: String, to legend: inout Legend) throws {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let hex = parts.last.map(String.init) ?? ""
        let what = parts.dropLast().joined(separator: "=")
        guard let color = LegendColor(hex.count == 6 ? hex + "FF" : hex) else {
            throw HubError(
                .usage, code: "color-invalid", "\"\(text)\" does not end with a colour",
                hint: "write reached=09B300: two hex digits each for red, green and blue")
        }
        let categories: [String: CompletionCategory] = ["reached": .reached, "under": .under, "over": .over]
        if let category = categories[what.lowercased()] {
            var entries = legend.completions.isEmpty ? legend.categorized : Legend.standard.categorized
            entries.removeAll { $0.category == category }
            let order: [CompletionCategory] = [.reached, .over, .under]
            entries.append(Legend.CategoryEntry(category, color))
            entries.sort { (order.firstIndex(of: $0.category) ?? 0) < (order.firstIndex(of: $1.category) ?? 0) }
            legend = Legend(categorized: entries)
        } else if what.allSatisfy({ $0.isLetter || $0.isWhitespace }) {
            let near = Suggestion.nearest(to: what, in: categories.keys.sorted())
            throw HubError(
                .usage, code: "legend-invalid", "unknown legend category \"\(what)\"",
                hint: near.map { "did you mean \($0)?" }
                    ?? #"write reached, under or over, or a value range: "x >= 5"=09B300"#)
        } else {
            do throws(TextProblem) {
                let target = try Target(what)
                legend = Legend(completions: legend.completions + [Legend.CompletionEntry(target, color)])
            } catch {
                throw HubError(
                    error, in: what, what: "a value range", hint: #"write "x >= 5"=09B300 or "3 <= x < 5"=FFAA00"#)
            }
        }
    }
}

/// `box` or `line` on the command line.
enum ChartKind: String, ChoiceArgument {
    case box, line

    var kind: AnalysisKind { self == .box ? .box : .line }
}

/// An analysis as a row.
struct AnalysisListItem: Sendable {
    let record: AnalysisRecord
    let shortID: String

    static let fields = [
        Field<AnalysisListItem>("id", "ID", help: "id of the analysis") { .id($0.record.id, shown: $0.shortID.count) },
        Field<AnalysisListItem>("name", "ANALYSIS", help: "name of the analysis") { .text($0.record.analysis.name) },
        Field<AnalysisListItem>("type", "TYPE", help: "box or line") { .text($0.record.analysis.kind.name) },
        Field<AnalysisListItem>("range", "RANGE", help: "days covered") { .text($0.record.analysis.range.text) },
        Field<AnalysisListItem>(
            "tags", "TAGS", help: "the tags", cell: { $0.record.analysis.tags.joined(separator: ", ") }
        ) { FieldValue($0.record.analysis.tags) },
        Field<AnalysisListItem>(
            "order", "HOME", help: "position on the home page, from 0; -1 if not shown", align: .trailing,
            cell: { $0.record.order < 0 ? "" : String($0.record.order + 1) }
        ) { .integer($0.record.order) },
    ]
}

/// A day of a chart as a row.
enum ChartedDay {
    static let fields = [
        Field<Chart.Cell>("date", "DATE", help: "the day") { .day($0.date) },
        Field<Chart.Cell>("reached", "REACHED", help: "number of tasks that reached their target") {
            .integer($0.tally.reached)
        },
        Field<Chart.Cell>("under", "UNDER", help: "number of tasks under their target") { .integer($0.tally.under) },
        Field<Chart.Cell>("over", "OVER", help: "number of tasks over their target") { .integer($0.tally.over) },
        Field<Chart.Cell>(
            "value", "VALUE", help: "value of a single task, or share reached of several; null if nothing counts"
        ) { $0.value.map { .number(NumberText.text($0)) } ?? .null },
    ]
}

/// `hub mintee theme`: shows or sets the theme of the page.
enum ThemeCommand {
    private static let name = Arguments<String>(
        "NAME", .zeroOrMore, help: "System Default, Jungle or Ocean", completion: .words(Theme.allCases.map(\.rawValue))
    )

    static let command = Command(
        "theme", summary: "show or set the theme of the page",
        examples: [
            Example("hub mintee theme", "the current theme"), Example("hub mintee theme Ocean", "another theme"),
        ],
        prominence: .full, parameters: [name], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let word = input[name].joined(separator: " ")
        if word.isEmpty { return .text([try await mintee.theme.current().rawValue]) }
        if input.dryRun { return .done("Would set the theme to \(word)") }
        let theme = try await mintee.theme(word, operation: Operation(input))
        return .done("Theme set to \(theme.rawValue). Undo: hub undo")
    }
}
