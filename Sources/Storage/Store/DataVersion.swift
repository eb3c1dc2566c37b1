import SQLite
import Synchronization

/// Tells by a number whether any process has committed since: a connection of its own, which never writes, asks SQLite for the version
/// of what it would read (`PRAGMA data_version`).
final class DataVersion: Sendable {
    private let connection: Mutex<Connection>

    /// Opens the database file at `path`.
    init(_ path: String) throws(SQLiteError) {
        let connection = try Connection(path, mode: .readOnly)
        // While the file is busy its version is not known.
        try connection.setBusyLimit(.zero)
        self.connection = Mutex(connection)
    }

    /// The version now; nil when it cannot be read.
    var value: Int? { connection.withLock { try? $0.dataVersion() } }
}
