package import Sync

/// An address book: a remote one that is synced with contacts here, or one of no account.
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

    /// The account of books that belong to none: the person's own machines have them.
    package static let here = "here"

    /// Creates a book of no account, whose address for devices is `word`.
    package init(local id: String, word: String, name: String) {
        self.init(id: id, account: Self.here, remote: RemoteBook(href: word, name: name))
    }

    /// Whether the book belongs to no account.
    package var isLocal: Bool { Self.isLocalID(id) }

    /// Whether an id is that of a book of no account.
    package static func isLocalID(_ id: String) -> Bool { id.utf8.starts(with: localStart.utf8) }

    /// How the id of a book of no account begins.
    package static let localStart = "book:"

    /// The word by which devices address the book, which does not change with its name.
    package var word: String { isLocal ? remote.href : "\(account)-\(id)" }
}

/// An address book as its server or folder describes it.
package struct RemoteBook: Hashable, Sendable {
    /// The path in the account.
    package let href: String
    /// The display name.
    package let name: String
    /// Whether it is read-only.
    package let isReadOnly: Bool
    /// The accepted vCard versions, such as `3.0`; empty if unknown.
    package let versions: Set<String>
    /// The maximum size of a card in bytes; nil if unknown.
    package let maximumCardSize: Int?

    package init(
        href: String, name: String, isReadOnly: Bool = false, versions: Set<String> = [],
        maximumCardSize: Int? = nil
    ) {
        self.href = href
        self.name = name
        self.isReadOnly = isReadOnly
        self.versions = versions
        self.maximumCardSize = maximumCardSize
    }
}

/// A card as stored in the account.
package typealias RemoteCard = RemoteItem
