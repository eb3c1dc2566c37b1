import SQLite
package import Sync

extension Migration {
    /// Returns the migration that creates the log of syncs, the table `PLUGIN_run`.
    package static func syncLog(_ id: String, of plugin: String) -> Migration {
        Migration(
            id,
            """
            CREATE TABLE \(plugin)_run (
                account TEXT PRIMARY KEY,
                finished_at INTEGER NOT NULL,
                duration_ms INTEGER NOT NULL,
                received_new INTEGER NOT NULL,
                received_changed INTEGER NOT NULL,
                received_removed INTEGER NOT NULL,
                sent_new INTEGER NOT NULL,
                sent_changed INTEGER NOT NULL,
                sent_removed INTEGER NOT NULL,
                merged INTEGER NOT NULL,
                conflicts INTEGER NOT NULL,
                problems INTEGER NOT NULL,
                failures INTEGER NOT NULL,
                failure TEXT,
                next_at INTEGER NOT NULL
            ) STRICT;
            """)
    }
}

/// The log of syncs: the last one of each account, in the table `PLUGIN_run`. It has no history.
extension Transaction {
    /// Returns the last sync of an account; nil before the first.
    package func lastSync(of account: String) throws -> SyncLogEntry? {
        try row(
            "SELECT \(SyncLogEntry.columns.joined(separator: ", ")) FROM \(owner)_run WHERE account = ?", account,
            body: SyncLogEntry.init)
    }

    /// Stores the result of a sync in place of the previous one.
    package func saveSync(_ entry: SyncLogEntry) throws {
        let values: [any Bindable] = [
            entry.account, entry.finishedAt, entry.milliseconds, entry.received.new, entry.received.changed,
            entry.received.removed, entry.sent.new, entry.sent.changed, entry.sent.removed, entry.merged,
            entry.conflicts, entry.problems, entry.failures, entry.nextAt, entry.failure,
        ]
        let columns = SyncLogEntry.columns
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try run(
            "INSERT OR REPLACE INTO \(owner)_run (\(columns.joined(separator: ", "))) VALUES (\(marks))",
            arguments: values)
    }

    /// Deletes the last sync of an account.
    package func forgetSync(of account: String) throws {
        try run("DELETE FROM \(owner)_run WHERE account = ?", account)
    }
}

extension SyncLogEntry {
    fileprivate static let columns = [
        "account", "finished_at", "duration_ms", "received_new", "received_changed", "received_removed", "sent_new",
        "sent_changed", "sent_removed", "merged", "conflicts", "problems", "failures", "next_at", "failure",
    ]

    fileprivate init(_ row: borrowing Row) {
        self.init(
            account: row.text(0), finishedAt: Int64(row.int(1)), milliseconds: row.int(2), nextAt: Int64(row.int(13)))
        received = Counts(new: row.int(3), changed: row.int(4), removed: row.int(5))
        sent = Counts(new: row.int(6), changed: row.int(7), removed: row.int(8))
        (merged, conflicts, problems, failures) = (row.int(9), row.int(10), row.int(11), row.int(12))
        failure = row.optionalText(14)
    }
}
