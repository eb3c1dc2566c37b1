import SQLite

/// The missing migrations of a database: the difference between those that were applied and those that this program
/// knows.
struct MigrationPlan {
    /// The owners that lack migrations, core first, each with those that it lacks.
    var pending: [(entry: SchemaCatalog.Entry, migrations: ArraySlice<Migration>)] = []
    /// The owners that cannot be brought up to date, and why.
    var problems: [String: HubError] = [:]
    /// Whether the database holds nothing yet.
    var isNew = false

    /// Whether tables that hold data would be changed: then a copy is made before.
    var changesData: Bool { pending.contains { $0.migrations.startIndex > 0 } }

    /// Whether HubKit's own tables are not there yet or are old; nothing works before they are up to date.
    var concernsCore: Bool { pending.contains { $0.entry.schema.owner == CoreSchema.owner } }

    private struct Applied {
        let owner: String
        let id: String
        let checksum: String
    }

    /// Reads the applied migrations of `store`; throws when it is a foreign database, or one of a newer hub.
    init(_ store: StoreConnection) throws {
        let applied: [Applied]
        do {
            applied = try store.connection.rows(
                "SELECT owner, id, checksum FROM core_migration ORDER BY owner, position"
            ) { Applied(owner: $0.text(0), id: $0.text(1), checksum: $0.text(2)) }
        } catch let error as SQLiteError where !error.isBusy && !error.isDamage {
            guard try store.connection.row("SELECT 1 FROM sqlite_master", body: { $0.int(0) }) == nil else {
                throw HubError(
                    .config, code: "foreign-database", "hub.db is a database of another program",
                    hint: "choose another folder: --data DIR, or HUB_DATA", cause: error)
            }
            applied = []
            isNew = true
        }
        let byOwner = Dictionary(grouping: applied, by: \.owner)
        for entry in store.catalog.entries {
            try compare(entry, with: byOwner[entry.schema.owner] ?? [])
        }
        for (entry, migrations) in pending {
            guard let migration = migrations.first,
                let reason = try store.failure(of: migration, owner: entry.schema.owner)
            else { continue }
            shut(entry, code: "migration-failed", "its migration \"\(migration.id)\" failed before: \(reason)")
        }
        let shutOut = problems
        pending.removeAll { shutOut[$0.entry.schema.owner] != nil }
    }

    private mutating func compare(_ entry: SchemaCatalog.Entry, with applied: [Applied]) throws {
        let known = entry.schema.migrations
        for (migration, past) in zip(known, applied)
        where migration.id != past.id || migration.checksum != past.checksum {
            let reason = "its migration \"\(migration.id)\" is not the one that was applied (\"\(past.id)\")"
            guard entry.schema.owner != CoreSchema.owner else {
                throw HubError(.config, code: "store-differs", "the store was created by a different hub: \(reason)")
            }
            return shut(entry, code: "migration-differs", reason)
        }
        guard applied.count <= known.count else {
            throw HubError(
                .config, code: "store-newer", "the store was created by a newer hub",
                details: [
                    "\(entry.schema.owner) has the migration \"\(applied[known.count].id)\", unknown to this version"
                ],
                hint: "install the newer hub, or restore an older backup: hub restore FILE")
        }
        let missing = known[applied.count...]
        if !missing.isEmpty { pending.append((entry, missing)) }
    }

    private mutating func shut(_ entry: SchemaCatalog.Entry, code: String, _ reason: String) {
        let owner = entry.schema.owner
        problems[owner] = HubError(
            .internal, code: code, "\(owner) is disabled: its database migration failed",
            details: [reason], hint: "hub doctor --fix retries it; all other plugins work")
    }
}
