import Glibc
import SQLite

/// Opens the connections of a database, and brings the tables up to date before anybody uses them.
struct StoreOpener {
    let catalog: SchemaCatalog
    let clock: any Clock

    /// The name of the lease that all who have the store open share, and that who changes its tables holds alone.
    static let schemaLease = "schema"
    /// How long to wait for others to close the store before giving up, and how often to look.
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
        try StoreConnection(DataDirectory(path: path).database, mode: .readWrite, catalog: catalog, clock: clock)
    }

    /// The connection that writes.
    func open(in path: String, leases: Leases) throws -> StoreConnection {
        let directory = DataDirectory(path: path)
        try directory.prepare()
        let start = ContinuousClock.now
        while true {
            let isLastTry = ContinuousClock.now - start >= Self.patience
            if let store = try openCurrent(directory, leases: leases, isLastTry: isLastTry) { return store }
            if let alone = try leases.tryAcquire(Self.schemaLease) {
                try withExtendedLifetime(alone) { try migrate(directory) }
            } else if isLastTry {
                throw inUse(try leases.holder(of: Self.schemaLease))
            } else {
                usleep(Self.pause)
            }
        }
    }

    /// The connection, with a share of the schema lease; nil while the tables are not up to date.
    ///
    /// On the last try a plugin whose tables are not goes without, rather than all of hub.
    private func openCurrent(
        _ directory: DataDirectory, leases: Leases, isLastTry: Bool
    ) throws -> StoreConnection? {
        guard let lease = try leases.tryAcquire(Self.schemaLease, .shared) else { return nil }
        let store = try StoreConnection(directory.database, mode: .readWrite, catalog: catalog, clock: clock)
        var plan = try MigrationPlan(store)
        if isLastTry, !plan.concernsCore { plan.postpone() }
        guard plan.pending.isEmpty else { return nil }
        store.problems = plan.problems
        store.schemaLease = lease
        store.turn = WriteTurn(directory.turn)
        try BulkRollback.rollBackAbandoned(store, leases: leases)
        return store
    }

    /// Migrates while nobody else has the store open. Another process may just have done it, so it looks again.
    private func migrate(_ directory: DataDirectory) throws {
        let store = try StoreConnection(directory.database, mode: .readWrite, catalog: catalog, clock: clock)
        let plan = try MigrationPlan(store)
        if plan.isNew {
            try store.connection.execute("PRAGMA journal_mode = WAL; PRAGMA application_id = \(Self.applicationID)")
        }
        if plan.changesData, let first = plan.pending.first(where: { $0.migrations.startIndex > 0 }),
            let migration = first.migrations.first
        {
            let name = "before-\(first.entry.schema.owner)-\(migration.id).db"
            try store.copy(to: directory.backups + "/" + name)
        }
        try Migrator(store).apply(plan)
    }

    /// What file(1) and others know the database by: `hub1` in ASCII.
    static let applicationID = 0x6875_6231

    private func inUse(_ holder: Lease.Holder?) -> HubError {
        HubError(
            .busy, code: "store-in-use",
            "the store is being brought up to date, or is in use by another version of hub",
            details: holder.map { ["held by \($0.command), process \($0.process)"] } ?? [],
            hint: "end other hub processes (systemctl --user stop hub) and try again")
    }
}

extension MigrationPlan {
    /// Leaves for later what cannot be done while another process has the store open.
    fileprivate mutating func postpone() {
        for (entry, _) in pending {
            problems[entry.schema.owner] = HubError(
                .busy, code: "migration-waits",
                "the tables of \(entry.schema.owner) must be brought up to date first",
                details: ["another hub process has the store open"],
                hint: "restart it: systemctl --user restart hub")
        }
        pending = []
    }
}
