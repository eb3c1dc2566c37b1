package import ContactsDomain
package import DNS
import HTTPClient

/// The way to an account on a CardDAV server: finds its books, makes and removes them.
package struct CardDAVAccount: AccountLink {
    private let address: AccountAddress
    private let session: DAVSession
    private let resolver: DNSResolver

    /// The account at `address`; `resolver` looks up the servers of a domain.
    package init(_ address: AccountAddress, session: DAVSession, resolver: DNSResolver = DNSResolver()) {
        self.address = address
        // A domain's own servers may know the password of its user.
        self.session = session.trusting(address.host)
        self.resolver = resolver
    }

    package func books() async throws(LinkError) -> [RemoteBook] { try await discover().books }

    package func createBook(_ name: String) async throws(LinkError) -> RemoteBook {
        guard let home = try await discover().homes.first else {
            throw .refused(reason: "the server names no place for new address books")
        }
        for number in 1...9 {
            let folder = CardDAVAccount.folderName(name) + (number == 1 ? "" : "-\(number)") + "/"
            guard let place = home.resolving(folder) else { break }
            let response = try await session.call(DAVMethod.makeCollection, place, body: DAVBody.makeBook(name))
            // The name is taken.
            if response.status == 405 { continue }
            guard response.isSuccess else { throw LinkError(DAVRefusal(response)) }
            let (items, url) = try await session.multistatus(
                DAVMethod.propfind, place, depth: 0, body: DAVBody.propfind(CardDAVDiscovery.bookProperties))
            guard let book = items.items.lazy.compactMap({ CardDAVDiscovery.book($0, at: url) }).first else {
                throw .malformed(reason: "the server made something else than an address book")
            }
            return book
        }
        throw .refused(reason: "every name like “\(name)” is taken")
    }

    package func removeBook(_ href: String) async throws(LinkError) {
        let response = try await session.call(.delete, try place(href))
        guard response.isSuccess || [404, 410].contains(response.status) else {
            throw LinkError(DAVRefusal(response))
        }
    }

    package func open(_ book: RemoteBook) -> any AddressBookLink {
        CardDAVBook(session: session, url: HTTPURL(book.href) ?? HTTPURL(host: address.host, path: book.href))
    }

    private func place(_ href: String) throws(LinkError) -> HTTPURL {
        guard let url = HTTPURL(href) else { throw .notFound(reason: "“\(href.prefix(200))” is no book's address") }
        return url
    }

    private func discover() async throws(LinkError) -> CardDAVDiscovery.Finding {
        try await CardDAVDiscovery(address: address, session: session, resolver: resolver).run()
    }

    private static func folderName(_ name: String) -> String {
        let words = name.lowercased().utf8.split { !(0x61...0x7A).contains($0) && !(0x30...0x39).contains($0) }
        let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
        return text.isEmpty ? "book" : String(text.prefix(40))
    }
}
