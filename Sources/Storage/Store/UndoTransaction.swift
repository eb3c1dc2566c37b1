import SQLite

/// Takes back or brings back all changes of one operation, inside the transaction that is open.
///
/// Foreign keys are off while changesets are applied: with them on, cascades happen twice, and taking back a new row
/// would silently remove what was attached to it later. They are checked before the end.
struct UndoTransaction {
    let store: StoreConnection
    let direction: UndoReport.Direction
    let target: OperationRecord
    /// The number of the operation that this is.
    private let seq: Int
    private var excluded: Set<Int> { [target.seq, target.changesFrom, seq] }
    private var connection: Connection { store.connection }

    /// One recorded changeset of the target.
    private struct Chunk {
        let id: Int
        let entry: SchemaCatalog.Entry
        let changes: Changeset
    }

    /// What applying everything did.
    struct Applied {
        /// The entities concerned, by owner.
        let subjects: [String: [String]]
        /// The changes that were merged into later ones.
        let merged: [MergedUndo]
        /// The topics that have news.
        let topics: Set<Topic>
    }

    /// Thrown to take everything back when there are conflicts.
    struct Refused: Error {
        let conflicts: [UndoConflict]
    }

    init(_ store: StoreConnection, _ direction: UndoReport.Direction, of target: OperationRecord, under seq: Int) {
        self.store = store
        self.direction = direction
        self.target = target
        self.seq = seq
    }

    /// Applies everything.
    /// - Throws: `Refused` when rows have moved since and cannot be merged; the caller must roll back.
    func apply(as operation: Operation) throws -> Applied {
        var merged: [MergedUndo] = []
        var subjects: [String: Set<String>] = [:]
        var conflicts: [UndoConflict] = []
        let chunks = try readChunks()
        var applied: [Changeset] = []
        for chunk in chunks {
            try checkTables(of: chunk)
            let result = try apply(chunk, as: operation)
            applied.append(result.changes)
            subjects[chunk.entry.schema.owner, default: []].formUnion(result.touched)
            conflicts += result.conflicts
            merged += result.merged
        }
        let newest = chunks.map(\.id).max() ?? 0
        let entries = subjects.keys.sorted().compactMap { store.catalog[$0] }
        if conflicts.isEmpty {
            for entry in entries {
                conflicts += try danglingRows(
                    entry, entry.schema.recorded.map(\.name), after: applied, newest: newest)
            }
        }
        guard conflicts.isEmpty else { throw Refused(conflicts: Array(Set(conflicts))) }
        var topics: Set<Topic> = []
        for entry in entries {
            let touched = (subjects[entry.schema.owner] ?? []).sorted()
            topics.formUnion(try store.refresh(entry, subjects: touched, operation: operation))
            conflicts += try danglingRows(entry, store.tables(of: entry), after: applied, newest: newest)
        }
        guard conflicts.isEmpty else { throw Refused(conflicts: Array(Set(conflicts))) }
        return Applied(subjects: subjects.mapValues { $0.sorted() }, merged: merged, topics: topics)
    }

    /// The changes that count, in the order in which they are to be applied.
    private func readChunks() throws -> [Chunk] {
        let (source, order) = direction == .undo ? (target.changesFrom, "DESC") : (target.seq, "ASC")
        let rows = try connection.rows(
            "SELECT id, owner, schema, changeset FROM core_change WHERE operation = ? ORDER BY id \(order)", source
        ) { (id: $0.int(0), owner: $0.text(1), schema: $0.int(2), changes: $0.optionalBlob(3)) }
        guard !rows.isEmpty else { throw tooOld }
        return try rows.map { row in
            guard let bytes = row.changes else { throw tooOld }
            let entry = try store.entry(row.owner)
            let changes = Changeset(bytes: bytes)
            try checkHistory(of: changes, owner: row.owner, schema: row.schema)
            return Chunk(id: row.id, entry: entry, changes: direction == .undo ? try changes.inverted() : changes)
        }
    }

    /// Refuses when a migration has rebuilt a table of the changes since they were recorded.
    private func checkHistory(of changes: Changeset, owner: String, schema: Int) throws {
        let closed = try store.closedTables(of: owner, since: schema)
        guard !closed.isEmpty else { return }
        try changes.forEach { change in
            if closed.contains(change.table.name) { throw rebuilt(change.table.name) }
        }
    }

