import SQLite

/// Brings the tables of all owners up to date: those of an owner that has none yet in one transaction, else each step in one of its own.
///
/// It runs while no other process has the store open.
struct Migrator {
    let store: StoreConnection
    /// The file of the database; nil for one in memory.
    private let path: String?
    private var connection: Connection { store.connection }

    init(_ store: StoreConnection, at path: String? = nil) { (self.store, self.path) = (store, path) }

    /// Does what the plan says. A step of a plugin that fails shuts out that plugin alone. The failure is noted where
    /// the step itself is to blame; after any other, such as a full disk, the next start tries again.
    /// - Returns: the plugins whose failure is not noted, and why.
    @discardableResult
    func apply(_ plan: MigrationPlan) throws -> [String: HubError] {
        var failures: [String: HubError] = [:]
        for (entry, migrations) in plan.pending {
            // Where a step fails, those before it stay, so it is found by doing one after the other.
            if migrations.startIndex == 0, (try? applyAll(migrations, of: entry)) != nil { continue }
            // What is there after one migration is there before the next.
            var known: SchemaObjects?
            for (position, migration) in zip(migrations.indices, migrations) {
                do {
                    known = try apply(migration, at: position, of: entry, after: known)
                } catch  where entry.schema.owner != CoreSchema.owner {
                    if Self.isPermanent(error) {
                        try store.transact { try store.noteFailure(of: migration, owner: entry.schema.owner, error) }
                    } else {
                        failures[entry.schema.owner] = Self.interrupted(entry, migration, error)
                    }
                    break
                }
            }
        }
        return failures
    }

    /// Whether the step fails again as long as neither it nor the data are others.
    private static func isPermanent(_ error: any Error) -> Bool {
        switch error {
        case let error as SQLiteError: error.isPermanent
        case is SchemaObjects.Violation: true
        default: false
        }
    }

    /// The error of a plugin whose migration could not be done for a reason that may be gone at the next start.
    static func interrupted(
        _ entry: SchemaCatalog.Entry, _ migration: Migration?, _ error: any Error
    ) -> HubError {
        let reason = (error as? SQLiteError).map { HubError(store: $0) } ?? (error as? HubError)
        return HubError(
            reason?.kind ?? .internal, code: "migration-interrupted",
            "\(entry.schema.owner) is disabled: its database migration failed",
            details: ["its migration \"\(migration?.id ?? "")\": \(reason?.message ?? "\(error)")"],
            hint: "\(reason?.hint ?? "hub doctor checks the store"); the next start retries it", cause: error)
    }

    /// Makes the tables of an owner that has none yet. No history ends with a step, for there is none, and what the steps leave
    /// together is checked.
    private func applyAll(_ migrations: ArraySlice<Migration>, of entry: SchemaCatalog.Entry) throws {
        try transactWithoutForeignKeys {
            let before = try SchemaObjects(connection)
            for (position, migration) in zip(migrations.indices, migrations) {
                try run(migration, at: position, of: entry)
                try note(migration, at: position, of: entry, closing: [])
            }
            try SchemaObjects(connection).check(changesSince: before, by: entry, in: store)
        }
    }

    /// Returns the objects that are there then.
    private func apply(
        _ migration: Migration, at position: Int, of entry: SchemaCatalog.Entry, after known: SchemaObjects?
    ) throws -> SchemaObjects {
        try transactWithoutForeignKeys {
            let before = try entry.schema.recorded.map { try connection.columns(of: $0.name) }
            let objects = try known ?? SchemaObjects(connection)
            try run(migration, at: position, of: entry)
            let made = try SchemaObjects(connection)
            try made.check(changesSince: objects, by: entry, in: store)
            let after = try entry.schema.recorded.map { try connection.columns(of: $0.name) }
            let closed = zip(entry.schema.recorded, zip(before, after)).filter { !$1.1.starts(with: $1.0) }
            try note(migration, at: position, of: entry, closing: closed.map(\.0.name))
            return made
        }
    }

