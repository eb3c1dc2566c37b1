import CSQLite
import Glibc
import SQLite
import Testing

/// What a code means for the caller: each failure is of at most one kind that something is done about.
struct SQLiteErrorTests {
    private static let ioWrite = SQLITE_IOERR | 3 << 8
    private static let ioSharedMemory = SQLITE_IOERR | 19 << 8

    private func kinds(_ code: Int32, _ systemCode: Int32 = 0) -> [String] {
        let error = SQLiteError(code: code, message: "", systemCode: systemCode)
        let kinds = [
            ("busy", error.isBusy), ("full", error.isDiskFull), ("readonly", error.isReadOnly),
            ("cannot open", error.isCannotOpen), ("permanent", error.isPermanent), ("damage", error.isDamage),
            ("constraint", error.isConstraint),
        ]
        return kinds.filter(\.1).map(\.0)
    }

    private static let codes: [(code: Int32, kinds: [String])] = [
        (SQLITE_BUSY, ["busy"]), (SQLITE_BUSY | 2 << 8, ["busy"]), (SQLITE_LOCKED | 1 << 8, ["busy"]),
        (SQLITE_FULL, ["full"]), (SQLITE_READONLY | 4 << 8, ["readonly"]), (SQLITE_PERM, ["readonly"]),
        (SQLITE_CANTOPEN, ["cannot open"]), (SQLITE_CORRUPT | 1 << 8, ["damage"]), (SQLITE_NOTADB, ["damage"]),
        (SQLITE_CONSTRAINT | 8 << 8, ["permanent", "constraint"]), (SQLITE_ERROR, ["permanent"]),
        (SQLITE_MISMATCH, ["permanent"]), (SQLITE_TOOBIG, ["permanent"]), (SQLITE_RANGE, ["permanent"]),
        (SQLITE_MISUSE, ["permanent"]), (SQLITE_AUTH, ["permanent"]), (SQLITE_INTERRUPT, []),
        (SQLITE_IOERR, []), (SQLITE_NOMEM, []), (SQLITE_ABORT, []),
    ]

    @Test(arguments: codes)
    func `a result code is of its kind, with any extension`(code: Int32, expected: [String]) {
        #expect(kinds(code) == expected)
        #expect(SQLiteError(code: code, message: "").primaryCode == code & 0xFF)
    }

    private static let systemCodes: [(code: Int32, systemCode: Int32, kinds: [String])] = [
        (ioWrite, ENOSPC, ["full"]), (ioWrite, EDQUOT, ["full"]),
        // A write that fails for no fault of the device met a limit, also when its number was overwritten.
        (ioWrite, 0, ["full"]), (ioWrite, EIO, []),
        (ioSharedMemory, ENOSPC, ["full"]), (ioSharedMemory, EIO, []),
        (SQLITE_IOERR | 4 << 8, EFBIG, ["full"]), (SQLITE_IOERR | 4 << 8, EIO, []),
        (SQLITE_IOERR | 1 << 8, EACCES, ["readonly"]), (SQLITE_IOERR | 1 << 8, EROFS, ["readonly"]),
        (SQLITE_CANTOPEN, ENOSPC, ["full", "cannot open"]), (SQLITE_CANTOPEN, EPERM, ["readonly", "cannot open"]),
    ]

    @Test(arguments: systemCodes)
    func `the error number of the system decides what an I/O error is`(
        code: Int32, systemCode: Int32, expected: [String]
    ) {
        #expect(kinds(code, systemCode) == expected)
    }

    @Test(arguments: [
        ("CHECK constraint failed: size", "size"), ("UNIQUE constraint failed: a.b, a.c", "a.b, a.c"),
        ("NOT NULL constraint failed: a.b", "a.b"), ("FOREIGN KEY constraint failed", nil), ("", nil),
        ("CHECK constraint failed: a constraint failed: b", "a constraint failed: b"),
    ])
    func `a constraint is named`(message: String, constraint: String?) {
        #expect(SQLiteError(code: SQLITE_CONSTRAINT, message: message).constraint == constraint)
        #expect(SQLiteError(code: SQLITE_ERROR, message: message).constraint == nil)
    }

    @Test func `an error says its code and its statement`() {
        let error = SQLiteError(code: 5, message: "database is locked", sql: "SELECT 1")
        #expect("\(error)" == "database is locked (SQLite 5) in: SELECT 1")
        #expect("\(SQLiteError(code: 5, message: "x"))" == "x (SQLite 5)")
    }

    @Test func `the library says its version`() {
        #expect(Connection.libraryVersion.split(separator: ".").compactMap { Int($0) }.count == 3)
    }
}

extension SQLiteError {
    /// Whether the authorizer denied it.
    var isDenied: Bool { primaryCode == SQLITE_AUTH }
}
