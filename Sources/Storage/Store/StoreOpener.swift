import Glibc
package import SQLite

/// Opens the connections of a database, and brings the tables up to date before anybody uses them.
struct StoreOpener {
    let catalog: SchemaCatalog
    let clock: any Clock
    /// Whether this process needs one connection only, so that it may have the database for itself.
    var isAlone = false

    /// The name of the lock that all processes with an open store share, and that a migrating process holds
    /// exclusively.
    static let schemaLock = "schema"
    /// The time to wait for other processes to close the store, and the interval of the checks.
    private static let patience = Duration.seconds(10)
    private static let pause: UInt32 = 5000

    /// A database in memory, which is always new.
    func openInMemory() throws -> StoreConnection {
        let store = try StoreConnection(":memory:", mode: .create, catalog: catalog, clock: clock)
        try Migrator(store).apply(MigrationPlan(store))
        store.problems = try MigrationPlan(store).problems
        return store
    }

    /// One more connection for reading; the writer's must be open.
    func openReader(in path: String) throws -> StoreConnection {
        try connect(DataDirectory(path: path))
    }

    /// The connection that writes.
    func open(in path: String, locks: FileLocks) throws -> StoreConnection {
        let directory = DataDirectory(path: path)
        try directory.prepare()
        let start = ContinuousClock.now
        var failures: [String: HubError] = [:]
        while true {
            let isLastTry = ContinuousClock.now - start >= Self.patience
            let attempt = try openCurrent(directory, locks: locks, isLastTry: isLastTry, failures: failures)
            if let attempt { return attempt }
            if let alone = try locks.tryAcquire(Self.schemaLock) {
                try withExtendedLifetime(alone) { failures.merge(try migrate(directory)) { $1 } }
            } else if isLastTry {
                throw inUse(try locks.holder(of: Self.schemaLock))
            } else {
                usleep(Self.pause)
            }
        }
    }

    /// The connection, with a share of the schema lock; nil while the tables are not up to date.
    ///
    /// On the last try a plugin whose tables are not goes without, rather than all of hub; so does one whose migration
    /// has just failed, which is tried again at the next start.
    private func openCurrent(
        _ directory: DataDirectory, locks: FileLocks, isLastTry: Bool, failures: [String: HubError]
    ) throws -> StoreConnection? {
        var lock: FileLock?
        do {
            lock = try locks.tryAcquire(Self.schemaLock, .shared)
            if lock == nil { return nil }
        } catch let error as SystemError where error.forbidsWriting {
            // Without write access there is no lock, and none is needed, because nothing can be changed.
        }
        let store = try connect(directory)
        var plan = try MigrationPlan(store)
        if store.access == .readOnly {
            guard !plan.concernsCore else { throw HubError.readOnlyStore() }
            plan.postpone(because: "the store is read-only", hint: "hub doctor shows what is not writable")
        }
        plan.postpone(failures)
        if isLastTry, !plan.concernsCore {
            plan.postpone(
                because: "another hub process has the store open", hint: "restart it: systemctl --user restart hub")
        }
        guard plan.pending.isEmpty else { return nil }
        store.problems = plan.problems
        store.schemaLock = lock
        store.writerLock = WriterLock(directory.writerLock, clock: clock)
        store.files = directory
        if store.access != .readOnly {
            // Where it cannot be written, such as on a full disk, the next start tries again.
            try? store.renewReplicaOfCopy(at: directory.database)
            store.rollBackAbandoned(locks)
        }
        return store
    }

    /// A connection, also where the disk is full or the folder cannot be written.
    ///
    /// - A full disk has no space for the shared-memory file, which no process has open then. A command opens the
    ///   database exclusively instead, as long as it runs: SQLite keeps the index of the log in memory.
    /// - In a folder that cannot be written the files of a process that has the store open can be shared for reading.
    /// When there are none, a private copy is read.
    private func connect(_ directory: DataDirectory) throws -> StoreConnection {
        let refusal: SQLiteError
        do {
            return try StoreConnection(directory.database, mode: .readWrite, catalog: catalog, clock: clock)
        } catch let error as SQLiteError where error.isDiskFull && isAlone {
            // If there is no log yet, there may be no space for one either.
            if let store = try? connectAlone(directory) { return store }
            refusal = error
        } catch let error as SQLiteError where error.isReadOnly || error.isCannotOpen {
            guard access(directory.database, R_OK) == 0 else { throw error }
            refusal = error
        }
        let store = try connectForReading(directory)
        // If the folder is writable and yet no file can be created, there is no space for one.
        if access(directory.path, W_OK) == 0, access(directory.database, W_OK) == 0 {
            store.writeRefusal = HubError(diskFullBecauseOf: refusal)
        }
        return store
    }