    /// A table is rebuilt by copying, dropping and renaming, which must not cascade; the keys are checked afterwards.
    private func transactWithoutForeignKeys<T>(_ body: () throws -> T) throws -> T {
        try connection.set(.foreignKeys, to: false)
        defer { try? connection.set(.foreignKeys, to: true) }
        return try store.transact(body)
    }

    private func run(_ migration: Migration, at position: Int, of entry: SchemaCatalog.Entry) throws {
        let isCore = entry.schema.owner == CoreSchema.owner
        if isCore, position == 0 { try connection.execute(CoreSchema.migrationTable) }
        try store.inScope(isCore ? .store : .migration(entry.number)) {
            try connection.execute(migration.sql)
        }
        if let move = migration.blobs { try makeBlobs(move) }
    }

    /// Notes that a migration was applied, and the tables whose history ends with it.
    private func note(
        _ migration: Migration, at position: Int, of entry: SchemaCatalog.Entry, closing tables: [String]
    ) throws {
        try connection.run(
            """
            INSERT INTO core_migration (owner, position, id, checksum, closed, applied_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """, entry.schema.owner, position, migration.id, migration.checksum, tables.joined(separator: " "),
            store.clock.now.milliseconds)
        let isCore = entry.schema.owner == CoreSchema.owner
        if isCore, position == 0 { try store.renewReplica(at: path) }
        if !isCore, position == entry.schema.migrations.count - 1 { try store.noteAllDocuments(of: entry) }
    }

    /// Stores the content of rows as blobs. They are on the disk before the transaction ends; what a killed process leaves is
    /// collected.
    private func makeBlobs(_ move: BlobMove) throws {
        let rows = try connection.rows("SELECT rowid FROM \(move.table) WHERE \(move.blob) IS NULL") { $0.int(0) }
        guard !rows.isEmpty else { return }
        guard let path, let end = path.lastIndex(of: "/") else {
            throw HubError(.internal, code: "blobs-without-folder", "a store in memory cannot hold files")
        }
        let directory = BlobStore.directory(in: String(path[..<end]))
        // No other process has the store open, so none collects.
        let blobs = BlobStore(directory: directory, locks: FileLocks(directory: directory, clock: store.clock))
        for row in rows {
            let draft = BlobDraft(blobs)
            let content = try connection.row("SELECT \(move.content) FROM \(move.table) WHERE rowid = ?", row) {
                $0.blob(0)
            }
            try draft.write(content ?? [])
            try connection.run(
                "UPDATE \(move.table) SET \(move.blob) = ? WHERE rowid = ?", try draft.publish(keeping: nil).id.text,
                row)
        }
    }
}

extension StoreConnection {
    /// The time after which a failed migration is tried again.
    private static let retryAfter = Duration.seconds(24 * 3600)

    /// Returns the reason why this migration failed the last time; nil when it has not failed, or when it is due
    /// again.
    func failure(of migration: Migration, owner: String) throws -> String? {
        guard try !connection.columns(of: "core_setting").isEmpty else { return nil }
        let note = try connection.row(
            "SELECT value FROM core_setting WHERE name = ?", failureKey(migration, owner)
        ) { $0.text(0) }
        guard let parts = note?.split(separator: " ", maxSplits: 1), parts.count == 2, let time = Int64(parts[0]) else {
            return nil
        }
        let age = clock.now - Instant(milliseconds: time)
        return age >= .zero && age < Self.retryAfter ? String(parts[1]) : nil
    }

    /// Notes that a migration failed, so that it is not tried again with every command.
    func noteFailure(of migration: Migration, owner: String, _ error: any Error) throws {
        let reason = (error as? SQLiteError)?.message ?? "\(error)"
        try connection.run(
            """
            INSERT INTO core_setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value
            """, failureKey(migration, owner), "\(clock.now.milliseconds) \(reason)")
    }

    /// Forgets failed migrations: the next opening tries them again.
    func forgetFailures() throws {
        try connection.run("DELETE FROM core_setting WHERE name LIKE 'migration-failed/%'")
    }

    private func failureKey(_ migration: Migration, _ owner: String) -> String {
        "migration-failed/\(owner)/\(migration.checksum)"
    }
}
