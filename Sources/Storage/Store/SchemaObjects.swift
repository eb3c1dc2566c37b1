import SQLite

/// All tables, indexes and views of a database, to see what a migration did to them.
struct SchemaObjects {
    private struct Object: Hashable {
        let type: String
        let name: String
        let table: String
        let sql: String

        // There is one object of a name; hashing the statements would cost as much as reading them.
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    private let objects: Set<Object>

    init(_ connection: Connection) throws {
        objects = Set(
            // Objects that SQLite creates itself (sequences, indexes of constraints) follow from the rest.
            try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'") {
                Object(type: $0.text(0), name: $0.text(1), table: $0.text(2), sql: $0.text(3))
            })
    }

    /// Throws unless all that is new, changed or gone bears the prefix of `entry`, names no other owner's table, and
    /// leaves no foreign key dangling. The authorizer does not see all of this: the new name of a table, the inside of
    /// a view, the target of a foreign key.
    func check(changesSince before: SchemaObjects, by entry: SchemaCatalog.Entry, in store: StoreConnection) throws {
        let prefix = entry.schema.owner + "_"
        let changed = objects.symmetricDifference(before.objects)
        for object in changed {
            guard object.table.hasPrefix(prefix), object.name.hasPrefix(prefix) else {
                throw Violation(reason: "\(object.name) does not begin with \(prefix)")
            }
        }
        for object in objects where object.name.hasPrefix(prefix) {
            switch object.type {
            case "trigger":
                throw Violation(reason: "\(object.name) is a trigger; derived rows come from reindex alone")
            case "view":
                try store.inScope(.plugin(entry.number)) {
                    try store.connection.prepare("SELECT * FROM \(quoted(object.name))")
                }
            case "table":
                // Those of the others have been looked at when these were made.
                let parents =
                    !changed.contains(object)
                    ? []
                    : try store.connection.rows("PRAGMA foreign_key_list(\(quoted(object.name)))") { $0.text(2) }
                for parent in parents where !parent.hasPrefix(prefix) {
                    throw Violation(reason: "\(object.name) has a foreign key to \(parent)")
                }
                guard try store.connection.foreignKeyViolations(of: object.name).isEmpty else {
                    throw Violation(reason: "\(object.name) has rows with a dangling foreign key")
                }
            default: break
            }
        }
    }

    /// A violation of the rules for migrations.
    struct Violation: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }
}

/// The schemas of all owners, with what every statement and commit needs to look up in them.
final class SchemaCatalog: Sendable {
    /// One owner: its number, which its scopes follow from, its schema, and the tables its sessions record.
    struct Entry: Sendable {
        let number: Int
        let schema: PluginSchema
        let filter: TableFilter?
        let recorded: [String: RecordedTable]
    }

    let entries: [Entry]
    private let byOwner: [String: Entry]

    init(_ plugins: [PluginSchema]) {
        entries = ([CoreSchema.schema] + plugins).enumerated().map { number, schema in
            Entry(
                number: number, schema: schema,
                filter: schema.recorded.isEmpty ? nil : TableFilter(schema.recorded.map(\.name)),
                recorded: Dictionary(schema.recorded.map { ($0.name, $0) }) { first, _ in first })
        }
        byOwner = Dictionary(entries.map { ($0.schema.owner, $0) }) { first, _ in first }
    }

    subscript(owner: String) -> Entry? { byOwner[owner] }
}
