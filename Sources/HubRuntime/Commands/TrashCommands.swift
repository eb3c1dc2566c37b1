import Commands
import HubKit

/// `hub trash`: what was deleted, the way back, and the one way to destroy it.
enum TrashCommands {
    private struct Row: Sendable {
        let plugin: String
        let item: TrashedItem
        let shown: Int
        var reference: String { "\(plugin):\(item.id)" }
    }

    private static let fields = [
        Field<Row>("ref", "REF", help: "plugin:id of the item", cell: { "\($0.plugin):\($0.item.id.prefix($0.shown))" })
        {
            .text($0.reference)
        },
        Field<Row>("title", "TITLE", help: "name or title") { .text($0.item.title) },
        Field<Row>("deleted_at", "DELETED", help: "time of deletion") { .instant($0.item.deletedAt) },
    ]

    private static let references = Arguments<String>(
        "REF", .oneOrMore, help: "item as plugin:id",
        completion: .from(Hub.self) { hub, typed in
            try await rows(hub).filter { row in
                row.reference.hasPrefix(typed) || row.item.id.hasPrefix(typed)
                    || row.item.title.split(separator: " ").contains { $0.lowercased().hasPrefix(typed.lowercased()) }
            }.map { CompletionWord(id: "\($0.plugin):\($0.item.id.prefix($0.shown))", name: $0.item.title) }
        })
    private static let beforeDate = Option<DateExpression>(
        "before", "DATE", help: "only items deleted before this date or time")

    static let command = Command(
        group: "trash", summary: "list, restore and permanently delete items in the trash", prominence: .full,
        view: "list",
        subcommands: [list, restore, empty])

    private static let list = Command(
        "list", summary: "list the items in the trash",
        examples: [
            Example("hub trash", "list all items, newest first"),
            Example("hub trash --json", "print full ids for a script"),
        ], fields: fields
    ) { (hub: Hub, _: Input) in .list(try await rows(hub), fields, empty: Diagnostic("The trash is empty")) }

    private static let restore = Command(
        "restore", summary: "restore items from the trash",
        examples: [
            Example("hub trash restore contacts:7kt", "restore one contact"),
            Example("hub trash restore contacts:7kt contacts:3mx", "restore several items"),
        ], parameters: [references],
        changes: true
    ) { (hub: Hub, input: Input) in
        let trash = try await rows(hub)
        let chosen = try input[references].map { word in try find(word, in: trash) }
        if input.dryRun { return .list(chosen, fields) }
        let operation = Operation(input.operation, commandLine: input.commandLine)
        for (plugin, rows) in Dictionary(grouping: chosen, by: \.plugin) {
            try await provider(of: plugin, hub)?.restore(hub, rows.map(\.item.id), operation)
        }
        return .edited("Restored: \(NameList.line(chosen.map(\.item.title)))")
    }

    private static let empty = Command(
        "empty", summary: "permanently delete everything in the trash",
        discussion: [
            "This cannot be undone: the items are erased from the store, the history, the events and the "
                + "database files. Earlier backups still contain them."
        ],
        examples: [
            Example("hub trash empty --dry-run", "show what would be deleted"),
            Example("hub trash empty --before 30d", "delete only items that were deleted 30 or more days ago"),
        ], parameters: [beforeDate], changes: true
    ) { (hub: Hub, input: Input) in
        let rows = try await rows(hub)
        // Without a date all that is listed goes, also what was deleted just now or by a clock that was ahead.
        let limit =
            input[beforeDate]?.instant(now: hub.clock.now, in: .system)
            ?? rows.first.map { $0.item.deletedAt + .milliseconds(1) } ?? hub.clock.now
        let doomed = rows.filter { $0.item.deletedAt < limit }
        if doomed.isEmpty { return .done("The trash is already empty") }
        if input.dryRun { return .list(doomed, fields) }
        let what = NumberFormat.counted(doomed.count, "item")
        let names = NameList.line(doomed.map(\.item.title), limit: 3)
        let question = "Permanently delete \(what): \(names)?"
        guard try await input.confirm(question, consequence: "this would permanently delete \(what)") else {
            return .cancelled
        }
        let operation = Operation(input.operation, commandLine: input.commandLine, kind: .cache)
        let count = try await hub.emptyTrash(before: limit, operation)
        return await Erasure(hub).finish(.done("Permanently deleted \(NumberFormat.counted(count, "item"))"))
    }

    private static func rows(_ hub: Hub) async throws -> [Row] {
        var rows: [Row] = []
        for descriptor in try hub.enabledDescriptors() {
            guard let items = try await descriptor.providers.trash?.list(hub) else { continue }
            rows += zip(items, ShortIDs.lengths(items.map(\.id))).map {
                Row(plugin: descriptor.id, item: $0, shown: $1)
            }
        }
        return rows.sorted { $0.item.deletedAt > $1.item.deletedAt }
    }

    private static func find(_ word: String, in trash: [Row]) throws -> Row {
        let found = trash.filter { $0.reference.hasPrefix(word) || $0.item.id.hasPrefix(word) }
        guard let row = found.first else {
            throw HubError(
                .notFound, code: "not-in-trash", "\(word) is not in the trash", hint: "hub trash lists the trash")
        }
        guard found.count == 1 else {
            throw HubError.ambiguous(
                found.map { Candidate(id: $0.reference, name: $0.item.title) }, named: word, noun: "items")
        }
        return row
    }

    private static func provider(of plugin: String, _ hub: Hub) -> TrashProvider? {
        hub.descriptors.first { $0.id == plugin }?.providers.trash
    }
}