    private func connectAlone(_ directory: DataDirectory) throws -> StoreConnection {
        let store = try StoreConnection(
            directory.database, mode: .readWrite, catalog: catalog, clock: clock, isExclusive: true)
        _ = try store.connection.row("SELECT count(*) FROM sqlite_master") { $0.int(0) }
        return store
    }

    private func connectForReading(_ directory: DataDirectory) throws -> StoreConnection {
        do {
            return try StoreConnection(directory.database, mode: .readOnly, catalog: catalog, clock: clock)
        } catch let error as SQLiteError where error.isReadOnly || error.isCannotOpen || error.isDiskFull {
            let copy = try DatabaseSnapshot.take(of: directory.database)
            // Once it is open it needs its names no more.
            defer { copy.remove() }
            return try StoreConnection(
                copy.database, mode: .readWrite, catalog: catalog, clock: clock, isExclusive: true, isCopy: true)
        }
    }

    /// Migrates while no other process has the store open. Another process may just have done it, so it checks again.
    /// - Returns: the plugins whose migration failed for a reason that may be gone at the next start.
    private func migrate(_ directory: DataDirectory) throws -> [String: HubError] {
        if directory.isEmptied { throw HubError.damagedStore("\(directory.database) is empty") }
        let store = try StoreConnection(directory.database, mode: .readWrite, catalog: catalog, clock: clock)
        let plan = try MigrationPlan(store)
        if plan.isNew {
            try store.connection.execute("PRAGMA journal_mode = WAL; PRAGMA application_id = \(Self.applicationID)")
        }
        do {
            try copyBefore(plan, store, directory)
        } catch  where !plan.concernsCore {
            // Without a copy nothing is changed; the other plugins go on.
            let reason =
                (error as? SQLiteError).map { HubError(store: $0) }
                ?? (error as? SystemError).map { HubError(storeFile: $0) }
            return Dictionary(
                plan.pending.map { entry, migrations in
                    (entry.schema.owner, Migrator.interrupted(entry, migrations.first, reason ?? error))
                }
            ) { first, _ in first }
        }
        return try Migrator(store, at: directory.database).apply(plan)
    }

    /// Copies the database, when the plan changes tables that hold data.
    private func copyBefore(_ plan: MigrationPlan, _ store: StoreConnection, _ directory: DataDirectory) throws {
        if plan.changesData, let first = plan.pending.first(where: { $0.migrations.startIndex > 0 }),
            let migration = first.migrations.first
        {
            let name = "before-\(first.entry.schema.owner)-\(migration.id).db"
            try store.copy(to: directory.backups + "/" + name)
        }
    }

    /// The SQLite application id, by which file(1) and others recognize the database: `hub1` in ASCII.
    static let applicationID = 0x6875_6231

    private func inUse(_ holder: FileLock.Holder?) -> HubError {
        HubError(
            .busy, code: "store-in-use",
            "the store is being migrated, or is in use by another version of hub",
            details: holder.map { ["locked by \($0.command), process \($0.process)"] } ?? [],
            hint: "stop other hub processes (systemctl --user stop hub) and try again")
    }
}

extension MigrationPlan {
    /// Postpones the pending migrations.
    fileprivate mutating func postpone(because reason: String, hint: String) {
        for (entry, _) in pending {
            problems[entry.schema.owner] = HubError(
                .busy, code: "migration-waits",
                "the tables of \(entry.schema.owner) must be migrated first", details: [reason], hint: hint)
        }
        pending = []
    }

    /// Leaves the plugins whose migration has just failed for the next start.
    fileprivate mutating func postpone(_ failures: [String: HubError]) {
        problems.merge(failures.filter { owner, _ in pending.contains { $0.entry.schema.owner == owner } }) { $1 }
        pending.removeAll { failures[$0.entry.schema.owner] != nil }
    }
}

extension PluginSchema {
    /// Makes the tables in a new database in memory and lends its connection to `body`. Throws the error of a migration that fails.
    package func withTablesInMemory<Value>(_ clock: any Clock, _ body: (Connection) throws -> Value) throws -> Value {
        let store = try StoreOpener(catalog: SchemaCatalog([self]), clock: clock).openInMemory()
        if let problem = store.problems[owner] { throw problem }
        return try body(store.connection)
    }
}
