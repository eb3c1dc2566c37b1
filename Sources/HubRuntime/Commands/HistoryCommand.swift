import Commands
import HubKit
import Storage

/// `hub history`: show past operations, who ran them and their state.
enum HistoryCommand {
    private struct Row: Sendable {
        let record: OperationRecord
        let shown: Int
    }

    private static let reference = Arguments<String>(
        "OP|REF", .optional, help: "operation id, or an item as plugin:id", completion: operations)
    private static let before = Option<String>(
        "before", "OP|DATE", help: "only operations before this one, or before a date", completion: operations)

    /// The last operations by the beginning of their id or of a word of their command line.
    static let operations = Completion.from(Hub.self) { hub, typed in
        let naming = try OperationFormatter(hub)
        var words: [CompletionWord] = []
        for record in try await hub.database().history.operations(limit: 50)
        where record.id.hasPrefix(typed)
            || record.commandLine.split(separator: " ").contains(where: { $0.hasPrefix(typed) })
        {
            words.append(CompletionWord(id: try await naming.short(record), name: record.commandLine))
        }
        return words
    }

    private static let mine = Flag("mine", help: "only your own operations, not those of flows and services")

    private static let author = Option<String>(
        "by", "WHO", help: "only operations of this author, such as assistant:claude-code")

    private static let fields = [
        Field<Row>("id", "ID", help: "operation id") { .id($0.record.id, shown: $0.shown) },
        Field<Row>("at", "WHEN", help: "start time") { .instant($0.record.at) },
        Field<Row>("who", "WHO", help: "you, or the name of a service") { .text($0.record.who.text) },
        Field<Row>("command", "COMMAND", help: "command line") { .text($0.record.commandLine) },
        Field<Row>("state", "STATE", help: "open, done, undone or abandoned", cell: { cell($0.record.state) }) {
            .text($0.record.state.rawValue)
        },
        Field<Row>("name", "NAME", help: "command without its arguments", column: .onRequest) { .text($0.record.name) },
    ]

    static let command = Command(
        "history", summary: "show past operations, who ran them and their state",
        examples: [
            Example("hub history", "list the last twenty operations"),
            Example("hub history 9hd", "show what one operation changed"),
            Example("hub history --mine", "leave out flows and services"),
            Example("hub history --since yesterday --by serve", "what a service did since yesterday"),
            Example("hub history contacts:7kt", "list all changes of one contact"),
        ], prominence: .more,
        parameters: [reference, SharedOptions.limit, before, SharedOptions.since, SharedOptions.until, mine, author],
        exclusive: [["mine", "by"]], fields: fields,
        subcommands: [HistoryPruneCommand.command]
    ) { (hub: Hub, input: Input) in
        let history = try hub.database().history
        let by = input[mine] ? Operation.Author.person : input[author].map(Operation.Author.init(text:))
        let (since, end) = (
            input[SharedOptions.since]?.instant(now: hub.clock.now, in: .system),
            SharedOptions.end(of: input[SharedOptions.until], now: hub.clock.now)
        )
        let before = try await limit(input[before], hub)
        @Sendable func isInTime(_ record: OperationRecord) -> Bool {
            (since.map { record.at >= $0 } ?? true) && (end.map { record.at < $0 } ?? true)
                && (before.moment.map { record.at < $0 } ?? true)
        }
        guard let word = input[reference].first else {
            let all = try await history.operations(limit: .max, before: before.operation, by: by).filter(isInTime)
            let records = Array(all.prefix(input.rowLimit(20)))
            return .list(
                try await rows(records, hub), fields,
                count: Output.count(records.count, of: all.count, "operations"),
                empty: Diagnostic(
                    before.operation == nil && before.moment == nil && since == nil && end == nil && by == nil
                        ? "No operations yet" : "No operations match"))
        }
        if let colon = word.firstIndex(of: ":") {
            let plugin = String(word[..<colon])
            let subject = try await ReferenceResolver(hub, input).id(
                String(word[word.index(after: colon)...]), in: plugin)
            let all = try await history.operations(of: subject, owner: plugin)
                .filter { (by == nil || $0.who == by) && isInTime($0) }
            let records = Array(all.prefix(input.rowLimit()))
            return .matches(
                try await rows(records, hub), fields,
                count: Output.count(records.count, of: all.count, "operations"),
                none: Diagnostic("No operation changed \(word)"))
        }
        return try await details(of: word, hub)
    }

