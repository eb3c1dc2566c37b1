import HubKit
import MinteeDomain

/// `hub mintee tag`, `untag` and `tags`.
enum TagCommands {
    private static let words = Arguments<String>(
        "TAG", .oneOrMore, help: "tags, separated by spaces", completion: TaskSelection.tagCompletion)

    static let tag = change("tag", "add tags to a task") { mintee, id, tags, operation in
        try await mintee.changeTags(of: id, adding: tags, operation: operation)
    }

    static let untag = change("untag", "remove tags from a task") { mintee, id, tags, operation in
        try await mintee.changeTags(of: id, removing: tags, operation: operation)
    }

    static let fields = [
        Field<TagUsage>("tag", "TAG", help: "name of the tag") { .text($0.tag) },
        Field<TagUsage>("count", "TASKS", help: "number of tasks with the tag", align: .trailing) {
            .integer($0.count)
        },
    ]

    static let tags = Command(
        "tags", summary: "list tags with their number of tasks",
        examples: [Example("hub mintee tags", "all tags"), Example("hub mintee tags --json=tag", "for a script")],
        prominence: .more, fields: fields
    ) { (mintee: MinteePlugin, _: Input) in
        .list(try await mintee.tags(), fields, empty: Diagnostic("No tags"))
    }

    private static func change(
        _ verb: String, _ summary: String,
        _ act:
            @escaping @Sendable (MinteePlugin, String, [String], Operation) async throws -> (
                tags: [String], isChanged: Bool
            )
    ) -> Command {
        Command(
            verb, summary: summary,
            examples: [
                Example("hub mintee \(verb) run health outside", "two tags"),
                Example("hub mintee \(verb) last work", "the newest task"),
            ], prominence: .more, parameters: [TaskSelection.one, words], changes: true
        ) { (mintee: MinteePlugin, input: Input) in
            let record = try await TaskSelection(mintee, input).task(input[TaskSelection.one])
            let tags = input[words]
            let name = try await mintee.named(record)
            if input.dryRun { return .done("Would \(verb) \(name): \(tags.joined(separator: ", "))") }
            let result = try await act(mintee, record.id, tags, Operation(input))
            if !result.isChanged { return .done("Nothing changed") }
            return .done(
                "\(name): \(result.tags.isEmpty ? "no tags" : result.tags.joined(separator: ", ")). Undo: hub undo")
        }
    }
}
