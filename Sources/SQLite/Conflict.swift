import CSQLite

/// A conflict between a change and the current rows.
package struct Conflict: Sendable {
    /// The kind of a conflict (the conflict types of `sqlite3changeset_apply`).
    package enum Reason: Sendable {
        /// The row has other values than the change expects.
        case data
        /// The row is not there.
        case notFound
        /// Another row has the key already.
        case occupied
        /// A CHECK, UNIQUE or NOT NULL constraint refused it.
        case constraint
        /// Foreign keys would be left dangling.
        case foreignKey
    }

    /// The resolution of a conflict.
    package enum Resolution: Sendable {
        /// Take everything back and stop.
        case abort
        /// Leave this change out and go on.
        case omit
    }

    /// The reason why the change cannot be applied.
    package let reason: Reason
    /// The kind of the change; meaningless for `.foreignKey`, which concerns the whole changeset.
    package let kind: Change.Kind
    /// Whether the change was recorded as indirect.
    package let isIndirect: Bool
    /// The table; empty for `.foreignKey`.
    package let table: String
    /// The row's primary key.
    package let key: [Value]
    /// The values of the row that the change would restore or remove, as far as the record holds them.
    package let values: [Value?]
    /// The values that an update would set, as far as the record holds them; empty for any other change.
    package let newValues: [Value?]
}

extension Conflict {
    /// Creates the conflict that the callback of `sqlite3changeset_apply` received; nil when it cannot be read.
    init?(_ type: Int32, _ iterator: OpaquePointer?) {
        let reason: Reason
        switch type {
        case SQLITE_CHANGESET_DATA: reason = .data
        case SQLITE_CHANGESET_NOTFOUND: reason = .notFound
        case SQLITE_CHANGESET_CONFLICT: reason = .occupied
        case SQLITE_CHANGESET_CONSTRAINT: reason = .constraint
        case SQLITE_CHANGESET_FOREIGN_KEY:
            self.init(
                reason: .foreignKey, kind: .update, isIndirect: false, table: "", key: [], values: [], newValues: [])
            return
        default: return nil
        }
        var name: UnsafePointer<CChar>?
        var count: Int32 = 0
        var operation: Int32 = 0
        var indirect: Int32 = 0
        var isKey: UnsafeMutablePointer<UInt8>?
        guard sqlite3changeset_op(iterator, &name, &count, &operation, &indirect) == SQLITE_OK,
            sqlite3changeset_pk(iterator, &isKey, nil) == SQLITE_OK, let name, let isKey
        else { return nil }
        let values = Conflict.values(iterator, count, areNew: operation == SQLITE_INSERT)
        self.init(
            reason: reason,
            kind: operation == SQLITE_INSERT ? .insert : operation == SQLITE_DELETE ? .delete : .update,
            isIndirect: indirect != 0,
            table: String(cString: name),
            key: values.indices.filter { isKey[$0] != 0 }.map { values[$0] ?? .null },
            values: values,
            newValues: operation == SQLITE_UPDATE && reason == .data
                ? Conflict.values(iterator, count, areNew: true) : [])
    }
}

extension Conflict {
    /// The values of a change, or those that it replaces; nil where the record does not hold one.
    private static func values(_ iterator: OpaquePointer?, _ count: Int32, areNew: Bool) -> [Value?] {
        (0..<count).map { column in
            var value: OpaquePointer?
            let code =
                areNew ? sqlite3changeset_new(iterator, column, &value) : sqlite3changeset_old(iterator, column, &value)
            return code == SQLITE_OK ? value.map(Value.init) : nil
        }
    }
}

extension Value {
    /// Copies a protected value.
    fileprivate init(_ value: OpaquePointer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(Int(sqlite3_value_int64(value)))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = sqlite3_value_text(value)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            self = .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
        default: self = .null
        }
    }
}
