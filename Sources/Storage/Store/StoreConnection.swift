import Glibc
import SQLite

/// One connection with hub's settings and rules, on which the store works. Confined to its actor.
final class StoreConnection {
    let connection: Connection
    let catalog: SchemaCatalog
    let clock: any Clock
    /// The owners whose migrations failed, and why; they alone are shut out.
    var problems: [String: HubError] = [:]
    /// The share of the lock that keeps others from changing the tables meanwhile.
    var schemaLock: FileLock?
    /// The queue of processes that want to write; nil where there can be no other.
    var writerLock: WriterLock?
    /// The folder of the files; nil in memory.
    var files: DataDirectory?
    /// The access to the file.
    let access: Access
    /// The reason why the work of a process that died could not be rolled back yet; it is retried before the next
    /// change.
    var rollbackFailure: (any Error)?
    /// The error for writes when the access is read-only.
    var writeRefusal = HubError.readOnlyStore()
    /// Whether a commit waits until it is on the disk.
    private var commitsAreFinal = true
    private var isRollingBack = false
    private var layouts: [String: [TableColumn]] = [:]

    /// The maximum time for which a statement waits for another process.
    static let busyLimit = Duration.seconds(10)

    /// The access to a database file.
    enum Access: Sendable {
        /// Beside other processes, for reading and writing.
        case shared
        /// Alone, for reading and writing: without the shared-memory file, for which there may be no room.
        case exclusive
        /// For reading only.
        case readOnly
    }

    init(
        _ path: String, mode: Connection.Mode, catalog: SchemaCatalog, clock: any Clock, isExclusive: Bool = false,
        isCopy: Bool = false
    ) throws {
        connection = try Connection(path, mode: mode)
        access = isCopy || connection.isReadOnly ? .readOnly : isExclusive ? .exclusive : .shared
        self.catalog = catalog
        self.clock = clock
        try connection.setBusyLimit(Self.busyLimit)
        if isExclusive { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
        try connection.set(.defensive, to: true)
        try connection.set(.trustedSchema, to: false)
        try connection.set(.foreignKeys, to: true)
        let rule = ScopeRule(catalog)
        try connection.authorize { request, scope in rule.allows(request, in: scope) }
        try connection.execute(
            """
            PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON; PRAGMA cache_size = -16000;
            PRAGMA wal_autocheckpoint = 24000; PRAGMA secure_delete = ON
            """)
    }

    /// Whether the next commits wait for the disk. One that does not is lost only with all that came after it, and a
    /// crash of the system alone can lose it: a killed process cannot.
    func setCommitsAreFinal(_ areFinal: Bool) throws {
        guard areFinal != commitsAreFinal else { return }
        try connection.execute("PRAGMA synchronous = \(areFinal ? "FULL" : "NORMAL")")
        commitsAreFinal = areFinal
        try limitLog()
    }

    /// Whether bulk work is being taken back, which keeps the log short.
    func setIsRollingBack(_ isRollingBack: Bool) throws {
        self.isRollingBack = isRollingBack
        try limitLog()
    }

    /// Sets the pages after which the log moves into the database file.
    ///
    /// With a log of 64 MB or more, bulk work, which writes the same index pages again and again, checkpoints less
    /// often. It does so before other writers would have to.
    private func limitLog() throws {
        let pages = isRollingBack ? 500 : commitsAreFinal ? 24_000 : 16_000
        try connection.execute("PRAGMA wal_autocheckpoint = \(pages)")
    }

    /// Runs `body` under `scope`, and under the old one again afterwards.
    func inScope<T>(_ scope: Scope, _ body: () throws -> T) rethrows -> T {
        let outer = connection.scope
        connection.scope = scope.rawValue
        defer { connection.scope = outer }
        return try body()
    }

    /// The owner's entry in the catalog; throws when it is unknown here or its migrations failed.
    func entry(_ owner: String) throws(HubError) -> SchemaCatalog.Entry {
        if let problem = problems[owner] { throw problem }
        guard let entry = catalog[owner] else {
            throw HubError(
                .conflict, code: "plugin-disabled", "the plugin \(owner) is not enabled",
                hint: "hub plugins enable \(owner)")
        }
        return entry
    }

    /// One consistent view of the owner's tables.
    func read<T>(_ owner: String, _ body: (Transaction) throws -> T) throws -> T {
        let entry = try entry(owner)
        let transaction = Transaction(self, entry: entry, operation: nil, now: clock.now)
        try connection.run("BEGIN")
        connection.refusesWrites = true
        defer {
            connection.refusesWrites = false
            // A read holds nothing that could be lost, so how it ends does not matter.
            if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
        }
        return try inScope(.plugin(entry.number)) { try body(transaction) }
    }

    /// Returns the columns of a table in their order; empty when there is no such table.
    func columns(of table: String) throws -> [String] { try layout(of: table).map(\.name) }

    /// The columns of the primary key, in the order of the table.
    func keyColumns(of table: String) throws -> [String] { try layout(of: table).filter(\.isKey).map(\.name) }

    /// Returns the columns of a table. Migrations never run while the store is open, so the result is cached.
    func layout(of table: String) throws -> [TableColumn] {
        if let known = layouts[table] { return known }
        let columns = try inScope(.store) { try connection.columns(of: table) }
        layouts[table] = columns
        return columns
    }
}

/// A column as the database declares it.
struct TableColumn: Hashable {
    let name: String
    let type: String
    let isKey: Bool
}

extension Connection {
    /// Returns the columns of `table` in their order; empty when there is no such table.
    func columns(of table: String) throws -> [TableColumn] {
        try rows("PRAGMA table_info(\(quoted(table)))") {
            TableColumn(name: $0.text(1), type: $0.text(2), isKey: $0.int(5) > 0)
        }
    }
}
