import SQLite
package import Storage

/// Earlier versions of an entity's items, from the rows of history.
package struct EntityVersions<Record: EntityRecord>: Sendable {
    /// Describes a change in a few words each; nil if the rows say nothing about the item.
    let changes: @Sendable ([RowChange]) -> [String]?
    let differences: @Sendable (HistorySnapshot, HistorySnapshot, _ id: String) async throws -> [VersionDifference]
    /// Returns what a version holds, each as a difference from nothing; nil if the item did not exist.
    let content: @Sendable (HistorySnapshot, _ id: String) async throws -> [VersionDifference]?
    let restoring: @Sendable (HistorySnapshot, _ id: String) async throws -> Restoring?

    /// Restores a version that was read before.
    typealias Restoring = @Sendable (_ id: String, Transaction) throws -> Record

    /// Creates the description. `read` makes a version of the rows of an item, nil if it did not exist; the snapshot
    /// has the rows of other items at the same time. `restore` stores a version as a new change of an item, live or in
    /// the trash, publishes it, and returns the item.
    package init<Version: Sendable>(
        changes: @escaping @Sendable ([RowChange]) -> [String]?,
        read: @escaping @Sendable (EntityRows, HistorySnapshot) async throws -> Version?,
        differences: @escaping @Sendable (Version?, Version?) -> [VersionDifference],
        restore: @escaping @Sendable (_ id: String, Version, Transaction) throws -> Record
    ) {
        self.changes = changes
        self.differences = { before, after, id in
            let old = try await read(before.rows(of: id), before)
            return differences(old, try await read(after.rows(of: id), after))
        }
        content = { snapshot, id in
            let version = try await read(snapshot.rows(of: id), snapshot)
            return version.map { differences(nil, $0) }
        }
        restoring = { snapshot, id in
            guard let version = try await read(snapshot.rows(of: id), snapshot) else { return nil }
            return { id, transaction in try restore(id, version, transaction) }
        }
    }
}

extension EntityVersions {
    /// Describes items that are one row of the main table `table`, whose `columns` are shown as they are stored. After they
    /// were set to earlier values, `find` reads the item, and `save` checks, stores and publishes it.
    package init(
        columns: [String], of table: String,
        find: @escaping @Sendable (_ id: String, Transaction) throws -> Record,
        save: @escaping @Sendable (Record, Transaction) throws -> Record
    ) {
        self.init { rows in
            let own = rows.filter { $0.table == table }
            let changes = own.flatMap { row in
                columns.compactMap { column in row.after[column].map { "\(column) \($0)" } }
            }
            return own.isEmpty ? nil : changes
        } read: { rows, _ in
            rows[table]?.first.map { row in row.filter { columns.contains($0.key) } }
        } differences: { (before: [String: Value]?, after: [String: Value]?) in
            columns.compactMap { column in
                let (old, new) = (before?[column]?.description ?? "", after?[column]?.description ?? "")
                return old == new ? nil : VersionDifference(column, before: old, after: new)
            }
        } restore: { id, values, transaction in
            try EntityTable(table).set(columns.map { ($0, values[$0] ?? .null) }, of: id, in: transaction)
            return try save(find(id, transaction), transaction)
        }
    }
}

/// The recorded rows of a plugin at one time in the past.
package struct HistorySnapshot: Sendable {
    let store: Store
    let point: HistoryPoint
    /// The time.
    package var moment: Instant { point.moment }
    /// The hint for a time that is too early.
    let hint: String

    /// Returns the rows of an item; none if it did not exist. Throws `not-found` if history does not go back that far.
    package func rows(of id: String) async throws -> EntityRows {
        if let rows = try await store.database.history.rows(of: id, owner: store.owner, at: point) { return rows }
        throw HubError(.notFound, code: "history-too-short", "the history does not go back that far", hint: hint)
    }
}

/// One operation that changed an item.
package struct EntityChange: Sendable {
    /// The operation.
    package let operation: OperationRecord
    /// `created`, `changed`, `removed`, `restored` or `deleted`.
    package let verb: String
    /// The changes in a few words each; empty if the item was only moved to the trash or out of it.
    package let changes: [String]
}

/// One difference between two versions of an item.
package struct VersionDifference: Hashable, Sendable {
    /// The field, such as `phone`, or a part of the item, such as a day.
    package let field: String
    /// The value before; empty for none.
    package let before: String
    /// The value after; empty for none.
    package let after: String

    package init(_ field: String, before: String, after: String) {
        self.field = field
        self.before = before
        self.after = after
    }
}

