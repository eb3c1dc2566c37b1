import SQLite

extension History {
    /// Undoes an operation: by default the user's last command that is not undone yet, else the one whose id begins
    /// with `id`, by any author.
    ///
    /// It is done as a whole or, when something changed since, not at all; the report says which. It is itself an
    /// operation, `operation`, and the undo of an undo is a redo. A dry run does nothing but finds all conflicts.
    package func undo(
        _ id: String? = nil, as operation: Operation, isDryRun: Bool = false
    ) async throws -> UndoReport {
        try await reverse(as: operation, isDryRun: isDryRun) { try $0.undoTarget(id) }
    }

    /// Redoes the user's last undone operation, as long as the user has not changed anything after it.
    package func redo(as operation: Operation, isDryRun: Bool = false) async throws -> UndoReport {
        try await reverse(as: operation, isDryRun: isDryRun) { try $0.redoTarget() }
    }

    /// Thrown inside the transaction to leave it without a trace.
    private struct Leave: Error {
        let report: UndoReport
    }

    private func reverse(
        as operation: Operation, isDryRun: Bool,
        _ choose: @escaping @Sendable (StoreConnection) throws -> (UndoReport.Direction, OperationRecord)
    ) async throws -> UndoReport {
        do {
            return try await database.write { store in
                let (direction, target) = try choose(store)
                let seq = try store.operationNumber(operation, at: store.clock.now, isOpen: false)
                do {
                    let applied = try UndoTransaction(store, direction, of: target, under: seq).apply(as: operation)
                    try store.note(direction, of: target, by: seq)
                    let report = UndoReport(
                        direction: direction, target: target, subjects: applied.subjects, conflicts: [],
                        merged: applied.merged)
                    if isDryRun { throw Leave(report: report) }
                    return WriteResult(value: report, topics: applied.topics, edit: operation)
                } catch let refused as UndoTransaction.Refused {
                    throw Leave(
                        report: UndoReport(
                            direction: direction, target: target,
                            subjects: try store.touchedSubjects(of: target), conflicts: refused.conflicts))
                }
            }
        } catch let left as Leave {
            return left.report
        }
    }
}

extension StoreConnection {
    /// The minimum length of the prefix of an operation id.
    private static let shortestName = 3

    /// The operation to be undone, or redone when `id` names an undo.
    fileprivate func undoTarget(_ id: String?) throws -> (UndoReport.Direction, OperationRecord) {
        guard let id else {
            let newest = try operations(
                where: """
                    who = 'you' AND state = 'done' AND undoes IS NULL AND redoes IS NULL ORDER BY seq DESC LIMIT 1
                    """)
            guard let target = newest.first else {
                throw HubError(
                    .notFound, code: "nothing-to-undo", "nothing to undo",
                    hint: "hub history lists all operations; hub undo OP undoes any of them")
            }
            return (.undo, target)
        }
        let found = try operations(matching: id)
        // A shorter prefix is unique while there are few operations, and ambiguous later.
        guard id.utf8.count >= Self.shortestName || found.contains(where: { $0.id == id }) else {
            throw HubError(
                .usage, code: "operation-too-short", "\(id) is too short for an operation id",
                details: ["at least \(Self.shortestName) characters are needed"], hint: "hub history lists all")
        }
        guard let named = found.first else {
            throw HubError(
                .notFound, code: "operation-not-found", "no operation with the id \(id)", hint: "hub history lists all")
        }
        guard found.count == 1 else {
            throw HubError(
                .usage, code: "operation-ambiguous", "\(id) matches several operations",
                details: found.map { "\($0.id)  \($0.commandLine)" }, hint: "type more characters of the id")
        }
        if let undone = try named.undoes.flatMap(operation) {
            guard undone.undoneBy == named.seq else { throw notInForce(named) }
            return (.redo, undone)
        }
        let target = try named.redoes.flatMap(operation) ?? named
        guard target.seq == named.seq || target.redoneBy == named.seq else { throw notInForce(named) }
        switch target.state {
        case .done: return (.undo, target)
        case .undone: throw notInForce(named)
        case .open:
            throw HubError(
                .busy, code: "operation-running", "\(named.commandLine) is still running",
                hint: "wait for it, or stop it: its changes are then rolled back")
        case .abandoned:
            throw HubError(
                .conflict, code: "operation-abandoned",
                "\(named.commandLine) was interrupted and is already rolled back")
        }
    }

    private func notInForce(_ operation: OperationRecord) -> HubError {
        HubError(
            .conflict, code: "already-undone", "\(operation.commandLine) is already undone",
            hint: "hub redo redoes the last undone command")
    }

    /// Returns the operation whose undo is the user's newest, unless the user changed something after it.
    fileprivate func redoTarget() throws -> (UndoReport.Direction, OperationRecord) {
        let target = try connection.row(
            """
            SELECT done.seq FROM core_operation AS undo JOIN core_operation AS done ON done.undone_by = undo.seq
            AND done.seq = undo.undoes
            WHERE undo.who = 'you' AND undo.seq > coalesce((
                SELECT seq FROM core_operation WHERE who = 'you' AND undoes IS NULL AND redoes IS NULL
                ORDER BY seq DESC LIMIT 1), 0)
            ORDER BY undo.seq DESC LIMIT 1
            """
        ) { $0.int(0) }
        guard let target = try target.flatMap(operation) else {
            throw HubError(
                .notFound, code: "nothing-to-redo", "nothing to redo",
                details: ["an undone command can be redone until you change something else"])
        }
        return (.redo, target)
    }

    /// Records which operation undid or redid which.
    fileprivate func note(_ direction: UndoReport.Direction, of target: OperationRecord, by seq: Int) throws {
        switch direction {
        case .undo:
            try connection.run("UPDATE core_operation SET undoes = ? WHERE seq = ?", target.seq, seq)
            try connection.run(
                "UPDATE core_operation SET state = 'undone', undone_by = ? WHERE seq = ?", seq, target.seq)
        case .redo:
            try connection.run("UPDATE core_operation SET redoes = ? WHERE seq = ?", target.seq, seq)
            try connection.run(
                "UPDATE core_operation SET state = 'done', undone_by = NULL, redone_by = ? WHERE seq = ?", seq,
                target.seq)
        }
    }

    /// The entities that the changes of an operation touch, by owner.
    func touchedSubjects(of operation: OperationRecord) throws -> [String: [String]] {
        var result: [String: Set<String>] = [:]
        try connection.scan(
            "SELECT owner, changeset FROM core_change WHERE operation = ? AND changeset IS NOT NULL",
            arguments: [operation.changesFrom]
        ) { row in
            guard let entry = catalog[row.text(0)] else { return true }
            let subjects = try EntityResolver(self, entry: entry).subjects(of: Changeset(bytes: row.blob(1)))
            result[entry.schema.owner, default: []].formUnion(subjects)
            return true
        }
        return result.mapValues { $0.sorted() }
    }
}
