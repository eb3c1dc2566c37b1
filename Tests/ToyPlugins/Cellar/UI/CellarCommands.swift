import CellarDomain
import CivilDate
import Commands
import HubKit

/// `hub cellar` and its subcommands.
enum CellarCommands {
    static let tree = Command(
        group: "cellar", nouns: ["bottle", "bottles"], summary: "bottles and their days",
        examples: [Example("hub cellar new First --on 2030-01-31", "add one with a day")], view: "list",
        subcommands: [list, search, new, set] + bottles.common)

    static let bottles = EntityCommands(
        Bottle.kind, valueName: "BOTTLE", oneForm: "id, name, words, or last", manyForms: "ids, names, words, last",
        fields: fields, complete: { plugin, typed in try await Array(plugin.search([typed]).prefix(50)) }
    ) { (plugin: CellarPlugin) in plugin.bottles }

    /// The routes of the list, of each item, of the trash, tags and history, and the page of all these.
    static let web = bottles.web(at: "/api/cellar") { plugin, query in
        try await plugin.search([query.words]).filter { query.tag == nil || $0.tags.contains(query.tag ?? "") }
    }

    /// The columns of the table, the keys of `--json` and the members of answers over HTTP.
    static let fields: [Field<ListedEntity<Bottle>>] = [
        .id(of: "bottle"), .name("BOTTLE", of: "bottle"),
        Field("day", "DAY", help: "day that hub reminds of") { FieldValue($0.summary.day) },
        Field("tags", "TAGS", help: "tags of the bottle") { FieldValue($0.summary.tags) },
        Field("revision", "REVISION", help: "revision number", column: .onRequest) { .integer($0.summary.revision) },
    ]

    private enum Order: String, CaseIterable, ChoiceArgument { case name, day }

    private static let list = bottles.list(
        examples: [
            Example("hub cellar list --sort day", "the next day first"),
            Example("hub cellar list --tag green", "by a tag"),
        ], by: Order.self, byTime: false,
        empty: Diagnostic("No bottles", suggestions: [Example("hub cellar new NAME", "add the first one")])
    ) { plugin, request, _ in
        let found =
            request.isTrash
            ? try await plugin.bottles.trash()
            : try await plugin.search([request.words]).filter { Set(request.tags).isSubset(of: $0.tags) }
        // Items without a day come last.
        let sorted =
            request.order == .name
            ? found : found.sorted { ($0.day?.daysSinceEpoch ?? .max) < ($1.day?.daysSinceEpoch ?? .max) }
        return request.isReversed ? sorted.reversed() : sorted
    }

    private static let search = bottles.search(examples: [
        Example("hub cellar search first", "by name"), Example("hub cellar search fir gre", "by beginnings of words"),
    ]) { plugin, words in try await plugin.search(words) }

    private static let name = Argument<String>("NAME", help: "name of the bottle")
    private static let newName = Option<String>("name", "NAME", help: "another name")
    private static let day = Option<CivilDate>("on", "DAY", help: "day that hub reminds of, such as 2030-01-31")

    private static let new = Command(
        "new", summary: "add a bottle",
        examples: [
            Example("hub cellar new First", "without a day"),
            Example("hub cellar new First --on 2030-01-31", "with a day"),
        ], parameters: [name, day], fields: fields, changes: true
    ) { (plugin: CellarPlugin, input: Input) in
        if input.dryRun { return .done("Would add \(input[name])") }
        let added = try await plugin.add(input[name], day: input[day], operation: Operation(input))
        let row = try await plugin.bottles.listed(added)
        return .edited("\(row.label) added", row, fields)
    }

    private static let set = Command(
        "set", summary: "change name or day of a bottle",
        examples: [
            Example("hub cellar set first --name Second", "another name"),
            Example("hub cellar set last --on 2030-01-31", "a day for the newest one"),
        ], parameters: [bottles.one, newName, day], fields: fields, changes: true
    ) { (plugin: CellarPlugin, input: Input) in
        let chosen = try await plugin.bottles.select(input[bottles.one], asking: input)
        if input.dryRun { return .done("Would change \(chosen.name)") }
        let changed = try await plugin.change(chosen.id, operation: Operation(input)) { bottle in
            bottle.name = input[newName] ?? bottle.name
            bottle.day = input[day] ?? bottle.day
        }
        let row = try await plugin.bottles.listed(changed)
        return .edited("\(row.label) changed", row, fields)
    }
}
