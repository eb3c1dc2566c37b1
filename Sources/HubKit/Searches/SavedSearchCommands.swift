package import Commands
package import Queries

/// What the commands and routes of saved searches say.
package struct SavedSearchTexts: Sendable {
    /// The id of the plugin.
    package let plugin: String
    /// What is found, such as `contacts`.
    package let many: String
    /// Two searches for examples, each with its name, query and description.
    package let examples: [(name: String, query: String, words: String)]

    package init(plugin: String, many: String, examples: [(name: String, query: String, words: String)]) {
        self.plugin = plugin
        self.many = many
        self.examples = examples
    }

    /// The command that the verbs belong to.
    var command: String { "hub \(plugin)" }
    /// The path of the routes.
    var path: String { "/api/\(plugin)/searches" }
    /// The name in examples that need one.
    var name: String { examples.first?.name ?? "mine" }
    /// A body for examples.
    var body: String { #"{"name": "\#(name)", "query": "\#(examples.first?.query ?? "words")"}"# }

    /// A query in the form in which a shell takes it.
    static func quoted(_ query: String) -> String { query.contains { " \"'<>".contains($0) } ? "'\(query)'" : query }
}

/// The commands `searches list|add|rename|rm` and the routes of a plugin: queries with a name, used as `@name`.
package enum SavedSearchCommands<P: SearchPlugin> {
    private static var texts: SavedSearchTexts { P.searchTexts }
    private static var completion: Completion {
        .from(P.self) { plugin, _ in try await plugin.savedSearches.all().map { CompletionWord($0.name, $0.query) } }
    }
    private static var newName: Argument<String> { Argument("NAME", help: "name of the search") }
    private static var name: Argument<String> {
        Argument("NAME", help: "name of the search", completion: completion)
    }
    private static var otherName: Argument<String> { Argument("NEW", help: "new name") }
    private static var words: Arguments<String> {
        Arguments("QUERY", .oneOrMore, help: "query, as \(texts.command) search takes it")
    }

    /// The group `searches`.
    package static var group: Command {
        Command(
            group: "searches", summary: "manage saved searches", prominence: .more, view: "list",
            subcommands: [list, add, rename, remove])
    }

    /// The output fields.
    package static var fields: [Field<SavedSearch>] {
        [
            Field("name", "SEARCH", help: "name of the search, used as @name", cell: { "@\($0.name)" }) {
                .text($0.name)
            },
            Field("query", "QUERY", help: "query that it stands for") { .text($0.query) },
        ]
    }

    private static var list: Command {
        Command(
            "list", summary: "list saved searches",
            examples: [
                Example("\(texts.command) searches", "all saved searches"),
                Example("\(texts.command) list @\(texts.name)", "the \(texts.many) that one finds"),
            ], fields: fields
        ) { (plugin: P, _: Input) in
            .list(
                try await plugin.savedSearches.all(), fields,
                empty: Diagnostic(
                    "No saved searches",
                    suggestions: [Example("\(texts.command) searches save NAME QUERY", "save one")]))
        }
    }

    private static var add: Command {
        Command(
            "save", aliases: ["add"], summary: "save a search under a name, or change it",
            examples: texts.examples.map {
                Example("\(texts.command) searches save \($0.name) \(SavedSearchTexts.quoted($0.query))", $0.words)
            }, parameters: [newName, words], fields: fields, changes: true
        ) { (plugin: P, input: Input) in
            let query = input[words].joined(separator: " ")
            let saved = try await plugin.saveSearch(input[newName], query, operation: Operation(plannable: input))
            return .edited(
                input.dryRun ? "Would save @\(saved.name): \(saved.query)" : "Saved @\(saved.name): \(saved.query)",
                saved, fields)
        }
    }

    private static var rename: Command {
        Command(
            "rename", summary: "give a saved search another name, also where others use it",
            examples: [
                Example("\(texts.command) searches rename \(texts.name) favorites", "now @favorites"),
                Example("\(texts.command) searches rename \(texts.name) favorites -n", "only show it"),
            ], parameters: [name, otherName], fields: fields, changes: true
        ) { (plugin: P, input: Input) in
            let (old, new) = (input[name], input[otherName])
            let renamed = try await plugin.renameSearch(old, to: new, operation: Operation(plannable: input))
            let verb = input.dryRun ? "Would rename" : "Renamed"
            return .edited("\(verb) @\(SavedSearch.name(old) ?? old) to @\(renamed.name)", renamed, fields)
        }
    }

    private static var remove: Command {
        Command(
            "rm", summary: "delete a saved search; its \(texts.many) stay",
            examples: [
                Example("\(texts.command) searches rm \(texts.name)", "delete @\(texts.name)"),
                Example("\(texts.command) searches rm \(texts.name) --dry-run", "only show what it stands for"),
            ], parameters: [name], fields: fields, changes: true
        ) { (plugin: P, input: Input) in
            let removed = try await plugin.deleteSearch(input[name], operation: Operation(plannable: input))
            return .edited(input.dryRun ? "Would delete @\(removed.name)" : "Deleted @\(removed.name)", removed, fields)
        }
    }

    // MARK: Routes

    /// The routes of the page, which do what the commands do.
    package static var routes: [Route] {
        let one = "\(texts.path)/{name}"
        return [
            Route(.get, texts.path, summary: "list saved searches", fields: fields) { (plugin: P, _) in
                .output(.list(try await plugin.savedSearches.all(), fields))
            },
            Route(
                .post, texts.path, summary: "save a search under a name, or change it", body: texts.body,
                required: ["name", "query"],
                fields: fields
            ) { (plugin: P, request) in
                let body = try request.json(example: texts.body)
                guard let name = body["name"]?.string else { throw HubError(field: "name", "must be a text") }
                guard let query = body["query"]?.string else { throw HubError(field: "query", "must be a text") }
                return .output(
                    .record(try await plugin.saveSearch(name, query, operation: request.operation), fields))
            },
            Route(
                .put, one, summary: "give a saved search another name", body: #"{"name": "favorites"}"#,
                required: ["name"],
                fields: fields
            ) { (plugin: P, request) in
                let body = try request.json(example: #"{"name": "favorites"}"#)
                guard let new = body["name"]?.string else { throw HubError(field: "name", "must be a text") }
                let old = request.captures["name"] ?? ""
                return .output(
                    .record(try await plugin.renameSearch(old, to: new, operation: request.operation), fields))
            },
            Route(.delete, one, summary: "delete a saved search", fields: fields) { (plugin: P, request) in
                let name = request.captures["name"] ?? ""
                return .output(.record(try await plugin.deleteSearch(name, operation: request.operation), fields))
            },
        ]
    }

    /// The saved searches among the filters of the page.
    package static func filter(_ plugin: P) async throws -> FieldValue.Member {
        let searches = try await plugin.savedSearches.all().map { search in
            FieldValue.object([.init("name", .text(search.name)), .init("query", .text(search.query))])
        }
        return .init("searches", .list(searches))
    }
}
