import SQLite

/// One line of the history: an operation with its time, author and state.
package struct OperationRecord: Hashable, Sendable {
    /// The state of an operation.
    package enum State: String, Sendable {
        /// Still going on, in small steps.
        case open
        /// Its changes are in force.
        case done
        /// An undo has taken its changes back.
        case undone
        /// Its process ended in the middle, and what it had done was taken back.
        case abandoned
    }

    /// Its number: the order of the first commits.
    let seq: Int
    /// The id, of which users type a prefix.
    package let id: String
    /// The start time.
    package let at: Instant
    /// The command without its arguments.
    package let name: String
    /// The user, or the service that ran it.
    package let who: Operation.Author
    /// The command line without `hub`.
    package let commandLine: String
    /// The state: open, done, undone or abandoned.
    package let state: State
    /// Whether it is itself an undo or a redo.
    package var isReversal: Bool { undoes != nil || redoes != nil }
    let undoes: Int?
    let redoes: Int?
    let undoneBy: Int?
    let redoneBy: Int?

    /// The operation whose changes count: the newest redo, or itself.
    var changesFrom: Int { redoneBy ?? seq }

    static let columns = "seq, id, at, name, who, command_line, state, undoes, redoes, undone_by, redone_by"

    init(_ row: borrowing Row) {
        seq = row.int(0)
        id = row.text(1)
        at = Instant(milliseconds: Int64(row.int(2)))
        name = row.text(3)
        who = Operation.Author(text: row.text(4))
        commandLine = row.text(5)
        state = State(rawValue: row.text(6)) ?? .done
        undoes = row.optionalInt(7)
        redoes = row.optionalInt(8)
        undoneBy = row.optionalInt(9)
        redoneBy = row.optionalInt(10)
    }
}

extension StoreConnection {
    /// The operations that a condition on `core_operation` selects.
    func operations(where condition: String, _ arguments: any Bindable...) throws -> [OperationRecord] {
        try connection.rows(
            "SELECT \(OperationRecord.columns) FROM core_operation WHERE \(condition)", arguments: arguments,
            OperationRecord.init)
    }

    /// The operation with this number.
    func operation(_ seq: Int) throws -> OperationRecord? { try operations(where: "seq = ?", seq).first }
}
