package import ContactsDomain
import HTTPClient
package import Sync
package import System
import WebDAV

/// A connection to an account with address books.
package protocol AccountClient: Sendable {
    /// Gives up a server that is silent sooner, since a user waits for the sync that follows.
    func expectAnswersSoon()

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
    /// By default nothing: there is no server to wait for.
    package func expectAnswersSoon() {}

    /// Returns the path unchanged.
    package func place(_ href: String) -> String { href }
}

/// Connects to accounts; tests use a scripted one.
package protocol AccountClients: Sendable {
    /// Returns a connection to `account`; no request is sent yet. `password` is nil if the account has none. `isBrief`
    /// uses short timeouts for interactive commands.
    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any AccountClient

    /// Lets the user allow access by OAuth with the client that `file` describes, and returns the secret to store.
    func signIn(
        to account: Account, client file: [UInt8], show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> String
}

extension AccountClients {
    /// Throws: there is no OAuth.
    package func signIn(
        to account: Account, client file: [UInt8], show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> String { throw RemoteError.refused(reason: "it has no OAuth") }
}

/// Connects to real accounts: CardDAV servers and folders.
package struct SystemAccountClients: AccountClients {
    private let clock: any Clock
    private let connector: DAVConnector

    /// Creates the connections; `clock` drives the timeouts.
    package init(clock: any Clock) {
        self.clock = clock
        connector = DAVConnector(
            timing: RetryTiming(
                now: { clock.now.milliseconds / 1000 }, sleep: { try await clock.sleep(for: $0) }))
    }

    /// Returns a connection to a server or folder. Throws if the address is not valid.
    package func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any AccountClient {
        if case .folder(let path) = account.address { return VdirAccount(path: path, clock: clock) }
        return CardDAVAccount(try connector.account(account, password: password, kind: .cards, isBrief: isBrief))
    }
}
