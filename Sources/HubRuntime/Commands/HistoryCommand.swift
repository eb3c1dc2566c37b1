import HubKit

/// `hub history`: what was done, by whom, and what became of it.
enum HistoryCommand {
    private struct Row: Sendable {
        let record: OperationRecord
        let shown: Int
    }

    private static let reference = Arguments<String>(
        "OP|REF", .optional, help: "an operation, or a thing as plugin:id", completion: operations)
    private static let before = Option<String>(
        "before", "OP", help: "older than this operation", completion: operations)

    /// The last operations by the beginning of their id or of a word of their command line.
    static let operations = Completion.from(Hub.self) { hub, typed in
        let naming = try OperationNaming(hub)
        var words: [CompletionWord] = []
        for record in try await hub.database().history.operations(limit: 50)
        where record.id.hasPrefix(typed)
            || record.commandLine.split(separator: " ").contains(where: { $0.hasPrefix(typed) })
        {
            words.append(CompletionWord(id: try await naming.short(record), name: record.commandLine))
        }
        return words
    }

    private static let fields = [
        Field<Row>("id", "ID", help: "the operation") { .id($0.record.id, shown: $0.shown) },
        Field<Row>("at", "WHEN", help: "when it began") { .instant($0.record.at) },
        Field<Row>("who", "WHO", help: "you, or the service that did it") { .text($0.record.who.text) },
        Field<Row>("command", "COMMAND", help: "the command line") { .text($0.record.commandLine) },
        Field<Row>("state", "STATE", help: "open, done, undone or abandoned", cell: { cell($0.record.state) }) {
            .text($0.record.state.rawValue)
        },
        Field<Row>("name", "NAME", help: "the command without its words", column: .onRequest) { .text($0.record.name) },
    ]

    static let command = Command(
        "history", summary: "what was done, by whom, and what became of it",
        examples: [
            Example("hub history", "the last twenty operations"),
            Example("hub history 9hd", "what one of them touched"),
            Example("hub history contacts:7kt", "all that was done to one contact"),
        ], prominence: .more, parameters: [reference, SharedOptions.limit, before], fields: fields,
        subcommands: [HistoryPruneCommand.command]
    ) { (hub: Hub, input: Input) in
        let history = try hub.database().history
        guard let word = input[reference].first else {
            let all = try await history.operations(limit: .max, before: input[before])
            let records = Array(all.prefix(input.rowLimit(20)))
            return .list(
                try await rows(records, hub), fields,
                count: Output.count(records.count, of: all.count, "operations"), empty: Note("Nothing was done yet"))
        }
        if let colon = word.firstIndex(of: ":") {
            let plugin = String(word[..<colon])
            let subject = try await ReferenceResolver(hub, input).id(
                String(word[word.index(after: colon)...]), in: plugin)
            let all = try await history.operations(of: subject, owner: plugin)
            let records = Array(all.prefix(input.rowLimit()))
            return .matches(
                try await rows(records, hub), fields,
                count: Output.count(records.count, of: all.count, "operations"),
                none: Note("No operation touched \(word)"))
        }
        return try await details(of: word, hub)
    }

    private static func details(of word: String, _ hub: Hub) async throws -> Output {
        let history = try hub.database().history
        let found = try await history.operations(matching: word)
        guard let record = found.first, found.count == 1 else {
            throw found.isEmpty
                ? HubError(
                    .notFound, code: "operation-not-found", "no operation is called \(word)",
                    hint: "hub history lists them")
                : HubError.ambiguous(
                    try await rows(found, hub).map {
                        Candidate(id: String($0.record.id.prefix($0.shown)), name: $0.record.commandLine)
                    }, named: word, noun: "operations")
        }
        let subjects = try await history.subjects(of: record)
        let names = try await SubjectNames(hub)(subjects)
        let naming = try OperationNaming(hub)
        var lines = [
            "\(try await naming.short(record)), \(naming.age(record)), \(record.who.text): \(record.commandLine)"
        ]
        if record.state != .done { lines.append("  \(record.state.rawValue)") }
        for (plugin, ids) in subjects.sorted(by: { $0.key < $1.key }) {
            let nouns = SubjectNames(hub).nouns(of: plugin)
            let known = ids.map { names[plugin]?[$0] ?? "\($0.prefix(3)), no longer there" }.sorted()
            lines.append(
                "  \(ids.count) \(ids.count == 1 ? nouns.one : nouns.many): \(SubjectNames.line(known, limit: 20))")
        }
        return .record(Row(record: record, shown: try await naming.shown(record)), fields, human: lines)
    }

    private static func rows(_ records: [OperationRecord], _ hub: Hub) async throws -> [Row] {
        let naming = try OperationNaming(hub)
        var rows: [Row] = []
        for record in records { rows.append(Row(record: record, shown: try await naming.shown(record))) }
        return rows
    }

    private static func cell(_ state: OperationRecord.State) -> String { state == .done ? "" : state.rawValue }
}
