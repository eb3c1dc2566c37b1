import CSQLite

/// Reads a changeset change by change.
///
/// The format is the one written down at the head of sqlite3session.c: for each table `T`, the number of columns, a key
/// flag for each, the name; then for each change its kind, whether it was indirect, and the old and new record.
package struct ChangesetReader {
    private let bytes: [UInt8]
    private var position = 0
    private var table: Change.Table?

    /// Creates a reader at the start of `changeset`.
    package init(_ changeset: Changeset) { bytes = changeset.bytes }

    /// Returns the next change; nil at the end. Throws when the bytes are not a valid changeset.
    package mutating func next() throws(SQLiteError) -> Change? {
        while position < bytes.count, bytes[position] == UInt8(ascii: "T") {
            table = try readTable()
        }
        guard position < bytes.count else { return nil }
        guard let table else { throw .malformedChangeset }
        return try readChange(of: table)
    }

    private mutating func readTable() throws(SQLiteError) -> Change.Table {
        let start = position
        let (isKey, name, end) = try read { cursor throws(SQLiteError) in
            _ = try cursor.readByte()
            let count = try cursor.readVarint()
            let isKey = try cursor.readBytes(count).map { $0 != 0 }
            return (isKey, try cursor.readName(), cursor.position)
        }
        position = end
        return Change.Table(name: name, isKey: isKey, header: start..<end)
    }

    private mutating func readChange(of table: Change.Table) throws(SQLiteError) -> Change {
        let start = position
        let (kind, isIndirect, old, new, end) = try read { cursor throws(SQLiteError) in
            let kind: Change.Kind =
                switch Int32(try cursor.readByte()) {
                case SQLITE_INSERT: .insert
                case SQLITE_UPDATE: .update
                case SQLITE_DELETE: .delete
                default: throw .malformedChangeset
                }
            let isIndirect = try cursor.readByte() != 0
            let old = kind == .insert ? [] : try cursor.skipRecord(table.columnCount)
            let new = kind == .delete ? [] : try cursor.skipRecord(table.columnCount)
            return (kind, isIndirect, old, new, cursor.position)
        }
        position = end
        return Change(
            table: table, kind: kind, isIndirect: isIndirect, bytes: bytes, range: start..<end, oldFields: old,
            newFields: new)
    }

    private func read<T>(_ body: (inout ByteCursor) throws(SQLiteError) -> T) throws(SQLiteError) -> T {
        let result = bytes.withUnsafeBytes { bytes -> Result<T, SQLiteError> in
            var cursor = ByteCursor(bytes, at: position)
            do throws(SQLiteError) {
                return .success(try body(&cursor))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension SQLiteError {
    /// The bytes given as a changeset are none.
    static let malformedChangeset = SQLiteError(code: SQLITE_CORRUPT, message: "malformed changeset")
}
