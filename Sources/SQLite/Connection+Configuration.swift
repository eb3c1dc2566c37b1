import CSQLite
import Time

extension Connection {
    /// A switch that a connection has for itself; it works inside a transaction too.
    package enum Flag: Sendable {
        /// Foreign keys are enforced and cascade.
        case foreignKeys
        /// Shadow tables of virtual tables and the schema table cannot be written by statements.
        case defensive
        /// The schema may use functions and virtual tables that are not known as harmless.
        case trustedSchema

        fileprivate var option: Int32 {
            switch self {
            case .foreignKeys: SQLITE_DBCONFIG_ENABLE_FKEY
            case .defensive: SQLITE_DBCONFIG_DEFENSIVE
            case .trustedSchema: SQLITE_DBCONFIG_TRUSTED_SCHEMA
            }
        }
    }

    /// Turns a switch on or off.
    package func set(_ flag: Flag, to isOn: Bool) throws(SQLiteError) {
        try check(csqlite_set_flag(handle, flag.option, isOn ? 1 : 0))
    }

    /// Waits this long for another connection's lock before a statement fails as busy, looking twice a millisecond.
    package func setBusyLimit(_ limit: Duration) throws(SQLiteError) {
        try check(csqlite_set_busy_limit(handle, Int32(clamping: limit.milliseconds)))
    }

    /// A number that changes whenever another connection has committed.
    package func dataVersion() throws -> Int {
        try row("PRAGMA data_version") { $0.int(0) } ?? 0
    }

    /// Whether a transaction is open. An error such as a full disk may have ended one.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` inside a savepoint, which is rolled back when it throws.
    package func savepoint<T>(_ body: () throws -> T) throws -> T {
        try run("SAVEPOINT step")
        let result: T
        do {
            result = try body()
        } catch {
            // The error may have rolled back everything, and the savepoint with it.
            if isInTransaction {
                try run("ROLLBACK TO step")
                try run("RELEASE step")
            }
            throw error
        }
        try run("RELEASE step")
        return result
    }
}
