/// The stored result of the last sync of an account.
package struct SyncLogEntry: Hashable, Sendable {
    /// The numbers of items in one direction.
    package struct Counts: Hashable, Sendable {
        /// The number of new items.
        package var new: Int
        /// The number of changed items.
        package var changed: Int
        /// The number of deleted items.
        package var removed: Int

        package init(new: Int = 0, changed: Int = 0, removed: Int = 0) {
            self.new = new
            self.changed = changed
            self.removed = removed
        }
    }

    /// The account's name.
    package let account: String
    /// The end of the sync, in milliseconds since 1970 UTC.
    package var finishedAt: Int64
    /// The duration in milliseconds.
    package var milliseconds: Int
    /// Changes received from the server.
    package var received = Counts()
    /// Changes sent to the server.
    package var sent = Counts()
    /// The number of items that changed on both sides and were merged automatically.
    package var merged = 0
    /// The number of conflicts that remain.
    package var conflicts = 0
    /// The number of items that were skipped.
    package var problems = 0
    /// The number of consecutive failures; 0 after a success.
    package var failures = 0
    /// The reason of the failure, in one sentence; nil for success.
    package var failure: String?
    /// The time of the next sync, in milliseconds since 1970 UTC.
    package var nextAt: Int64

    package init(account: String, finishedAt: Int64, milliseconds: Int, nextAt: Int64) {
        self.account = account
        self.finishedAt = finishedAt
        self.milliseconds = milliseconds
        self.nextAt = nextAt
    }
}
