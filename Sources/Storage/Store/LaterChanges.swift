import SQLite

/// Finds the operations that changed an entity after a given change.
struct LaterChanges {
    private let store: StoreConnection
    private let owner: String
    private let change: Int
    private let excluded: Set<Int>

    /// `excluded` are the operations that do not count: the one to be undone, and the undo itself.
    init(_ store: StoreConnection, owner: String, after change: Int, excluding excluded: Set<Int>) {
        self.store = store
        self.owner = owner
        self.change = change
        self.excluded = excluded
    }

    /// The operations that touched the entity later and are in force; all of them where none is.
    func of(subject: String) throws -> [OperationRecord] {
        let all = try store.operations(
            where: """
                seq IN (
                    SELECT operation FROM core_change WHERE id > ?3 AND id IN (\(StoreConnection.changesTouching)))
                ORDER BY seq
                """, owner, subject, change
        ).filter { !excluded.contains($0.seq) }
        let inForce = all.filter { $0.state != .undone && !$0.isReversal }
        return inForce.isEmpty ? all : inForce
    }

    /// The same for a deleted row, whose entity is known only from the history.
    func of(
        row key: [Value], in table: String, _ finder: EntityResolver
    ) throws -> (subject: String?, later: [OperationRecord]) {
        var operations: [OperationRecord] = []
        var subject: String?
        try store.connection.scan(
            "SELECT operation, changeset FROM core_change WHERE owner = ? AND id > ? AND changeset IS NOT NULL ORDER BY id",
            arguments: [owner, change]
        ) { row in
            let operation = row.int(0)
            try Changeset(bytes: row.blob(1)).forEach { change in
                guard change.table.name == table, change.key == key else { return }
                subject = try finder.subjects(of: change).first ?? subject
                guard !excluded.contains(operation), operation != operations.last?.seq,
                    let record = try store.operation(operation)
                else { return }
                operations.append(record)
            }
            return true
        }
        return (subject, operations)
    }
}

/// The result of an undo or redo, real or planned, or the reason why nothing was done.
package struct UndoReport: Sendable {
    /// Which way it went.
    package enum Direction: Sendable {
        case undo, redo
    }

    /// Whether it is an undo or a redo.
    package let direction: Direction
    /// The operation that was taken back or brought back.
    package let target: OperationRecord
    /// The ids of the entities it concerns, by the plugin they belong to.
    package let subjects: [String: [String]]
    /// The conflicts. If there are any, nothing was done at all.
    package let conflicts: [UndoConflict]
    /// The entities that were changed later, and whose later changes are kept.
    package var merged: [MergedUndo] = []

    /// Whether it was, or could be, done.
    package var isPossible: Bool { conflicts.isEmpty }
}

/// One entity that was changed after the operation, so that undo or redo was merged into the later change.
package struct MergedUndo: Hashable, Sendable {
    /// The plugin.
    package let owner: String
    /// The entity.
    package let subject: String
    /// The values that a later change has replaced and that stay, in words; empty if everything could be done.
    package let kept: [String]
    /// The later operations that touched the entity and are in force, oldest first.
    package let later: [OperationRecord]
}

/// One entity that keeps an operation from being undone.
package struct UndoConflict: Hashable, Sendable {
    /// The kind of a conflict.
    package enum Reason: Hashable, Sendable {
        /// The entity changed later.
        case changedLater
        /// Something that came later needs it.
        case neededByLater
        /// A rule of the tables refuses the old values.
        case constraint
    }

    /// The plugin.
    package let owner: String
    /// The entity; nil when it cannot be determined from the row.
    package let subject: String?
    /// The table of the row.
    package let table: String
    /// The reason why the row cannot be changed.
    package let reason: Reason
    /// The later operations that touched the entity and are in force, oldest first.
    package let later: [OperationRecord]
}
