import CSQLite

/// The shared index of a database's write-ahead log, whose header every commit of every process changes (SQLite's WAL-index
/// format).
///
/// Sendable: reading it is a copy of shared memory. It may be read for as long as the connection is open.
package struct LogIndex: @unchecked Sendable {
    /// A state of the database: as long as it is the same, nothing has been committed.
    package struct State: Hashable, Sendable {
        private let words: csqlite_log_state

        fileprivate init(_ words: csqlite_log_state) { self.words = words }

        package static func == (left: State, right: State) -> Bool {
            let (left, right) = (left.words.words, right.words.words)
            return left.0 == right.0 && left.1 == right.1 && left.2 == right.2 && left.3 == right.3 && left.4 == right.4
                && left.5 == right.5
        }

        package func hash(into hasher: inout Hasher) {
            // The checksum is over all the rest.
            hasher.combine(words.words.5)
        }
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
        var words = csqlite_log_state()
        return csqlite_read_log_state(header, &words) != 0 ? State(words) : nil
    }
}