    /// What `--before` means: the operation whose id begins so, or a moment.
    private static func limit(_ word: String?, _ hub: Hub) async throws -> (operation: String?, moment: Instant?) {
        guard let word else { return (nil, nil) }
        let found = Identifier.isPrefix(word) ? try await hub.database().history.operations(matching: word) : []
        if found.count == 1 { return (found[0].id, nil) }
        if found.isEmpty, let date = try? DateExpression.parse(argument: word) {
            return (nil, date.instant(now: hub.clock.now, in: .system))
        }
        throw HubError(
            found.isEmpty ? .notFound : .usage, code: "operation-not-found",
            found.isEmpty
                ? "no operation and no date \"\(TerminalSanitizer.line(word))\""
                : "several operations begin with \(word)",
            hint: "give the id of one, as hub history lists it, or a date such as yesterday or 2026-11-20")
    }

    private static func details(of word: String, _ hub: Hub) async throws -> Output {
        let history = try hub.database().history
        let found = try await history.operations(matching: word)
        guard let record = found.first, found.count == 1 else {
            throw found.isEmpty
                ? HubError(
                    .notFound, code: "operation-not-found", "no operation with the id \(word)",
                    hint: "hub history lists all")
                : HubError.ambiguous(
                    try await rows(found, hub).map {
                        Candidate(id: String($0.record.id.prefix($0.shown)), name: $0.record.commandLine)
                    }, named: word, noun: "operations")
        }
        let naming = try OperationFormatter(hub)
        var lines = [
            "\(try await naming.short(record)), \(naming.age(record)), \(record.who.text): \(record.commandLine)"
        ]
        if record.state != .done { lines.append("  \(record.state.rawValue)") }
        lines += try await OperationItems(hub).lines(of: record, limit: 20).map { "  \($0)" }
        return .record(Row(record: record, shown: try await naming.shown(record)), fields, human: lines)
    }

    private static func rows(_ records: [OperationRecord], _ hub: Hub) async throws -> [Row] {
        let naming = try OperationFormatter(hub)
        var rows: [Row] = []
        for record in records { rows.append(Row(record: record, shown: try await naming.shown(record))) }
        return rows
    }

    private static func cell(_ state: OperationRecord.State) -> String { state == .done ? "" : state.rawValue }
}

/// `hub history prune`: forgets what was done before a day, for good.
enum HistoryPruneCommand {
    private static let before = Option<DateExpression>(
        "before", "DATE", help: "operations before this date or time")

    static let command = Command(
        "prune", summary: "delete undo history older than a date",
        discussion: [
            "This cannot be undone. Your data is kept; only its history is deleted, so these operations can no "
                + "longer be undone."
        ],
        examples: [
            Example("hub history prune --before 90d", "delete history older than 90 days"),
            Example("hub history prune --before 2026-01-01 --dry-run", "show how much would be deleted"),
        ], parameters: [before], changes: true
    ) { (hub: Hub, input: Input) in
        guard let moment = input[before]?.instant(now: hub.clock.now, in: .system) else {
            throw HubError(
                .usage, code: "missing-option", "hub history prune needs --before DATE",
                hint: "hub history prune --before 90d")
        }
        let history = try hub.database().history
        let old = try await history.operations(limit: Int.max).count { $0.at < moment }
        let what = NumberFormat.counted(old, "operation")
        if old == 0 { return .done("No operations before that date") }
        if input.dryRun { return .done("Would delete the history of \(what)") }
        let question = "Permanently delete the history of \(what)?"
        guard try await input.confirm(question, consequence: "this would permanently delete the history of \(what)")
        else { return .cancelled }
        let count = try await history.prune(before: moment)
        _ = try await hub.outboxPruner().prune(before: moment)
        let done = NumberFormat.counted(count, "operation")
        return await Erasure(hub).finish(.done("Deleted the history of \(done); your data is unchanged"))
    }
}
