package import Commands
import Storage

extension EntityCommands {
    /// The columns of `history`.
    package static var historyFields: [Field<EntityChange>] {
        [
            Field("at", "WHEN", help: "time of the change") { .instant($0.operation.at) },
            Field("who", "WHO", help: "user or service that made the change") { .text($0.operation.who.text) },
            Field("operation", "OPERATION", help: "id of the operation") {
                .id($0.operation.id, shown: ShortIDs.minimum)
            },
            Field("command", "COMMAND", help: "command line", column: .ifRoom(1)) {
                .text($0.operation.commandLine)
            },
            Field("verb", "WHAT", help: "kind of change: created, changed, removed, restored or deleted") {
                .text($0.verb)
            },
            Field(
                "changes", "CHANGES", help: "changes in words", cell: { $0.changes.joined(separator: ", ") }
            ) { FieldValue($0.changes) },
        ]
    }

    /// The command `history`: lists the changes of an item.
    package func history(examples: [Example]? = nil) -> Command {
        let usual = [
            Example("\(kind.command) history last", "every change of the newest \(kind.one)"),
            Example("\(kind.command) history last --json=at,changes", "for a script"),
        ]
        return Command(
            "history", summary: "show the changes of a \(kind.one), newest first", examples: examples ?? usual,
            prominence: .more, parameters: [one], fields: Self.historyFields
        ) { (plugin: P, input: Input) in
            let items = entities(plugin)
            let chosen = try await items.select(input[one], asking: input)
            return .list(
                try await items.history(of: chosen.id), Self.historyFields,
                empty: Diagnostic("History does not go back to the last change of \(chosen.shownName)"))
        }
    }

    /// The columns of an earlier version.
    static var valueFields: [Field<EarlierValue>] {
        [
            Field("field", "FIELD", help: "field of the item, or a part of it") { .text($0.field) },
            Field("value", "VALUE", help: "value in words") { .text($0.value) },
            Field("span", "SPAN", help: "same, then or now: when the item has the value") { .text($0.span.rawValue) },
        ]
    }

    /// The columns of `diff`.
    package static var differenceFields: [Field<VersionDifference>] {
        [
            Field("field", "FIELD", help: "field of the item, or a part of it") { .text($0.field) },
            Field("before", "BEFORE", help: "value before; empty for none") { .text($0.before) },
            Field("after", "AFTER", help: "value after; empty for none") { .text($0.after) },
        ]
    }

    /// The command `diff`: shows the differences of an item between two times.
    package func diff(examples: [Example]? = nil) -> Command {
        let usual = [
            Example("\(kind.command) diff last", "since yesterday"),
            Example("\(kind.command) diff last --since 1w", "since last week"),
        ]
        return Command(
            "diff", summary: "show changes of a \(kind.one) between two points in time",
            discussion: ["--since defaults to one day ago, --until to now."], examples: examples ?? usual,
            prominence: .more,
            parameters: [one, SharedOptions.since, SharedOptions.until], fields: Self.differenceFields
        ) { (plugin: P, input: Input) in
            let items = entities(plugin)
            let chosen = try await items.select(input[one], asking: input)
            let now = items.clock.now
            let since = input[SharedOptions.since]?.instant(now: now, in: .system) ?? now - .seconds(86_400)
            let until = SharedOptions.end(of: input[SharedOptions.until], now: now) ?? now
            return .list(
                try await items.differences(of: chosen.id, since: since, until: until), Self.differenceFields,
                empty: Diagnostic("\(chosen.shownName) did not change"))
        }
    }
}
