package import SQLite

/// The changes of one operation to one entity.
package struct EntityVersion: Sendable {
    /// The operation that made the change.
    package let operation: OperationRecord
    /// The rows it changed.
    package let changes: [RowChange]
}

/// The change of one row, by the names of its columns.
package struct RowChange: Sendable {
    /// The table of the changed row.
    package let table: String
    /// Whether the row was inserted, updated or deleted.
    package let kind: Change.Kind
    /// The primary key.
    package let key: [String: Value]
    /// The values before, as far as they were recorded: the whole row where it was removed, else what changed.
    package let before: [String: Value]
    /// The values after: the whole row where it was made, else what changed.
    package let after: [String: Value]
}

/// The rows of one entity at one moment, by table, each as its columns.
package typealias EntityRows = [String: [[String: Value]]]

/// A point in the past.
package enum HistoryPoint: Sendable {
    /// A time, with all changes that were made until then.
    case moment(Instant)
    /// The end of an operation, with no change that was made later, even within the same millisecond.
    case operation(OperationRecord)

    /// The time.
    package var moment: Instant {
        switch self {
        case .moment(let moment): moment
        case .operation(let operation): operation.at
        }
    }

    /// Whether an operation came later.
    package func isBefore(_ later: OperationRecord) -> Bool {
        switch self {
        case .moment(let moment): later.at > moment
        case .operation(let operation): later.seq > operation.seq
        }
    }
}

extension History {
    /// Returns the changes of an entity, newest first, as far back as the history goes.
    package func versions(of subject: String, owner: String) async throws -> [EntityVersion] {
        try await database.read { store in
            var versions: [EntityVersion] = []
            var walk = try EntityTraversal(store, entry: store.entry(owner), subject: subject)
            while let step = try walk.next() {
                let changes = try step.changes.map { try store.describe($0) }
                guard let last = versions.last, last.operation.seq == step.operation.seq else {
                    versions.append(EntityVersion(operation: step.operation, changes: changes))
                    continue
                }
                versions[versions.count - 1] = EntityVersion(
                    operation: last.operation, changes: changes + last.changes)
            }
            return versions
        }
    }

    /// The recorded rows of an entity as they were at `moment`; no rows where it did not exist.
    /// - Returns: nil when history does not go back so far.
    package func rows(of subject: String, owner: String, at moment: Instant) async throws -> EntityRows? {
        try await rows(of: subject, owner: owner, at: .moment(moment))
    }

    /// The recorded rows of an entity as they were at a point; no rows where it did not exist.
    /// - Returns: nil when history does not go back so far.
    package func rows(of subject: String, owner: String, at point: HistoryPoint) async throws -> EntityRows? {
        try await database.read { store in
            var walk = try EntityTraversal(store, entry: store.entry(owner), subject: subject)
            while let operation = try walk.upcoming(), point.isBefore(operation) {
                guard try walk.next() != nil else { return nil }
            }
            return try walk.rows
        }
    }
}

extension StoreConnection {
    /// A change with the names of its columns.
    fileprivate func describe(_ change: Change) throws -> RowChange {
        let names = try columns(of: change.table.name).prefix(change.table.columnCount)
        func values(_ value: (Int) -> Value?) -> [String: Value] {
            Dictionary(names.enumerated().compactMap { index, name in value(index).map { (name, $0) } }) { first, _ in
                first
            }
        }
        let key = values { change.table.isKey[$0] ? (change.kind == .insert ? change.new($0) : change.old($0)) : nil }
        return RowChange(
            table: change.table.name, kind: change.kind, key: key, before: values(change.old), after: values(change.new)
        )
    }
}
