import SQLite

extension Transaction {
    /// Removes some entities from the history for good, so that what they held can be found nowhere.
    ///
    /// Call it before their rows are deleted, in an operation that is not recorded: emptying the trash.
    package func forgetHistory(of subjects: [String]) throws { try asCore { try removeHistory(of: subjects) } }

    private func removeHistory(of subjects: [String]) throws {
        for subject in subjects {
            var walk = try SubjectWalk(store, entry: entry, subject: subject)
            while let step = try walk.next() {
                let mine = Set(step.changes.map { RowName(table: $0.table.name, key: $0.key) })
                let bytes = try row("SELECT changeset FROM core_change WHERE id = ?", step.id) { $0.blob(0) } ?? []
                let rest = try Changeset(bytes: bytes).filter {
                    !mine.contains(RowName(table: $0.table.name, key: $0.key))
                }
                if rest.isEmpty {
                    try run("DELETE FROM core_change WHERE id = ?", step.id)
                } else {
                    try run("UPDATE core_change SET changeset = ? WHERE id = ?", rest.bytes, step.id)
                }
            }
            try store.removeTouches(of: subject, owner: owner)
        }
        try run(
            "DELETE FROM core_operation WHERE state <> 'open' AND seq NOT IN (SELECT operation FROM core_change)")
    }

    private struct RowName: Hashable {
        let table: String
        let key: [Value]
    }
}
