import Commands
import HubKit
import TeaDomain

/// `hub tea` and its subcommands.
enum TeaCommands {
    static let tree = Command(
        group: "tea", summary: "teas and pots", examples: [Example("hub tea new Sencha --grams 100", "add a tea")],
        view: "list", subcommands: [list, search, new, brew] + teas.common + AccountCommands<TeaPlugin>.all)

    static let teas = EntityCommands(
        Tea.kind, valueName: "TEA", oneForm: "id, name, words, or last", manyForms: "ids, names, words, last",
        fields: fields, complete: { tea, typed in try await Array(tea.search([typed]).prefix(50)) }
    ) { (tea: TeaPlugin) in tea.teas }

    static let web = teas.web(at: "/api/tea") { tea, query in
        try await tea.search([query.words]).filter { query.tag == nil || $0.tags.contains(query.tag ?? "") }
    }

    static let fields: [Field<ListedEntity<Tea>>] = [
        .id(of: "tea"), .name("TEA", of: "tea"),
        Field("grams", "GRAMS", help: "leaves in grams", align: .trailing) { .integer($0.summary.grams) },
        Field("tags", "TAGS", help: "tags of the tea") { FieldValue($0.summary.tags) },
        Field("revision", "REVISION", help: "revision number", column: .onRequest) { .integer($0.summary.revision) },
    ]

    private enum Order: String, CaseIterable, ChoiceArgument { case name, grams }

    private static let list = teas.list(
        examples: [
            Example("hub tea list --sort grams", "the rarest first"), Example("hub tea list --tag green", "by a tag"),
        ], by: Order.self, byTime: false,
        empty: Diagnostic("No teas", suggestions: [Example("hub tea new NAME", "add the first one")])
    ) { tea, request, _ in
        let found =
            request.isTrash
            ? try await tea.teas.trash()
            : try await tea.search([request.words]).filter { Set(request.tags).isSubset(of: $0.tags) }
        let sorted = found.sorted { request.order == .grams ? $0.grams < $1.grams : $0.name < $1.name }
        return request.isReversed ? sorted.reversed() : sorted
    }

    private static let search = teas.search(examples: [
        Example("hub tea search sencha", "by name"), Example("hub tea search sen gre", "by the beginnings of words"),
    ]) { tea, words in try await tea.search(words) }

    private static let name = Argument<String>("NAME", help: "name of the tea")
    private static let grams = Option<Int>("grams", "N", in: 0...1_000_000, help: "leaves in grams")

    private static let new = Command(
        "new", summary: "add a tea",
        examples: [
            Example("hub tea new Sencha --grams 100", "with its leaves"), Example("hub tea new Assam", "without"),
        ], parameters: [name, grams], fields: fields, changes: true
    ) { (tea: TeaPlugin, input: Input) in
        if input.dryRun { return .done("Would add \(input[name])") }
        let added = try await tea.add(input[name], grams: input[grams] ?? 0, operation: Operation(input))
        let row = try await tea.teas.listed(added)
        return .edited("\(row.label) added", row, fields)
    }

    private static let brew = Command(
        "brew", summary: "brew a pot of tea",
        examples: [
            Example("hub tea brew sencha", "takes \(Tea.pot) g"), Example("hub tea brew last", "the newest tea"),
        ], parameters: [teas.one], fields: fields, changes: true
    ) { (tea: TeaPlugin, input: Input) in
        let chosen = try await tea.teas.select(input[teas.one], asking: input)
        if input.dryRun { return .done("Would brew \(chosen.name)") }
        let row = try await tea.teas.listed(try await tea.brew(chosen.id, operation: Operation(input)))
        return .edited("\(row.label): \(row.summary.grams) g left", row, fields)
    }
}
