import CSQLite

/// One result row. It cannot leave the closure it was given to, and costs nothing for columns not asked for.
///
/// Columns count from 0. A column of another type than requested is converted as SQLite does; NULL reads as 0 or
/// empty, so use the `optional…` form for columns that may be NULL.
package struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// The number of columns.
    package var count: Int { Int(sqlite3_column_count(statement)) }

    /// Whether the column is NULL.
    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    /// The column as a 64-bit integer.
    package func int(_ column: Int) -> Int { Int(sqlite3_column_int64(statement, Int32(column))) }

    /// The column as a truth value: anything but 0 is true.
    package func bool(_ column: Int) -> Bool { int(column) != 0 }

    /// The column as a floating-point number.
    package func double(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    /// The column as text; malformed UTF-8 is repaired.
    package func text(_ column: Int) -> String {
        guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The column as bytes.
    package func blob(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

    /// Lends the bytes of a text or blob column without copying them.
    package func withBytes<T>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let start = sqlite3_column_blob(statement, Int32(column))
        return try body(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
    }

    /// The column as an integer, or nil for NULL.
    package func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }

    /// The column as a floating-point number, or nil for NULL.
    package func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }

    /// The column as text, or nil for NULL.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    /// The column as bytes, or nil for NULL.
    package func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

    /// The column as it is stored.
    package func value(_ column: Int) -> Value {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer(int(column))
        case SQLITE_FLOAT: .real(double(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    /// The column's name, as the statement gives it.
    package func name(_ column: Int) -> String {
        sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
    }
}
