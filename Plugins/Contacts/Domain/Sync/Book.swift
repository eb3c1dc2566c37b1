/// An address book elsewhere that is kept in step with contacts here.
package struct Book: Hashable, Sendable {
    /// Its id here.
    package let id: String
    /// The name of the account whose book it is.
    package let account: String
    /// How its keeper describes it.
    package let remote: RemoteBook
    /// When it was synced last, in milliseconds since 1970 UTC; nil before the first time.
    package let syncedAt: Int64?
    /// How that ended, in words; nil when all was well.
    package let problem: String?

    package init(id: String, account: String, remote: RemoteBook, syncedAt: Int64? = nil, problem: String? = nil) {
        self.id = id
        self.account = account
        self.remote = remote
        self.syncedAt = syncedAt
        self.problem = problem
    }

    /// What it is called.
    package var name: String { remote.name }
}
