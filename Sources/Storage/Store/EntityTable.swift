package import SQLite

/// The main table of an entity, which has the columns `id` (text, primary key), `revision`, `changed_at` and `deleted_at`.
package struct EntityTable: Hashable, Sendable {
    /// The name of the table.
    package let name: String

    package init(_ name: String) { self.name = name }
}

extension EntityTable {
    /// Whether there is an item with the full id `id`, live or in the trash.
    package func contains(_ id: String, in transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 FROM \(name) WHERE id = ?", id) { _ in true } ?? false
    }

    /// Returns the ids of the items whose ids begin with `prefix`: live ones, or those in the trash.
    package func ids(beginningWith prefix: String, inTrash: Bool, in transaction: Transaction) throws -> [String] {
        // `~` sorts after every character of an id.
        try transaction.rows(
            "SELECT id FROM \(name) WHERE id >= ? AND id < ? AND \(condition(inTrash)) ORDER BY id", prefix,
            prefix + "~"
        ) { $0.text(0) }
    }

    /// Returns the id of the item that was created last, or that was moved to the trash last.
    package func newest(inTrash: Bool, in transaction: Transaction) throws -> String? {
        let order = inTrash ? "deleted_at DESC, rowid DESC" : "rowid DESC"
        return try transaction.row("SELECT id FROM \(name) WHERE \(condition(inTrash)) ORDER BY \(order) LIMIT 1") {
            $0.text(0)
        }
    }

    /// Returns the ids of the items in the trash, last removed first, at most `limit`; with `before`, only those removed
    /// before that time.
    ///
    /// The time is that of the machine on which the item was removed, whose clock may be years behind. So in an operation of a service,
    /// which no person has asked for, an item must also have been here as it is since before that time.
    package func trashed(
        before moment: Instant? = nil, limit: Int? = nil, in transaction: Transaction
    ) throws -> [String] {
        let limit = limit ?? Int.max
        var isAutomatic = false
        if case .service? = transaction.operation?.who { isAutomatic = moment != nil }
        let found = try transaction.rows(
            """
            SELECT id FROM \(name) WHERE deleted_at IS NOT NULL AND deleted_at < ?
            ORDER BY deleted_at DESC, rowid DESC LIMIT ?
            """, moment?.milliseconds ?? Int64.max, isAutomatic ? -1 : limit
        ) { $0.text(0) }
        guard isAutomatic, let moment else { return found }
        var ids: [String] = []
        for id in found where ids.count < limit {
            if try !transaction.isTouched(id, since: moment) { ids.append(id) }
        }
        return ids
    }

    /// Moves the item `id` to the trash, or with nil out of it.
    package func setDeleted(_ id: String, at moment: Instant?, in transaction: Transaction) throws {
        try transaction.run(
            "UPDATE \(name) SET deleted_at = ?, revision = revision + 1, changed_at = ? WHERE id = ?",
            moment?.milliseconds, transaction.now.milliseconds, id)
    }

    /// Gives columns of the item `id` these values, and takes it out of the trash.
    package func set(_ values: [(column: String, value: Value)], of id: String, in transaction: Transaction) throws {
        let assignments = values.map { "\($0.column) = ?" } + ["deleted_at = NULL"]
        try transaction.run(
            "UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE id = ?",
            arguments: values.map(\.value) + [id])
    }

    private func condition(_ inTrash: Bool) -> String { inTrash ? "deleted_at IS NOT NULL" : "deleted_at IS NULL" }
}

extension Transaction {
    /// Whether an operation at `moment` or later has changed an item.
    fileprivate func isTouched(_ id: String, since moment: Instant) throws -> Bool {
        let owner = owner
        return try asCore {
            try row(
                """
                SELECT 1 FROM core_operation WHERE at >= ?3
                    AND seq IN (SELECT operation FROM core_change WHERE id IN (\(StoreConnection.changesTouching)))
                """, owner, id, moment.milliseconds
            ) { _ in true } ?? false
        }
    }
}

/// A tag with the number of its items.
package struct TagUsage: Hashable, Sendable {
    /// The tag in its stored spelling.
    package let tag: String
    /// The number of live items with the tag.
    package let count: Int

    package init(_ tag: String, count: Int) {
        self.tag = tag
        self.count = count
    }
}
