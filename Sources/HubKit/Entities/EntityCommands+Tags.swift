package import Commands
package import Storage

extension EntityCommands {
    /// The commands `tag`, `untag` and `tags`. `examples` are those of the first two, for the given verb; `notes`
    /// returns warnings after a change.
    package func tagging(
        examples: ((_ verb: String) -> [Example])? = nil, prominence: Command.Prominence = .more,
        notes: @escaping @Sendable (P, [Summary]) async throws -> [Diagnostic] = { _, _ in [] }
    ) -> [Command] {
        let examples =
            examples ?? { verb in
                [
                    Example("\(kind.command) \(verb) last old", "one tag of the newest \(kind.one)"),
                    Example("\(kind.command) \(verb) last old rare", "two tags"),
                ]
            }
        return [
            change("tag", "add tags to a \(kind.one)", examples("tag"), prominence, notes) {
                items, ids, tags, operation in
                try await items.setTags(of: ids, adding: tags, operation: operation)
            },
            change("untag", "remove tags from a \(kind.one)", examples("untag"), prominence, notes) {
                items, ids, tags, operation in
                try await items.setTags(of: ids, removing: tags, operation: operation)
            },
            Command(
                "tags", summary: "list tags with their number of \(kind.many)",
                examples: [
                    Example("\(kind.command) tags", "all tags"),
                    Example("\(kind.command) tags --json=tag", "names only, for a script"),
                ], prominence: .more, fields: tagFields
            ) { (plugin: P, _: Input) in
                .list(try await entities(plugin).tags(), tagFields, empty: Diagnostic("No tags"))
            },
        ]
    }

    /// The columns of `tags`.
    package var tagFields: [Field<TagUsage>] {
        [
            Field("tag", "TAG", help: "name of the tag") { .text($0.tag) },
            Field(
                "count", kind.many.uppercased(), help: "number of \(kind.many) with the tag", align: .trailing
            ) { .integer($0.count) },
        ]
    }

    private func change(
        _ verb: String, _ summary: String, _ examples: [Example], _ prominence: Command.Prominence,
        _ notes: @escaping @Sendable (P, [Summary]) async throws -> [Diagnostic],
        _ act: @escaping @Sendable (Entities<Record>, [String], [String], Operation) async throws -> [Record]
    ) -> Command {
        let words = Arguments<String>(
            "TAG", .oneOrMore, help: "tags, separated by spaces", completion: tagCompletion)
        return Command(
            verb, summary: summary, examples: examples, prominence: prominence, parameters: [oneOrStdin, words],
            changes: true
        ) { (plugin: P, input: Input) in
            let items = entities(plugin)
            let chosen = try await items.select([input[oneOrStdin]], asking: input)
            guard let item = chosen.first else { return .list([], fields, empty: Diagnostic("No \(kind.many) match")) }
            let label = chosen.count == 1 ? try await items.label(of: item) : kind.counted(chosen.count)
            let list = input[words].joined(separator: ", ")
            if input.dryRun { return .done("Would \(verb) \(label): \(list)") }
            let changed = try await act(items, chosen.map(\.id), input[words], Operation(input))
            guard let record = changed.first, let tags = kind.tags?.tags(record.summary) else {
                return .done("Nothing changed")
            }
            let result =
                chosen.count > 1
                ? "\(kind.counted(changed.count)) \(verb)ged: \(list)"
                : "\(label): \(tags.isEmpty ? "no tags" : tags.joined(separator: ", "))"
            var output = Output.edited(result)
            output.notes += try await notes(plugin, chosen)
            return output
        }
    }
}
