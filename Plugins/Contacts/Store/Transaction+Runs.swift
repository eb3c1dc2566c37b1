import ContactsDomain
package import HubKit
import SQLite
package import Sync

/// The last syncs of the accounts.
extension Transaction {
    /// Returns the last sync of an account; nil before the first.
    package func accountRun(_ account: String) throws -> SyncLogEntry? {
        try row("\(SyncLogEntry.select) WHERE account = ?", account, body: SyncLogEntry.init)
    }

    /// Stores the result of a sync in place of the previous one.
    package func saveAccountRun(_ run: SyncLogEntry) throws {
        let values: [any Bindable] = [
            run.account, run.finishedAt, run.milliseconds, run.received.new, run.received.changed,
            run.received.removed, run.sent.new, run.sent.changed, run.sent.removed, run.merged, run.conflicts,
            run.problems, run.failures, run.failure, run.nextAt,
        ]
        try self.run(
            """
            INSERT OR REPLACE INTO contacts_run (account, finished_at, duration_ms, received_new, received_changed,
                received_removed, sent_new, sent_changed, sent_removed, merged, conflicts, problems, failures, failure,
                next_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, arguments: values)
    }

    /// Forgets a removed account: its books and its last sync. Its contacts are kept, in no book.
    package func removeAccount(_ account: String) throws {
        for book in try books(of: account) { try removeBook(book.id) }
        try run("DELETE FROM contacts_run WHERE account = ?", account)
    }
}

extension SyncLogEntry {
    fileprivate static let select = """
        SELECT account, finished_at, duration_ms, received_new, received_changed, received_removed, sent_new,
            sent_changed, sent_removed, merged, conflicts, problems, failures, failure, next_at FROM contacts_run
        """

    fileprivate init(_ row: borrowing Row) {
        self.init(
            account: row.text(0), finishedAt: Int64(row.int(1)), milliseconds: row.int(2), nextAt: Int64(row.int(14)))
        received = Counts(new: row.int(3), changed: row.int(4), removed: row.int(5))
        sent = Counts(new: row.int(6), changed: row.int(7), removed: row.int(8))
        merged = row.int(9)
        conflicts = row.int(10)
        problems = row.int(11)
        failures = row.int(12)
        failure = row.optionalText(13)
    }
}
