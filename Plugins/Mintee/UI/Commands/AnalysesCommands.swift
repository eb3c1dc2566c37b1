import Commands
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

    /// The commands and parameters that follow from the description of analyses.
    static let entity = EntityCommands(
        AnalysisRecord.kind, valueName: "NAME", oneForm: "id or name", manyForms: "ids or names",
        fields: AnalysisListItem.fields
    ) { (mintee: MinteePlugin, typed) in
        try await mintee.listAnalyses().filter { SearchWords.complete(typed, $0) }
    } in: { mintee in
        mintee.analyses
    }

    private static let newName = Argument<String>("NAME", help: "name of the analysis")
    private static let options = AnalysisOptions()

    private static let list = Command(
        "list", summary: "list analyses, those on the home page first",
        examples: [
            Example("hub mintee analyses", "all analyses"),
            Example("hub mintee analyses --json=name,tags", "for a script"),
        ], fields: AnalysisListItem.fields
    ) { (mintee: MinteePlugin, _: Input) in
        .list(
            try await mintee.analyses.listed(try await mintee.listAnalyses()), AnalysisListItem.fields,
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
        try options.apply(input, to: &analysis, today: mintee.day.today, mintee.config.decimalMark)
        let record = try await mintee.createAnalysis(analysis, operation: Operation(plannable: input))
        return try await changed({ "\($0) is new" }, record, mintee, plan: input.dryRun ? "Would create" : nil)
    }

    private static let name = Option<String>("name", "NAME", help: "new name")

    private static let edit = Command(
        "edit", summary: "change an analysis",
        examples: [
            Example("hub mintee analyses edit Health --days 90", "another range"),
            Example("hub mintee analyses edit Health --legend under=AD0C00", "another colour"),
        ], parameters: [entity.one, name] + options.all, exclusive: AnalysisOptions.exclusive,
        fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await mintee.analyses.select(input[entity.one], asking: input)
        var analysis = record.analysis
        if let text = input[name] { analysis.name = text }
        try options.apply(input, to: &analysis, today: mintee.day.today, mintee.config.decimalMark)
        let change = analysis
        let saved = try await mintee.updateAnalysis(
            record.id, expecting: record.revision, operation: Operation(plannable: input)
        ) { $0 = change }
        return try await changed({ "Changed \($0)" }, saved, mintee, plan: input.dryRun ? "Would change" : nil)
    }

    private static let remove = entity.remove(examples: [
        Example("hub mintee analyses rm Health", "its tags stay"),
        Example("hub mintee analyses rm Health --yes", "without confirmation"),
    ])

    private static let restore = entity.restore(examples: [
        Example("hub mintee analyses restore Health", "by name"),
        Example("hub mintee analyses restore 7kt", "by id, as shown by hub trash list"),
    ])

    private static let names = Arguments<String>(
        "NAME", .zeroOrMore, help: "analyses in the order of the home page", completion: entity.completion)

    private static let order = Command(
        "order", summary: "set the analyses on the home page and their order",
        examples: [
            Example("hub mintee analyses order Health Work", "these two"),
            Example("hub mintee analyses order", "none"),
        ], parameters: [names], fields: AnalysisListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let chosen = try await mintee.analyses.select(input[names], asking: input)
        let text = chosen.isEmpty ? "no analysis" : chosen.map(\.name).joined(separator: ", ")
        if input.dryRun { return .done("The home page would show \(text)") }
        try await mintee.orderAnalyses(chosen.map(\.id), operation: Operation(input))
        return .edited("The home page shows \(text)")
    }

    /// Reports what was done, in words about the analysis, or in a dry run what would be: `plan` opens that sentence.
    private static func changed(
        _ words: (String) -> String, _ record: AnalysisRecord, _ mintee: MinteePlugin, plan: String?
    ) async throws -> Output {
        let row = try await mintee.analyses.listed(record)
        let analysis = record.analysis
        let settings = [analysis.kind.name, analysis.range.text, analysis.tags.joined(separator: ", ")]
            .joined(separator: ", ")
        return .edited(
            plan.map { "\($0) \(analysis.name): \(settings)" } ?? "\(words(row.label)): \(settings)",
            row, AnalysisListItem.fields)
    }
}

/// An analysis as a row.
typealias ListedAnalysis = ListedEntity<AnalysisRecord>

/// The columns of analyses.
enum AnalysisListItem {
    static let fields = [
        Field<ListedAnalysis>("id", "ID", help: "id of the analysis") { .id($0.summary.id, shown: $0.shortID.count) },
        Field<ListedAnalysis>("name", "ANALYSIS", help: "name of the analysis") { .text($0.summary.analysis.name) },
        Field<ListedAnalysis>("type", "TYPE", help: "box or line") { .text($0.summary.analysis.kind.name) },
        Field<ListedAnalysis>("range", "RANGE", help: "days covered") { .text($0.summary.analysis.range.text) },
        Field<ListedAnalysis>(
            "tags", "TAGS", help: "the tags", cell: { $0.summary.analysis.tags.joined(separator: ", ") }
        ) { FieldValue($0.summary.analysis.tags) },
        Field<ListedAnalysis>(
            "order", "HOME", help: "position on the home page, from 0; -1 if not shown", align: .trailing,
            cell: { $0.summary.order < 0 ? "" : String($0.summary.order + 1) }
        ) { .integer($0.summary.order) },
    ]
}
