import SQLite

extension Transaction {
    /// Removes some entities from the history for good, so that what they held can be found nowhere.
    ///
    /// Call it before their rows are deleted, in an operation that is not recorded: emptying the trash.
    package func forgetHistory(of subjects: [String]) throws { try asCore { try removeHistory(of: subjects) } }

    private func removeHistory(of subjects: [String]) throws {
        var eraser = try HistoryEraser(store, entry: entry, subjects: Set(subjects))
        try eraser.erase()
        try run(
            "DELETE FROM core_operation WHERE state <> 'open' AND seq NOT IN (SELECT operation FROM core_change)")
    }
}