/// A value that an item had at an earlier time, has now, or both.
package struct EarlierValue: Sendable {
    /// When an item has a value.
    package enum Span: String, Sendable {
        /// It had the value then and has it now.
        case same
        /// It had the value then, and has it no more.
        case then
        /// It has the value now, and had it not then.
        case now
    }

    /// The field, such as `phone`, or a part of the item, such as a day.
    package let field: String
    /// The value in words.
    package let value: String
    /// When the item has it.
    package let span: Span
}

extension Entities {
    /// Returns what an item was at a point, and what it has now instead, by field; with `isWhole` what its versions do not hold too.
    /// Nil if it did not exist then, or was in the trash. Throws `not-found` if history does not go back that far.
    package func values(of id: String, at point: HistoryPoint, isWhole: Bool = false) async throws -> [EarlierValue]? {
        let then = snapshot(at: point, id)
        guard let row = try await then.rows(of: id)[kind.table]?.first, (row["deleted_at"] ?? .null) == .null,
            let old = try await content(of: id, then, isWhole: isWhole)
        else { return nil }
        let new = try await content(of: id, snapshot(at: .moment(clock.now), id), isWhole: isWhole) ?? []
        // A field may have several values, and the same one twice.
        var left = new
        var values = old.map { value in
            let place = left.firstIndex { $0 == value }
            place.map { _ = left.remove(at: $0) }
            return EarlierValue(field: value.field, value: value.after, span: place == nil ? .then : .same)
        }
        for value in left {
            let place = values.lastIndex { $0.field == value.field }.map { $0 + 1 } ?? values.count
            values.insert(EarlierValue(field: value.field, value: value.after, span: .now), at: place)
        }
        return values
    }

    private func content(
        of id: String, _ snapshot: HistorySnapshot, isWhole: Bool
    ) async throws -> [VersionDifference]? {
        var values: [VersionDifference] = []
        if let versions = kind.versions {
            guard let known = try await versions.content(snapshot, id) else { return nil }
            values = known
        }
        guard isWhole, let past = kind.past else { return values }
        let more = try await past.values(id, PastRows(try await snapshot.rows(of: id), snapshot))
        return values
            + more.filter { !$0.value.isEmpty }.map { VersionDifference($0.field, before: "", after: $0.value) }
    }

    /// Returns the changes of the item with the full id `id`, newest first, as far back as history goes.
    package func history(of id: String) async throws -> [EntityChange] {
        try await store.store.database.history.versions(of: id, owner: store.store.owner).compactMap { version in
            kind.versions?.changes(version.changes).map {
                EntityChange(operation: version.operation, verb: kind.verb(of: version.changes), changes: $0)
            }
        }
    }

    /// Returns the differences of an item between two times. Throws `not-found` if history does not go back that far.
    package func differences(of id: String, since: Instant, until: Instant) async throws -> [VersionDifference] {
        try await kind.versions?.differences(snapshot(at: .moment(since), id), snapshot(at: .moment(until), id), id)
            ?? []
    }

    /// Restores the version that the item `id` had at `moment`, as a new change.
    ///
    /// Throws `not-found` if it did not exist then, or if history does not go back that far.
    @discardableResult
    package func restore(_ id: String, at moment: Instant, operation: Operation) async throws -> Record {
        try await restore(id, at: .moment(moment), operation: operation)
    }

    /// Restores the version that the item `id` had at a point, as a new change.
    func restore(_ id: String, at point: HistoryPoint, operation: Operation) async throws -> Record {
        guard let restore = try await kind.versions?.restoring(snapshot(at: point, id), id) else {
            throw HubError(.notFound, code: "not-there-then", "the \(kind.one) did not exist at that time")
        }
        return try await store.write(operation) { transaction in
            _ = try kind.item(id, in: transaction)
            return try restore(id, transaction)
        }
    }

    private func snapshot(at point: HistoryPoint, _ id: String) -> HistorySnapshot {
        HistorySnapshot(
            store: store.store, point: point, hint: "\(kind.command) history \(id) shows the earliest change")
    }
}

extension EntityKind {
    /// Returns what an operation did to the row of the item itself.
    fileprivate func verb(of changes: [RowChange]) -> String {
        let own = changes.filter { $0.table == table }
        guard let last = own.last else { return "changed" }
        if last.kind == .delete { return "deleted" }
        if own[0].kind == .insert { return "created" }
        guard let deleted = last.after["deleted_at"] else { return "changed" }
        return deleted == .null ? "restored" : "removed"
    }
}
