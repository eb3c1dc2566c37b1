/// How the last sync of an account went, as it is kept for whoever asks later.
package struct AccountRun: Hashable, Sendable {
    /// How many items went one way.
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
    /// When it ended, in milliseconds since 1970 UTC.
    package var finishedAt: Int64
    /// How long it took, in milliseconds.
    package var milliseconds: Int
    /// Changes received from the server.
    package var received = Counts()
    /// Changes sent to the server.
    package var sent = Counts()
    /// How many items were changed on both sides and merged by themselves.
    package var merged = 0
    /// How many conflicts it kept.
    package var conflicts = 0
    /// How many items it left as they are.
    package var problems = 0
    /// How often in a row it has failed; 0 after a success.
    package var failures = 0
    /// Why it failed, in one sentence; nil when it did not.
    package var failure: String?
    /// When the next one is due, in milliseconds since 1970 UTC.
    package var nextAt: Int64

    package init(account: String, finishedAt: Int64, milliseconds: Int, nextAt: Int64) {
        self.account = account
        self.finishedAt = finishedAt
        self.milliseconds = milliseconds
        self.nextAt = nextAt
    }
}
