import CSQLite
import Glibc

/// An error of SQLite, with its message.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The extended result code, such as `SQLITE_CONSTRAINT_CHECK`.
    package let code: Int32
    /// The library's message.
    package let message: String
    /// The statement that failed, where there is one.
    package let sql: String?
    /// The system's error number (errno) of a failed open, read or write; 0 if there is none.
    package let systemCode: Int32

    package init(code: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemCode = systemCode
    }

    /// The error that `connection` reported last.
    init(last connection: OpaquePointer?, sql: String? = nil) {
        self.init(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql,
            systemCode: sqlite3_system_errno(connection))
    }

    /// An error of a function that left no message.
    init(code: Int32, sql: String? = nil) {
        self.init(code: code, message: String(cString: sqlite3_errstr(code)), sql: sql)
    }
}

extension SQLiteError {
    /// The result code without its extension.
    package var primaryCode: Int32 { code & 0xff }

    /// Whether another connection held a lock for too long.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Whether the disk is full, or a quota or limit is reached. SQLite reports only a full disk as such; everything
    /// else is an I/O error, whose error number a later call may have replaced: a failure that is not a fault of the
    /// device (EIO) is treated as a full disk.
    package var isDiskFull: Bool {
        // SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE
        if [SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 19 << 8].contains(code) { return systemCode != EIO }
        return switch primaryCode {
        case SQLITE_FULL: true
        case SQLITE_IOERR, SQLITE_CANTOPEN: [ENOSPC, EDQUOT, EFBIG].contains(systemCode)
        default: false
        }
    }

    /// Whether the database, its folder or its file system cannot be written.
    package var isReadOnly: Bool {
        switch primaryCode {
        case SQLITE_READONLY, SQLITE_PERM: true
        case SQLITE_IOERR, SQLITE_CANTOPEN: [EACCES, EPERM, EROFS].contains(systemCode)
        default: false
        }
    }

    /// Whether the database or one of the files beside it could not be opened.
    package var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }

    /// Whether the failure lies in a statement or in the data it met, so that the same attempt fails again.
    package var isPermanent: Bool {
        [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_AUTH, SQLITE_TOOBIG, SQLITE_RANGE, SQLITE_MISUSE]
            .contains(primaryCode)
    }

    /// Whether the file is damaged, or no database at all.
    package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether a constraint refused the change.
    package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    /// The name of the CHECK constraint that failed, or the columns of the UNIQUE or NOT NULL one.
    package var constraint: String? {
        guard isConstraint, let range = message.firstRange(of: " constraint failed: ") else { return nil }
        return String(message[range.upperBound...])
    }
}

extension SQLiteError: CustomStringConvertible {
    /// The message with the SQLite result code.
    package var description: String {
        "\(message) (SQLite \(code))" + (sql.map { " in: \($0)" } ?? "")
    }
}
