import Commands
import ContactsDomain
import HubKit

/// `hub contacts searches`: queries with a name, used as `@name`.
enum SearchesCommands {
    private static let completion = Completion.from(ContactsPlugin.self) { contacts, _ in
        try await contacts.searches().map { CompletionWord($0.name, $0.query) }
    }
    private static let newName = Argument<String>("NAME", help: "name of the search")
    private static let name = Argument<String>("NAME", help: "name of the search", completion: completion)
    private static let words = Arguments<String>("QUERY", .oneOrMore, help: "query, as hub contacts search takes it")

    static let command = Command(
        group: "searches", summary: "manage saved searches", prominence: .more, view: "list",
        subcommands: [list, add, remove])

    /// The output fields.
    static let fields = [
        Field<SavedSearch>("name", "SEARCH", help: "name of the search, used as @name", cell: { "@\($0.name)" }) {
            .text($0.name)
        },
        Field<SavedSearch>("query", "QUERY", help: "query that it stands for") { .text($0.query) },
    ]

    private static let list = Command(
        "list", summary: "list saved searches",
        examples: [
            Example("hub contacts searches", "all saved searches"),
            Example("hub contacts list @family", "the contacts that one finds"),
        ], fields: fields
    ) { (contacts: ContactsPlugin, _: Input) in
        .list(
            try await contacts.searches(), fields,
            empty: Diagnostic(
                "No saved searches", suggestions: [Example("hub contacts searches add NAME QUERY", "save one")]))
    }

    private static let add = Command(
        "add", summary: "save a search under a name, or change it",
        examples: [
            Example("hub contacts searches add family tag:family", "used as @family"),
            Example("hub contacts searches add stale 'has:phone -tag:old'", "several conditions"),
        ], parameters: [newName, words], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let query = input[words].joined(separator: " ")
        let saved = try await contacts.saveSearch(input[newName], query, operation: Operation(plannable: input))
        return .edited(
            input.dryRun ? "Would save @\(saved.name): \(saved.query)" : "Saved @\(saved.name): \(saved.query)", saved,
            fields)
    }

    private static let remove = Command(
        "rm", summary: "delete a saved search; its contacts stay",
        examples: [
            Example("hub contacts searches rm family", "delete @family"),
            Example("hub contacts searches rm family --dry-run", "only show what it stands for"),
        ],
        parameters: [name], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let removed = try await contacts.deleteSearch(input[name], operation: Operation(plannable: input))
        return .edited(input.dryRun ? "Would delete @\(removed.name)" : "Deleted @\(removed.name)", removed, fields)
    }
}
