import Glibc
import SQLite

extension Database {
    /// Puts the copy at `path` in the place of the database, which is kept beside the backups.
    ///
    /// No other process may have the store open. The restored database gets an identity of its own.
    /// - Returns: where the replaced file is.
    package func restore(from path: String) async throws -> String {
        guard case .directory(let folder) = location, let leases else {
            throw HubError(.usage, code: "restore-memory", "a database in memory cannot be replaced")
        }
        await close()
        return try await writer.withoutConnection { [catalog, clock] in
            try withStoreErrors {
                guard let alone = try leases.tryAcquire(StoreOpener.schemaLease) else {
                    throw HubError(
                        .busy, code: "store-in-use", "the store is in use by another hub process",
                        hint: "end it (systemctl --user stop hub) and try again")
                }
                let opener = StoreOpener(catalog: catalog, clock: clock)
                return try withExtendedLifetime(alone) {
                    try opener.replace(DataDirectory(path: folder), with: path)
                }
            }
        }
    }
}

extension ConnectionActor {
    /// Runs `body` on the actor's thread while no connection is open.
    fileprivate func withoutConnection<T: Sendable>(_ body: @Sendable () throws -> T) throws -> T {
        close()
        return try body()
    }
}

extension StoreOpener {
    /// Replaces the database file; at every moment there is a whole one.
    fileprivate func replace(_ directory: DataDirectory, with path: String) throws -> String {
        let draft = directory.path + "/restored.db"
        try makeDraft(draft, from: path)
        let replaced = directory.backups + "/replaced-\(clock.now.milliseconds).db"
        try Folder.make(directory.backups)
        try emptyLog(of: directory.database, movingTo: replaced)
        guard link(directory.database, replaced) == 0 || errno == ENOENT else { throw SystemError("link \(replaced)") }
        guard rename(draft, directory.database) == 0 else { throw SystemError("rename \(draft)") }
        try directory.synchronize()
        return replaced
    }

    /// Copies the backup, so that it stays as it is, and checks the copy.
    private func makeDraft(_ draft: String, from path: String) throws {
        guard access(path, R_OK) == 0 else {
            throw HubError(.notFound, code: "backup-not-found", "there is no file \(path)")
        }
        do {
            for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
            try StoreConnection(path, mode: .readOnly, catalog: catalog, clock: clock).copy(to: draft)
            let store = try StoreConnection(draft, mode: .readWrite, catalog: catalog, clock: clock)
            let breaches = try store.connection.integrityBreaches(limit: 3)
            guard breaches.isEmpty else { throw notABackup(path, breaches) }
            guard !(try MigrationPlan(store).isNew) else { throw notABackup(path, ["it is empty"]) }
            try store.renewReplica()
            try store.connection.checkpoint()
        } catch let error as SQLiteError {
            unlink(draft)
            throw notABackup(path, [error.message])
        }
    }

    /// Brings the old file up to date with its log, which would damage the new file if it stayed. Where that fails,
    /// for the old file is damaged, the log goes with it.
    private func emptyLog(of database: String, movingTo replaced: String) throws {
        let log = database + "-wal"
        _ = try? Connection(database, mode: .readWrite).execute("PRAGMA journal_mode = DELETE")
        guard access(log, F_OK) == 0 else { return }
        guard rename(log, replaced + "-wal") == 0 else { throw SystemError("rename \(log)") }
        unlink(database + "-shm")
    }

    private func notABackup(_ path: String, _ reasons: [String]) -> HubError {
        HubError(.invalid, code: "backup-damaged", "\(path) is not a sound backup of hub", details: reasons)
    }
}
