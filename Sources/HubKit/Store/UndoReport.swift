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

    /// Whether it was, or could be, done.
    package var isPossible: Bool { conflicts.isEmpty }
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
