import HubKit
import SQLite

/// A toy entity for the tests of the component: teas with tags, in the plugin `tea`.
struct Tea: EntityRecord, EntitySummary, Hashable {
    let id: String
    let name: String
    let tags: [String]
    let revision: Int
    let deletedAt: Instant?
}

extension Tea {
    static let kind: EntityKind<Tea> = EntityKind(
        one: "tea", many: "teas", command: "hub tea", table: "tea_tea", topics: topics,
        selectors: .names(words: { $0.lowercased().split(separator: " ").map(String.init) }) { inTrash, transaction in
            try transaction.teas().filter { ($0.deletedAt != nil) == inTrash }
        }, rules: rules, tags: tags, versions: versions, find: { try $1.tea($0) })

    static let topics = EntityTopics(
        added: "domain.tea/tea-added", changed: "domain.tea/tea-changed", removed: "domain.tea/tea-removed",
        bulk: "domain.tea/teas-changed")

    /// A name is unique among live teas.
    private static let rules = EntityKind<Tea>.Rules(
        willRestore: { tea, transaction in
            if try transaction.teas().contains(where: { $0.name == tea.name && $0.deletedAt == nil }) {
                throw HubError(.invalid, code: "name-taken", "\(tea.name) is taken")
            }
        }, destroy: { _ = try $1.run("DELETE FROM tea_tea WHERE id = ?", $0) })

    private static let tags: EntityTags<Tea> = EntityTags({ $0.tags }, folded: { $0.lowercased() }) { transaction in
        let all = try transaction.teas().filter { $0.deletedAt == nil }.flatMap(\.tags)
        return Set(all).sorted().map { tag in TagUsage(tag, count: all.count { $0 == tag }) }
    } tagged: { tags, _, transaction in
        try transaction.teas().filter { $0.deletedAt == nil && Set(tags).isSubset(of: $0.tags) }
    } change: { id, transaction, change in
        let tea = try kind.live(id, in: transaction)
        var tags = tea.tags
        change(&tags)
        return tags == tea.tags ? nil : try transaction.setTea(id, tea.name, tags)
    }

    private static let versions: EntityVersions<Tea> = EntityVersions { rows in
        rows.flatMap { row in row.after["name"].map { ["name \($0)"] } ?? [] }
    } read: { rows, _ in
        rows["tea_tea"]?.first?["name"]?.description
    } differences: { (before: String?, after: String?) in
        before == after ? [] : [VersionDifference("name", before: before ?? "", after: after ?? "")]
    } restore: { id, name, transaction in
        if try transaction.tea(id)?.deletedAt != nil { try kind.setDeleted(id, at: nil, in: transaction) }
        return try transaction.setTea(id, name, try kind.item(id, in: transaction).tags)
    }

    static let schema = PluginSchema(
        owner: "tea",
        migrations: [
            Migration(
                "0001-teas",
                """
                CREATE TABLE tea_tea (
                    id TEXT PRIMARY KEY, name TEXT NOT NULL, tags TEXT NOT NULL, revision INTEGER NOT NULL,
                    changed_at INTEGER NOT NULL, deleted_at INTEGER) STRICT;
                """)
        ], recorded: [RecordedTable("tea_tea", subject: "id")], announce: { try kind.announce($0, in: $1) })
}

extension Transaction {
    func tea(_ id: String) throws -> Tea? { try teas("WHERE id = ?", id).first }

    func teas(_ condition: String = "", _ arguments: any Bindable...) throws -> [Tea] {
        try rows(
            "SELECT id, name, tags, revision, deleted_at FROM tea_tea \(condition) ORDER BY rowid", arguments: arguments
        ) { row in
            Tea(
                id: row.text(0), name: row.text(1), tags: row.text(2).split(separator: " ").map(String.init),
                revision: row.int(3), deletedAt: row.optionalInt(4).map { Instant(milliseconds: Int64($0)) })
        }
    }

    func addTea(_ id: String, _ name: String) throws {
        try run("INSERT INTO tea_tea VALUES (?, ?, '', 1, ?, NULL)", id, name, now.milliseconds)
    }

    func setTea(_ id: String, _ name: String, _ tags: [String]) throws -> Tea {
        try run(
            "UPDATE tea_tea SET name = ?, tags = ?, revision = revision + 1, changed_at = ? WHERE id = ?", name,
            tags.joined(separator: " "), now.milliseconds, id)
        let tea = try Tea.kind.item(id, in: self)
        try emit(Tea.topics.changed, tea)
        return tea
    }
}

/// The toy entity on a database in memory.
struct TeaShop: Sendable {
    let clock = ManualClock()
    let database: Database
    let teas: Entities<Tea>

    init() {
        database = Database(at: .memory, plugins: [Tea.schema], clock: clock, executors: .queues)
        let nowhere = "/nonexistent"
        let context = Context(
            config: Config(), store: database.store(for: "tea"), clock: clock,
            locks: FileLocks(directory: nowhere, clock: clock), secrets: MemorySecrets(),
            directories: Directories(data: nowhere, state: nowhere, cache: nowhere, config: nowhere, runtime: nil),
            log: Log(label: "tea") { _, _, _ in })
        teas = Entities(Tea.kind, in: context.store, context: context)
    }

    /// Adds a tea for each name with ids `1a…`, `1b…`, and so on.
    func add(_ names: String...) async throws -> [String] {
        let ids = names.indices.map { "1" + String(UnicodeScalar(UInt8(97 + $0))) + String(repeating: "0", count: 18) }
        _ = try await teas.store.write(Operation("tea new")) { transaction in
            for (id, name) in zip(ids, names) { try transaction.addTea(id, name) }
        }
        return ids
    }
}
