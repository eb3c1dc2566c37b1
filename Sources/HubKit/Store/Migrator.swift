import SQLite

/// Brings the tables of all owners up to date, each step in a transaction of its own.
///
/// It runs while nobody else has the store open.
struct Migrator {
    let store: StoreConnection
    private var connection: Connection { store.connection }

    init(_ store: StoreConnection) { self.store = store }

    /// Does what the plan says. A step of a plugin that fails is noted and shuts that plugin out alone.
    func apply(_ plan: MigrationPlan) throws {
        for (entry, migrations) in plan.pending {
            for (position, migration) in zip(migrations.indices, migrations) {
                do {
                    try apply(migration, at: position, of: entry)
                } catch  where entry.schema.owner != CoreSchema.owner {
                    try store.transact { try store.noteFailure(of: migration, owner: entry.schema.owner, error) }
                    break
                }
            }
        }
    }

    private func apply(_ migration: Migration, at position: Int, of entry: SchemaCatalog.Entry) throws {
        let isCore = entry.schema.owner == CoreSchema.owner
        // A table is rebuilt by copying, dropping and renaming, which must not cascade; the keys are checked below.
        try connection.set(.foreignKeys, to: false)
        defer { try? connection.set(.foreignKeys, to: true) }
        try store.transact {
            if isCore, position == 0 { try connection.execute(CoreSchema.migrationTable) }
            let before = try entry.schema.recorded.map { try connection.columns(of: $0.name) }
            let objects = try SchemaObjects(connection)
            try store.inScope(isCore ? .store : .migration(entry.number)) {
                try connection.execute(migration.sql)
            }
            try SchemaObjects(connection).check(changesSince: objects, by: entry, in: store)
            let after = try entry.schema.recorded.map { try connection.columns(of: $0.name) }
            let closed = zip(entry.schema.recorded, zip(before, after)).filter { !$1.1.starts(with: $1.0) }
            try connection.run(
                """
                INSERT INTO core_migration (owner, position, id, checksum, closed, applied_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """, entry.schema.owner, position, migration.id, migration.checksum,
                closed.map(\.0.name).joined(separator: " "), store.clock.now.milliseconds)
            if isCore, position == 0 { try store.renewReplica() }
        }
    }
}

extension StoreConnection {
    /// Why this very migration failed when it was tried before; nil when it was not.
    func failure(of migration: Migration, owner: String) throws -> String? {
        guard try !connection.columns(of: "core_setting").isEmpty else { return nil }
        return try connection.row(
            "SELECT value FROM core_setting WHERE name = ?", failureKey(migration, owner)
        ) { $0.text(0) }
    }

    /// Notes that a migration failed, so that it is not tried again with every command.
    func noteFailure(of migration: Migration, owner: String, _ error: any Error) throws {
        try connection.run(
            "INSERT INTO core_setting (name, value) VALUES (?, ?)", failureKey(migration, owner), "\(error)")
    }

    /// Forgets failed migrations: the next opening tries them again.
    func forgetFailures() throws {
        try connection.run("DELETE FROM core_setting WHERE name LIKE 'migration-failed/%'")
    }

    private func failureKey(_ migration: Migration, _ owner: String) -> String {
        "migration-failed/\(owner)/\(migration.checksum)"
    }

    /// Gives this database an identity of its own, as every copy needs one.
    func renewReplica() throws {
        try connection.run(
            "INSERT INTO core_setting VALUES ('replica', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            Identifier.make())
    }
}
