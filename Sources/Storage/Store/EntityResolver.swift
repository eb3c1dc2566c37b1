import SQLite

/// Tells to which entity a changed row belongs.
final class EntityResolver {
    private struct Place {
        let column: Int
        let lookup: String
    }

    private let store: StoreConnection
    private let entry: SchemaCatalog.Entry
    private var places: [String: Place?] = [:]

    init(_ store: StoreConnection, entry: SchemaCatalog.Entry) {
        self.store = store
        self.entry = entry
    }

    /// All entities that the changes concern.
    func subjects(of changes: Changeset) throws -> Set<String> {
        var found: Set<String> = []
        try changes.forEach { found.formUnion(try subjects(of: $0)) }
        return found
    }

    /// The entities that one change concerns: two when it moves a row from one to the other, none when the row is gone.
    func subjects(of change: Change) throws -> [String] {
        guard let place = try place(in: change.table.name) else { return [] }
        let known = [change.old(place.column), change.new(place.column)].compactMap { $0?.description }
        if !known.isEmpty { return known }
        // An update that left the column alone does not record it.
        return try subject(of: change.table.name, key: change.key).map { [$0] } ?? []
    }

    /// The entity of the row with `key` as it is now.
    func subject(of table: String, key: [Value]) throws -> String? {
        guard let place = try place(in: table) else { return nil }
        return try store.connection.row(place.lookup, arguments: key) { $0.value(0).description }
    }

    /// The entity of a row whose change met a conflict.
    func subject(of conflict: Conflict) throws -> String? {
        guard let place = try place(in: conflict.table) else { return nil }
        if conflict.values.indices.contains(place.column), let value = conflict.values[place.column] {
            return value.description
        }
        return try subject(of: conflict.table, key: conflict.key)
    }

    private func place(in table: String) throws -> Place? {
        if let known = places[table] { return known }
        let place = try find(table)
        places[table] = place
        return place
    }

    private func find(_ table: String) throws -> Place? {
        guard let recorded = entry.recorded[table],
            let column = try store.columns(of: table).firstIndex(of: recorded.subject)
        else { return nil }
        let keys = try store.keyColumns(of: table).map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        return Place(column: column, lookup: "SELECT \(quoted(recorded.subject)) FROM \(quoted(table)) WHERE \(keys)")
    }
}
