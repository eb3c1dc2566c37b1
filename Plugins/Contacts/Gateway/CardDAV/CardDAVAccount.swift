package import ContactsDomain
package import DNS
package import Sync
package import WebDAV

/// A connection to the address books of a CardDAV server.
package struct CardDAVAccount: AccountClient {
    private let account: DAVAccount

    /// Creates a connection to `address`; `resolver` looks up the servers of a domain.
    package init(_ address: AccountAddress, session: DAVSession, resolver: DNSResolver = DNSResolver()) {
        account = DAVAccount(address, kind: .cards, session: session, resolver: resolver)
    }

    /// Creates a connection to the address books of `account`.
    init(_ account: DAVAccount) { self.account = account }

    /// Gives up a server that is silent sooner.
    package func expectAnswersSoon() { account.expectAnswersSoon() }

    /// Returns the address books of the server.
    package func books() async throws(RemoteError) -> [RemoteBook] {
        try await account.collections().map { RemoteBook($0) }
    }

    /// Creates an address book on the server.
    package func createBook(_ name: String) async throws(RemoteError) -> RemoteBook {
        RemoteBook(try await account.create(name))
    }

    /// Deletes the address book at `href`.
    package func removeBook(_ href: String) async throws(RemoteError) { try await account.remove(href) }

    /// Returns the canonical URL of `href`.
    package func place(_ href: String) -> String { account.place(of: href) }

    /// Returns a connection to an address book.
    package func open(_ book: RemoteBook) -> any CollectionClient { account.open(book.href) }
}

extension RemoteBook {
    fileprivate init(_ collection: DiscoveredCollection) {
        self.init(
            href: collection.href, name: collection.name, isReadOnly: collection.isReadOnly,
            versions: collection.supported, maximumCardSize: collection.maximumItemSize)
    }
}
