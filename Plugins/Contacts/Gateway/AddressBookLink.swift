package import ContactsDomain
package import Links

/// The way to one address book elsewhere: a CardDAV collection or a vdir folder. It moves cards and knows no rules.
///
/// All calls throw ``LinkError`` only, and may be repeated.
package protocol AddressBookLink: Sendable {
    /// A value that stays the same for as long as nothing in the book changes, asked for with one cheap call; nil when
    /// the keeper has none.
    func state() async throws(LinkError) -> String?

    /// What changed since `token`, or with nil all that is there; throws `tokenExpired` when the keeper no longer knows
    /// the token.
    func changes(since token: String?) async throws(LinkError) -> RemoteChanges

    /// The cards at `hrefs`. One that is gone meanwhile is left out.
    func fetch(_ hrefs: [String]) async throws(LinkError) -> [RemoteCard]

    /// Cards of the book with their text, where one call for all of them is much cheaper than to ask for each; nil where
    /// it is not. Those that are left out are still to be fetched.
    func everything() async throws(LinkError) -> [RemoteCard]?

    /// Gives the keeper a new card; `name` is what its place may be named after.
    func create(_ card: [UInt8], name: String) async throws(LinkError) -> StoreAnswer

    /// Replaces the card at `href`, unless it is no longer the one with `tag`.
    func update(_ href: String, to card: [UInt8], ifStill tag: String) async throws(LinkError) -> StoreAnswer

    /// Removes the card at `href`, unless it is no longer the one with `tag`.
    func remove(_ href: String, ifStill tag: String) async throws(LinkError) -> RemoveAnswer

    /// Whether it stores exactly the bytes that it is given, and tells their tag.
    var keepsBytes: Bool { get }

    /// What a person should know of the book as it was listed last, a sentence each, such as a card that cannot be read.
    func notices() -> [String]
}

extension AddressBookLink {
    package func everything() async throws(LinkError) -> [RemoteCard]? { nil }
    package var keepsBytes: Bool { false }
    package func notices() -> [String] { [] }
}

/// The way to an account: somebody who keeps address books.
package protocol AccountLink: Sendable {
    /// Finds the account's books; it tests the account by that.
    func books() async throws(LinkError) -> [RemoteBook]

    /// Makes a book.
    func createBook(_ name: String) async throws(LinkError) -> RemoteBook

    /// Removes a book with all cards in it.
    func removeBook(_ href: String) async throws(LinkError)

    /// What is equal for all ways of writing where a book is, in any account; nothing is asked for it.
    func place(_ href: String) -> String

    /// The way to one of its books.
    func open(_ book: RemoteBook) -> any AddressBookLink
}

extension AccountLink {
    package func place(_ href: String) -> String { href }
}
