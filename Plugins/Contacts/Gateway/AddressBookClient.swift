package import ContactsDomain
package import Sync

/// A connection to an address book: a CardDAV collection or a vdir folder. It transfers cards without sync logic.
///
/// All calls throw only ``RemoteError`` and may be repeated.
package protocol AddressBookClient: Sendable {
    /// Returns a value that changes with every change of the book, with one cheap request; nil if there is none.
    func state() async throws(RemoteError) -> String?

    /// Returns the changes since `token`, or with nil all cards. Throws `tokenExpired` if the token is no longer valid.
    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges

    /// Returns the cards at `hrefs`, without those that no longer exist.
    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteCard]

    /// Returns cards of the book with their text, if one request for all of them is much cheaper than many; else nil.
    /// Missing ones must be fetched.
    func everything() async throws(RemoteError) -> [RemoteCard]?

    /// Creates a card; `name` is the suggested name.
    func create(_ card: [UInt8], name: String) async throws(RemoteError) -> PutResult

    /// Replaces the card at `href` if it still has `tag`.
    func update(_ href: String, to card: [UInt8], ifStill tag: String) async throws(RemoteError) -> PutResult

    /// Removes the card at `href` if it still has `tag`.
    func remove(_ href: String, ifStill tag: String) async throws(RemoteError) -> DeleteResult

    /// Whether it stores the exact bytes and returns their tag.
    var keepsBytes: Bool { get }

    /// Messages about the last listing, one sentence each, such as an unreadable card.
    func notices() -> [String]
}

extension AddressBookClient {
    /// Returns nil: cards are fetched one by one.
    package func everything() async throws(RemoteError) -> [RemoteCard]? { nil }
    /// Returns false: the stored card must be read back.
    package var keepsBytes: Bool { false }
    /// Returns no messages.
    package func notices() -> [String] { [] }
}

/// A connection to an account with address books.
package protocol AccountClient: Sendable {
    /// Returns the account's books, which also tests the connection.
    func books() async throws(RemoteError) -> [RemoteBook]

    /// Creates a book.
    func createBook(_ name: String) async throws(RemoteError) -> RemoteBook

    /// Deletes a book with all its cards.
    func removeBook(_ href: String) async throws(RemoteError)

    /// The canonical form of a book's path, for comparison across accounts; sends no request.
    func place(_ href: String) -> String

    /// Returns a connection to one of its books.
    func open(_ book: RemoteBook) -> any AddressBookClient
}

extension AccountClient {
    /// Returns the path unchanged.
    package func place(_ href: String) -> String { href }
}
