import CSQLite
import Glibc

/// The first bytes of a database file (SQLite database file format, section 1.3).
package enum DatabaseHeader {
    /// How changes of a database are made atomic: the file format version numbers, section 1.3.3.
    package enum Journal: UInt8, Sendable {
        /// With a rollback journal: a file that no process has open is one file.
        case rollback = 1
        /// With a write-ahead log.
        case log = 2
    }

    private static let versionOffset: off_t = 18

    /// Writes the journal mode into the file at `path` and syncs the file.
    ///
    /// No process may have the file open, and it may have no log. `PRAGMA journal_mode` does the same, but needs room for
    /// a log and its shared memory.
    package static func setJournal(_ journal: Journal, of path: String) throws(SQLiteError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(code: SQLITE_CANTOPEN, path) }
        defer { close(descriptor) }
        let versions = [journal.rawValue, journal.rawValue]
        guard pwrite(descriptor, versions, versions.count, versionOffset) == versions.count, fsync(descriptor) == 0
        else {
            throw failure(code: writeFailed, path)
        }
    }

    /// `SQLITE_IOERR_WRITE`, a macro that Swift does not see.
    private static let writeFailed = SQLITE_IOERR | 3 << 8

    private static func failure(code: Int32, _ path: String) -> SQLiteError {
        let reason = errno
        return SQLiteError(code: code, message: "\(String(cString: strerror(reason))): \(path)", systemCode: reason)
    }
}
