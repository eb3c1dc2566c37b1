package import ContactsDomain
package import DNS
package import Links
package import WebDAV

/// The way to the address books of an account on a CardDAV server.
package struct CardDAVAccount: AccountLink {
    private let account: DAVAccount

    /// The account at `address`; `resolver` looks up the servers of a domain.
    package init(_ address: AccountAddress, session: DAVSession, resolver: DNSResolver = DNSResolver()) {
        account = DAVAccount(address, kind: .cards, session: session, resolver: resolver)
    }

    /// The address books of `account`, which is one of cards.
    init(_ account: DAVAccount) { self.account = account }

    package func books() async throws(LinkError) -> [RemoteBook] {
        try await account.collections().map { RemoteBook($0) }
    }

    package func createBook(_ name: String) async throws(LinkError) -> RemoteBook {
        RemoteBook(try await account.create(name))
    }

    package func removeBook(_ href: String) async throws(LinkError) { try await account.remove(href) }

    package func place(_ href: String) -> String { account.place(of: href) }

    package func open(_ book: RemoteBook) -> any AddressBookLink { account.open(book.href) }
}

extension DAVCollection: AddressBookLink {}

extension RemoteBook {
    fileprivate init(_ collection: FoundCollection) {
        self.init(
            href: collection.href, name: collection.name, isReadOnly: collection.isReadOnly,
            versions: collection.supported, maximumCardSize: collection.maximumItemSize)
    }
}
