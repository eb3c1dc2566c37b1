import Glibc
import SQLite

/// Takes back the chunks of an operation that did not come to its end, the newest first, each in one transaction.
///
/// An entity that was changed by others meanwhile is left as it is: neither its old nor its new rows are touched. The
/// rollback can be interrupted at any point and restarted.
struct BulkRollback {
    private let store: StoreConnection
    private let operation: String
    private var connection: Connection { store.connection }

    /// Thrown to take one attempt back and make another that leaves these entities alone.
    private struct Excluded: Error {
        let subjects: Set<String>
    }

    init(_ store: StoreConnection, operation: String) {
        self.store = store
        self.operation = operation
    }

    /// Takes back the newest chunk before `before`, in the transaction that is open.
    /// - Returns: the chunk, or nil when all is done.
    func rollBackChunk(before: Int?) throws -> WriteResult<Int?> {
        let open = try store.operations(where: "id = ? AND state = 'open'", operation)
        guard let record = open.first else { return WriteResult(value: nil, topics: []) }
        let chunk = try connection.row(
            "SELECT id, owner, changeset FROM core_change WHERE operation = ? AND id < ? ORDER BY id DESC LIMIT 1",
            record.seq, before ?? .max
        ) { (id: $0.int(0), owner: $0.text(1), changes: Changeset(bytes: $0.blob(2))) }
        guard let chunk else {
            try connection.run("UPDATE core_operation SET state = 'abandoned' WHERE seq = ?", record.seq)
            return WriteResult(value: nil, topics: [])
        }
        let entry = try store.entry(chunk.owner)
        let finder = EntityResolver(store, entry: entry)
        let all = try finder.subjects(of: chunk.changes)
        let first = try connection.row("SELECT min(id) FROM core_change WHERE operation = ?", record.seq) { $0.int(0) }
        let touched = try store.touched(all, owner: chunk.owner, after: first ?? 0, except: record.seq)
        let kept = try takeBack(chunk.changes, entry, finder, keeping: touched, of: all)
        let gone = all.subtracting(kept)
        let user = Operation(id: record.id, record.name, who: record.who, commandLine: record.commandLine)
        let topics = try store.refresh(entry, subjects: gone.sorted(), operation: user)
        try store.retouch(all, keeping: kept, owner: chunk.owner, change: chunk.id)
        try keep(try chunk.changes.filter { !kept.isDisjoint(with: try finder.subjects(of: $0)) }, as: chunk.id)
        return WriteResult(value: chunk.id, topics: topics)
    }

    /// Applies the inverse, leaving out more and more entities until nothing is in its way.
    /// - Returns: the entities that were left out.
    private func takeBack(
        _ changes: Changeset, _ entry: SchemaCatalog.Entry, _ finder: EntityResolver, keeping: Set<String>,
        of all: Set<String>
    ) throws -> Set<String> {
        var kept = keeping
        while kept.count < all.count {
            // The entities are determined from the current rows, before anything is applied.
            let part =
                kept.isEmpty ? changes : try changes.filter { kept.isDisjoint(with: try finder.subjects(of: $0)) }
            do {
                try connection.savepoint { try apply(part, entry, finder) }
                return kept
            } catch let excluded as Excluded {
                // If the conflict names no entity, the whole chunk is kept.
                let more = excluded.subjects.subtracting(kept).intersection(all)
                kept = more.isEmpty ? all : kept.union(more)
            }
        }
        return all
    }

    private func apply(_ changes: Changeset, _ entry: SchemaCatalog.Entry, _ finder: EntityResolver) throws {
        var met: [Conflict] = []
        let inverse = try changes.inverted()
        try store.withoutForeignKeys {
            try connection.apply(inverse) {
                met.append($0)
                return .omit
            }
        }
        guard met.isEmpty else { throw Excluded(subjects: Set(try met.compactMap(finder.subject(of:)))) }
        let missed = try DanglingRows(store, tables: entry.recorded.keys.sorted()).missing(after: [inverse])
        guard !missed.isEmpty else { return }
        var subjects: Set<String> = []
        try changes.forEach { change in
            let columns = try store.columns(of: change.table.name)
            let isMissed = missed.contains { parent in
                parent.key.parent == change.table.name
                    && zip(parent.key.columns, parent.values).allSatisfy { column, value in
                        columns.firstIndex(of: column.parent).flatMap(change.new) == value
                    }
            }
            if isMissed { subjects.formUnion(try finder.subjects(of: change)) }
        }
        throw Excluded(subjects: subjects)
    }

    /// Changes that remain in effect stay in the history too.
    private func keep(_ changes: Changeset, as chunk: Int) throws {
        if changes.isEmpty {
            try connection.run("DELETE FROM core_change WHERE id = ?", chunk)
        } else {
            try connection.run("UPDATE core_change SET changeset = ? WHERE id = ?", changes.bytes, chunk)
        }
    }
}

extension BulkRollback {
    /// Takes back what processes that ended have left half done. Operations that are still going on hold a lock.
    ///
    /// What belongs to a plugin that is not enabled, or shut out, waits until it is.
    static func rollBackAbandoned(_ store: StoreConnection, locks: FileLocks) throws {
        let open = try store.operations(where: "state = 'open'").filter { try store.canRollBack($0) }
        guard !open.isEmpty else { return }
        try store.makeRoomForRollback()
        for operation in open {
            let name = BulkLock.name(operation.id)
            guard let lock = try locks.tryAcquire(name) else { continue }
            try withExtendedLifetime(lock) {
                let rollback = BulkRollback(store, operation: operation.id)
                var last: Int?
                repeat {
                    last = try store.transact { try rollback.rollBackChunk(before: last).value }
                    // Others may be waiting to write.
                    usleep(2000)
                } while last != nil
                locks.forget(name)
            }
        }
        try store.endRollback()
    }
}

extension StoreConnection {
    /// Rolls back the unfinished work of processes that died, as far as that is possible now; a failed write, for
    /// example on a full disk, does not prevent reading.
    func rollBackAbandoned(_ locks: FileLocks) {
        do {
            try BulkRollback.rollBackAbandoned(self, locks: locks)
            rollbackFailure = nil
        } catch {
            if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
            rollbackFailure = error
        }
    }

    /// Tries once more what failed when the store was opened, now that something is to be written.
    func retryRollback(_ locks: FileLocks?) {
        guard rollbackFailure != nil, let locks else { return }
        rollBackAbandoned(locks)
    }

    /// Empties the log into the database file and keeps it short from now on: what takes back a long log would make it
    /// twice as long, on a disk that may be full because of it.
    func makeRoomForRollback() throws {
        try setCommitsAreFinal(true)
        _ = try? connection.checkpoint()
        try setIsRollingBack(true)
    }

    /// Lets the log grow as usual again.
    func endRollback() throws { try setIsRollingBack(false) }

    fileprivate func canRollBack(_ operation: OperationRecord) throws -> Bool {
        let owners = try connection.rows("SELECT DISTINCT owner FROM core_change WHERE operation = ?", operation.seq) {
            $0.text(0)
        }
        return owners.allSatisfy { catalog[$0] != nil && problems[$0] == nil }
    }
}
