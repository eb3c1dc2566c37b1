import HubKit
import MinteeDomain

/// `hub mintee analyses` and its subcommands.
enum AnalysesCommands {
    static let tree = Command(
        group: "analyses", aliases: ["analysis"], summary: "saved charts over tags",
        examples: [
            Example("hub mintee analyses new Health --tag health", "a chart of all tasks with a tag"),
            Example("hub mintee analyses show Water --type line", "one task as a line"),
        ], prominence: .more, view: "list",
        subcommands: [list, AnalysisChartCommand.command, new, edit, remove, restore, order])

    private static let one = Argument<String>(
        "NAME", help: "an analysis: its id or name", completion: .dynamic(completion))
    private static let newName = Argument<String>("NAME", help: "name of the analysis")
    private static let options = AnalysisOptions()

    /// Completes analyses by prefixes of their id or of words of their name.
    @Sendable static func completion(
        _ host: any PluginHost, _ typed: String
    ) async throws -> [CompletionWord] {
        let mintee = try host.plugin(MinteePlugin.self)
        let found = try await mintee.analyses()
            .filter { TaskSelection.isMeant($0.id, $0.analysis.name, by: typed) }
        return try await mintee.listed(found).map { CompletionWord(id: $0.shortID, name: $0.record.analysis.name) }
    }

    private static let list = Command(
        "list", summary: "list analyses, those on the home page first",
        examples: [
            Example("hub mintee analyses", "all analyses"),
            Example("hub mintee analyses --json=name,tags", "for a script"),
        ], fields: AnalysisListItem.fields
    ) { (mintee: MinteePlugin, _: Input) in
        .list(
            try await mintee.listed(try await mintee.analyses()), AnalysisListItem.fields,
            empty: Diagnostic(
                "No analyses",
                suggestions: [Example("hub mintee analyses new Health --tag health", "create the first one")]))
    }

    private static let new = Command(
        "new", summary: "create an analysis",
        examples: [
            Example("hub mintee analyses new Health --tag health", "the last 28 days as a grid"),
            Example("hub mintee analyses new Year --tag health --type line --days 365", "as a line"),
        ], parameters: [newName] + options.all, exclusive: AnalysisOptions.exclusive,
        fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        var analysis = Analysis(name: input[newName])
        try options.apply(input, to: &analysis, today: mintee.day.today)
        if input.dryRun { return .done("Would create \(analysis.name)") }
        let record = try await mintee.createAnalysis(analysis, operation: Operation(input))
        return try await changed("is new", record, mintee)
    }

    private static let name = Option<String>("name", "NAME", help: "new name")

    private static let edit = Command(
        "edit", summary: "change an analysis",
        examples: [
            Example("hub mintee analyses edit Health --days 90", "another range"),
            Example("hub mintee analyses edit Health --legend under=AD0C00", "another colour"),
        ], parameters: [one, name] + options.all, exclusive: AnalysisOptions.exclusive,
        fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await analysis(input[one], mintee, input)
        var analysis = record.analysis
        if let text = input[name] { analysis.name = text }
        try options.apply(input, to: &analysis, today: mintee.day.today)
        if input.dryRun { return .done("Would change \(record.analysis.name)") }
        let change = analysis
        let saved = try await mintee.updateAnalysis(
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
        try await mintee.deleteAnalysis(record.id, operation: Operation(input))
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
        let all = try await mintee.analyses(inTrash: true)
        guard let record = try await find(input[one], in: all, mintee, input) else {
            throw HubError(
                .notFound, code: "analysis-not-found", "no analysis in the trash is named \"\(input[one])\"",
                hint: "hub trash list lists the trash")
        }
        if input.dryRun { return .done("Would restore \(record.analysis.name)") }
        try await mintee.restoreAnalysis(record.id, operation: Operation(input))
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
        try await mintee.orderAnalyses(chosen.map(\.id), operation: Operation(input))
        return .done("On the home page: \(text). Undo: hub undo")
    }

    /// Returns the analysis that `word` matches: by its exact name, else its name in any case, else its id or a prefix
    /// of it; asks if there are several.
    static func find(
        _ word: String, in all: [AnalysisRecord], _ mintee: MinteePlugin, _ input: Input
    ) async throws -> AnalysisRecord? {
        if let exact = all.first(where: { $0.analysis.name == word }) { return exact }
        let folded = all.filter { TagName.folded($0.analysis.name) == TagName.folded(word) }
        let found = folded.isEmpty && Identifier.isPrefix(word) ? all.filter { $0.id.hasPrefix(word) } : folded
        if found.count < 2 { return found.first }
        let rows = try await mintee.listed(found)
        let candidates = rows.map { Candidate(id: $0.shortID, name: $0.record.analysis.name) }
        let picked = try await input.pick(candidates, named: word, noun: "analyses")
        return rows.first { $0.shortID == picked.id }?.record
    }

    private static func analysis(_ word: String, _ mintee: MinteePlugin, _ input: Input) async throws -> AnalysisRecord
    {
        let all = try await mintee.analyses()
        if let found = try await find(word, in: all, mintee, input) { return found }
        let near = Suggestion.nearest(to: word, in: all.map(\.analysis.name))
        throw HubError(
            .notFound, code: "analysis-not-found", "no analysis is named \"\(word)\"",
            hint: near.map { "did you mean \($0)?" } ?? "hub mintee analyses lists all analyses")
    }

    private static func changed(_ what: String, _ record: AnalysisRecord, _ mintee: MinteePlugin) async throws -> Output
    {
        let row = try await mintee.listed([record])[0]
        return .changed(
            "\(record.analysis.name) (\(row.shortID)) \(what): \(record.analysis.kind.name), \(record.analysis.range.text), "
                + "\(record.analysis.tags.joined(separator: ", ")). Undo: hub undo",
            row, AnalysisListItem.fields)
    }
}
