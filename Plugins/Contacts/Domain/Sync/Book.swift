/// A remote address book that is synced with contacts here.
package struct Book: Hashable, Sendable {
    /// The local id.
    package let id: String
    /// The name of its account.
    package let account: String
    /// The book as the account describes it.
    package let remote: RemoteBook
    /// The time of the last sync, in milliseconds since 1970 UTC; nil before the first.
    package let syncedAt: Int64?
    /// The error of the last sync; nil if it succeeded.
    package let problem: String?

    package init(id: String, account: String, remote: RemoteBook, syncedAt: Int64? = nil, problem: String? = nil) {
        self.id = id
        self.account = account
        self.remote = remote
        self.syncedAt = syncedAt
        self.problem = problem
    }

    /// The name of the book.
    package var name: String { remote.name }
}
