import CSQLite

/// Records the changes of some tables on one connection, from its making until the changeset is read.
///
/// A table without a primary key is passed over in silence. A generated column, or DDL in the recorded transaction,
/// makes `changeset()` fail. Only one session should live at a time: all that live record.
package struct Session: ~Copyable {
    private let handle: OpaquePointer
    private let filter: TableFilter
    /// The connection must outlive its sessions.
    private let connection: Connection

    /// Starts to record the tables of `filter`.
    package init(_ connection: Connection, recording filter: TableFilter) throws(SQLiteError) {
        var handle: OpaquePointer?
        try connection.check(sqlite3session_create(connection.handle, "main", &handle))
        guard let handle else { throw SQLiteError(code: SQLITE_NOMEM) }
        csqlite_record_only(handle, filter.list)
        let code = sqlite3session_attach(handle, nil)
        guard code == SQLITE_OK else {
            sqlite3session_delete(handle)
            throw SQLiteError(code: code)
        }
        self.handle = handle
        self.filter = filter
        self.connection = connection
    }

    deinit { sqlite3session_delete(handle) }

    /// Whether nothing was recorded; a change that was taken back may still count as recorded.
    package var isEmpty: Bool { sqlite3session_isempty(handle) != 0 }

    /// Returns the changes so far, compared with the current rows.
    package func changeset() throws(SQLiteError) -> Changeset {
        var count: Int32 = 0
        var bytes: UnsafeMutableRawPointer?
        let code = sqlite3session_changeset(handle, &count, &bytes)
        defer { sqlite3_free(bytes) }
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        return Changeset(bytes: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
    }
}

/// The tables that a session records, in the form that the per-row filter reads. It must outlive its sessions.
///
/// The C memory is written in the initialiser and freed in the deinitialiser only, so it may be shared.
package final class TableFilter: @unchecked Sendable {
    /// The names, sorted by byte.
    package let tables: [String]
    private let names: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>
    let list: UnsafeMutablePointer<csqlite_tables>

    /// Creates a filter for the named tables.
    package init(_ tables: some Sequence<String>) {
        self.tables = tables.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        names = .allocate(capacity: self.tables.count)
        for (index, table) in self.tables.enumerated() {
            let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: table.utf8.count + 1)
            _ = bytes.initialize(from: table.utf8.map { CChar(bitPattern: $0) } + [0])
            names.initializeElement(at: index, to: UnsafePointer(bytes.baseAddress))
        }
        list = .allocate(capacity: 1)
        list.initialize(to: csqlite_tables(count: Int32(self.tables.count), names: names.baseAddress))
    }

    deinit {
        for name in names { name?.deallocate() }
        names.deallocate()
        list.deallocate()
    }
}
