import Glibc
import SQLite

extension Database {
    /// Puts the copy at `path` in the place of the database, which is kept beside the backups.
    ///
    /// No other process may have the store open. The restored database gets an identity of its own.
    @discardableResult
    package func restore(from path: String) async throws -> RestoreReport {
        guard case .directory(let folder) = location, let locks else {
            throw HubError(.usage, code: "restore-memory", "a database in memory cannot be replaced")
        }
        await close()
        return try await writer.withoutConnection { [catalog, clock] in
            try withStoreErrors {
                guard let alone = try locks.tryAcquire(StoreOpener.schemaLock) else {
                    throw HubError(
                        .busy, code: "store-in-use", "the store is in use by another hub process",
                        hint: "stop it (systemctl --user stop hub) and try again")
                }
                let opener = StoreOpener(catalog: catalog, clock: clock)
                let blobs = BlobStore(directory: BlobStore.directory(in: folder), locks: locks)
                return try withExtendedLifetime(alone) {
                    try opener.replace(DataDirectory(path: folder), with: path, blobs: blobs)
                }
            }
        }
    }
}

extension Database {
    /// Throws for a file that is not a backup of hub, without changing anything.
    package func checkBackup(at path: String) async throws {
        try await writer.withoutConnection { [catalog, clock] in
            try withStoreErrors { try StoreOpener(catalog: catalog, clock: clock).check(path) }
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
    fileprivate func replace(
        _ directory: DataDirectory, with path: String, blobs: BlobStore
    ) throws -> RestoreReport {
        try directory.prepare(isReplaced: true)
        let draft = directory.path + "/restored.db"
        let files = try makeDraft(draft, from: path, blobs: blobs)
        try Directory.make(directory.backups)
        let replaced = freeName(directory.backups + "/replaced-\(clock.now.milliseconds)")
        try emptyLog(of: directory, movingTo: replaced)
        guard link(directory.database, replaced) == 0 || errno == ENOENT else { throw SystemError("link \(replaced)") }
        // The replaced file must be safe under its new name before it loses the old one.
        try DataDirectory(path: directory.backups).synchronize()
        guard rename(draft, directory.database) == 0 else { throw SystemError("rename \(draft)") }
        try directory.synchronize()
        return RestoreReport(replaced: replaced, files: files)
    }

    /// A name for the replaced file that no file has, with its log: two restores may fall into one moment of the clock.
    private func freeName(_ name: String) -> String {
        func isTaken(_ name: String) -> Bool { ["", "-wal", "-journal"].contains { access(name + $0, F_OK) == 0 } }
        var (path, number) = (name + ".db", 1)
        while isTaken(path) {
            number += 1
            path = "\(name)-\(number).db"
        }
        return path
    }

    /// Copies the backup, so that it stays as it is, and checks the copy.
    /// - Returns: the files that the backup carries.
    private func makeDraft(_ draft: String, from path: String, blobs: BlobStore) throws -> [BackupFile] {
        try requireFile(path)
        let suffixes = ["", "-wal", "-shm", "-journal"]
        for suffix in suffixes { unlink(draft + suffix) }
        do {
            try copyBackup(path, to: draft)
            let files = try completeDraft(draft, from: path, blobs: blobs)
            try DatabaseHeader.setJournal(.log, of: draft)
            return files
        } catch {
            for suffix in suffixes { unlink(draft + suffix) }
            throw failure(error, of: path)
        }
    }

    /// The reason why a file cannot be restored; what the disk or another process is to blame for stays as it is.
    private func failure(_ error: any Error, of path: String) -> any Error {
        guard let error = error as? SQLiteError, !error.isDiskFull, !error.isBusy, !error.isReadOnly else {
            return error
        }
        return notABackup(path, [error.message])
    }

    private func requireFile(_ path: String) throws {
        guard access(path, R_OK) == 0 else {
            throw errno == ENOENT
                ? HubError(.notFound, code: "backup-not-found", "no such file: \(path)")
                : HubError(
                    .denied, code: "backup-unreadable", "\(path) cannot be read",
                    details: [SystemError("open").description])
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw notABackup(path, ["it is not a file"])
        }
    }

    /// Checks the copy and makes it a store of its own, with an identity that no other has. The blobs that it carries are on
    /// the disk before it takes the place of the database.
    private func completeDraft(_ draft: String, from path: String, blobs: BlobStore) throws -> [BackupFile] {
        let store = try StoreConnection(draft, mode: .readWrite, catalog: catalog, clock: clock)
        // A draft that fails is removed, so its journal needs no file, for which there may be no room.
        try store.connection.execute("PRAGMA journal_mode = MEMORY")
        let breaches = try store.connection.integrityProblems(limit: 3)
        guard breaches.isEmpty else { throw notABackup(path, breaches) }
        guard !(try MigrationPlan(store).isNew) else { throw notABackup(path, ["it is empty"]) }
        let files = try store.connection.backupFiles()
        try store.connection.execute("DROP TABLE IF EXISTS \(BackupFile.table)")
        let damaged = try BlobBackup(store.connection).extract(to: blobs)
        guard damaged.isEmpty else { throw notABackup(path, damaged.prefix(3).map { "the file \($0) is damaged" }) }
        try store.renewReplica(at: draft)
        return files
    }

    /// Copies a database of hub; one that lies where SQLite cannot read its log is copied with it first.
    private func copyBackup(_ path: String, to draft: String) throws {
        do {
            let source = try StoreConnection(path, mode: .readOnly, catalog: catalog, clock: clock)
            try requireOwn(source, path)
            try source.copy(to: draft)
        } catch let error as SQLiteError where error.isCannotOpen || error.isReadOnly {
            let snapshot = try DatabaseSnapshot.take(of: path)
            defer { snapshot.remove() }
            let source = try StoreConnection(
                snapshot.database, mode: .readWrite, catalog: catalog, clock: clock, isExclusive: true, isCopy: true)
            try requireOwn(source, path)
            try source.copy(to: draft)
        }
    }

    /// Opens a backup as a restore would, and looks at whose it is.
    fileprivate func check(_ path: String) throws {
        try requireFile(path)
        do { try open(path) } catch { throw failure(error, of: path) }
    }

    private func open(_ path: String) throws {
        do {
            try requireOwn(try StoreConnection(path, mode: .readOnly, catalog: catalog, clock: clock), path)
        } catch let error as SQLiteError where error.isCannotOpen || error.isReadOnly {
            let snapshot = try DatabaseSnapshot.take(of: path)
            defer { snapshot.remove() }
            try requireOwn(
                try StoreConnection(
                    snapshot.database, mode: .readWrite, catalog: catalog, clock: clock, isExclusive: true, isCopy: true
                ),
                path)
        }
    }

    private func requireOwn(_ source: StoreConnection, _ path: String) throws {
        let id = try source.connection.row("PRAGMA application_id") { $0.int(0) }
        guard id == Self.applicationID else { throw notABackup(path, ["it was not created by hub"]) }
    }

    /// Brings the old file up to date with its log, which would damage the new file if it stayed, as would a journal. Where that
    /// fails, for the old file is damaged or the disk fails, they go with it.
    private func emptyLog(of directory: DataDirectory, movingTo replaced: String) throws {
        let database = directory.database
        // SQLite would delete the log of a file without content.
        if !directory.hasNoContent {
            _ = try? Connection(database, mode: .readWrite).execute("PRAGMA journal_mode = DELETE")
        }
        for suffix in ["-wal", "-journal"] where access(database + suffix, F_OK) == 0 {
            guard rename(database + suffix, replaced + suffix) == 0 else {
                throw SystemError("rename \(database)\(suffix)")
            }
            unlink(database + "-shm")
        }
    }

    private func notABackup(_ path: String, _ reasons: [String]) -> HubError {
        HubError(.invalid, code: "backup-damaged", "\(path) is not a valid backup of hub", details: reasons)
    }
}