    /// Refuses when a table is gone or has fewer columns: SQLite would pass over its changes in silence.
    private func checkTables(of chunk: Chunk) throws {
        var checked = ""
        try chunk.changes.forEach { change in
            guard change.table.name != checked else { return }
            checked = change.table.name
            let columns = try store.columns(of: checked)
            guard columns.count >= change.table.columnCount else { throw rebuilt(checked) }
        }
    }

    /// What one chunk did.
    private struct AppliedChunk {
        let changes: Changeset
        let touched: Set<String>
        var conflicts: [UndoConflict] = []
        var merged: [MergedUndo] = []
    }

    private func apply(_ chunk: Chunk, as operation: Operation) throws -> AppliedChunk {
        guard let filter = chunk.entry.filter else { throw tooOld }
        var met: [Conflict] = []
        var merged: [(Conflict, [String])] = []
        let session = try Session(connection, recording: filter)
        try store.withoutForeignKeys {
            try connection.apply(chunk.changes) { conflict in
                // A redo of a cascade: what is gone already need not be removed.
                let isGone = direction == .redo && conflict.reason == .notFound && conflict.isIndirect
                if !isGone { met.append(conflict) }
                return .omit
            }
            met = try met.filter { conflict in
                guard let kept = try merge(conflict, of: chunk.entry, as: operation) else { return true }
                merged.append((conflict, kept))
                return false
            }
        }
        let changes = try session.changeset()
        let touched = changes.isEmpty ? [] : try store.record(changes, of: chunk.entry, under: seq)
        let finder = EntityResolver(store, entry: chunk.entry)
        let owner = chunk.entry.schema.owner
        let history = LaterChanges(store, owner: owner, after: chunk.id, excluding: excluded)
        var result = AppliedChunk(changes: changes, touched: touched)
        result.conflicts = try met.map { conflict in
            let reason: UndoConflict.Reason = conflict.reason == .constraint ? .constraint : .changedLater
            guard let subject = try finder.subject(of: conflict) else {
                let (subject, later) = try history.of(row: conflict.key, in: conflict.table, finder)
                return UndoConflict(owner: owner, subject: subject, table: conflict.table, reason: reason, later: later)
            }
            return UndoConflict(
                owner: owner, subject: subject, table: conflict.table, reason: reason,
                later: try history.of(subject: subject))
        }
        result.merged = try merged.compactMap { conflict, kept in
            guard let subject = try finder.subject(of: conflict) else { return nil }
            return MergedUndo(owner: owner, subject: subject, kept: kept, later: try history.of(subject: subject))
        }
        return result
    }

    /// Lets the plugin merge a change into a row that was changed later; nil if that is not possible.
    private func merge(
        _ conflict: Conflict, of entry: SchemaCatalog.Entry, as operation: Operation
    ) throws -> [String]? {
        guard let change = OutdatedChange(conflict, columns: try store.columns(of: conflict.table)) else { return nil }
        let transaction = Transaction(store, entry: entry, operation: operation, now: store.clock.now)
        return try store.inScope(.plugin(entry.number)) { try entry.schema.merge(change, transaction) }
    }

    /// Returns the rows that would lose the row they belong to, because they were attached to it later.
    private func danglingRows(
        _ entry: SchemaCatalog.Entry, _ tables: [String], after changes: [Changeset], newest: Int
    ) throws -> [UndoConflict] {
        let history = LaterChanges(store, owner: entry.schema.owner, after: newest, excluding: excluded)
        let rows = try DanglingRows(store, tables: tables)
        return try rows.missing(after: changes).flatMap { missing in
            let table = missing.key.table
            return try rows.subjects(naming: missing, recorded: entry.recorded[table]).map { subject in
                UndoConflict(
                    owner: entry.schema.owner, subject: subject, table: table, reason: .neededByLater,
                    later: try subject.map { try history.of(subject: $0) } ?? [])
            }
        }
    }

    private var tooOld: HubError {
        HubError(
            .conflict, code: "history-gone", "\(target.commandLine) is too old to undo",
            details: ["its data is kept, but its undo history has been deleted"])
    }

    private func rebuilt(_ table: String) -> HubError {
        HubError(
            .conflict, code: "history-closed", "\(target.commandLine) can no longer be undone",
            details: ["a newer version of hub stores \(table) in another form"])
    }
}
