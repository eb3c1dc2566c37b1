import SQLite

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
