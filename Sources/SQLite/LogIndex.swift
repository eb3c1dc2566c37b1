import CSQLite

/// The shared index of a database's write-ahead log, whose header every commit of every process changes (SQLite's WAL-index
/// format).
///
/// Sendable: the address never changes, and what is there is only copied, by C, whichever thread or process writes it meanwhile;
/// two copies that differ are told as such. It may be read for as long as the connection is open: its owner forgets it under a
/// lock before it closes the connection, as `Database` does.
package struct LogIndex: @unchecked Sendable {
    /// A state of the database: as long as it is the same, nothing has been committed.
    package struct State: Hashable, Sendable {
        // The header's 48 bytes. No vector has them: tasks have memory that is aligned to 16 bytes only.
        fileprivate var first: UInt128 = 0
        fileprivate var second: UInt128 = 0
        fileprivate var third: UInt128 = 0
    }

    private let header: UnsafeRawPointer

    /// Finds the index of a connection that has read its database, which must have a log that processes share; nil when it
    /// has no index in shared memory.
    package init?(of connection: Connection) {
        guard let header = csqlite_log_index(connection.handle) else { return nil }
        self.header = UnsafeRawPointer(header)
    }

    /// The state now; nil while a commit changes it.
    package var state: State? {
        var state = State()
        let isWhole = withUnsafeMutableBytes(of: &state) { bytes in
            csqlite_read_log_state(header, bytes.assumingMemoryBound(to: UInt64.self).baseAddress) != 0
        }
        return isWhole ? state : nil
    }
}
