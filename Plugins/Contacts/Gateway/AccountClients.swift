package import ContactsDomain
package import Sync

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
    func open(_ book: RemoteBook) -> any CollectionClient
}

extension AccountClient {
    /// Returns the path unchanged.
    package func place(_ href: String) -> String { href }
}

/// Connects to accounts; tests use a scripted one.
package protocol AccountClients: Sendable {
    /// Returns a connection to `account`; no request is sent yet. `password` is nil if the account has none. `isBrief`
    /// uses short timeouts for interactive commands.
    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any AccountClient
}
