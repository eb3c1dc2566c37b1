package import DNS
import HTTPClient
package import Sync

/// The way to an account on a CardDAV or CalDAV server: finds its collections, makes and removes them.
package struct DAVAccount: Sendable {
    private let address: AccountAddress
    private let session: DAVSession
    private let kind: DAVResourceType
    private let resolver: DNSResolver

    /// The account at `address` with its collections of `kind`, over a session in the scope of that address; `resolver` looks up the servers of a domain.
    package init(
        _ address: AccountAddress, kind: DAVResourceType, session: DAVSession, resolver: DNSResolver = DNSResolver()
    ) {
        self.address = address
        self.kind = kind
        self.session = session
        self.resolver = resolver
    }

    /// Gives up a server that is silent sooner, since a user waits for the sync that follows.
    package func expectAnswersSoon() { session.timeouts = .awaitedSync }

    /// Finds the collections, which also tests the account.
    package func collections() async throws(RemoteError) -> [DiscoveredCollection] {
        try await discovery.run().collections
    }

    /// Creates a collection under a free name.
    package func create(_ name: String) async throws(RemoteError) -> DiscoveredCollection {
        guard let home = try await discovery.run().homes.first else {
            throw .refused(reason: "the server has no home for new \(kind.noun)s")
        }
        for number in 1...9 {
            let folder = DAVAccount.folderName(name) + (number == 1 ? "" : "-\(number)") + "/"
            guard let place = home.resolving(folder) else { break }
            let response = try await session.call(
                kind.making.method, place, body: DAVBody.makeCollection(name, kind))
            guard response.isSuccess else {
                let refusal = DAVRefusal(response)
                if refusal.meansNameTaken { continue }
                throw RemoteError(refusal)
            }
            let (items, url) = try await session.multistatus(
                DAVMethod.propfind, place, depth: 0, body: DAVBody.propfind(discovery.properties))
            guard let found = items.items.lazy.compactMap({ discovery.collection($0, at: url) }).first else {
                throw .malformed(reason: "the server created something other than a \(kind.noun)")
            }
            return found
        }
        throw .refused(reason: "all names like “\(name)” are taken")
    }

    /// Deletes a collection with all its items.
    package func remove(_ href: String) async throws(RemoteError) {
        guard let place = HTTPURL(href) else {
            throw .notFound(reason: "“\(href.prefix(200))” is not a valid address of a \(kind.noun)")
        }
        allowPort(of: place)
        let response = try await session.call(.delete, place)
        guard response.isSuccess || [404, 410].contains(response.status) else {
            throw RemoteError(DAVRefusal(response))
        }
    }

    /// Returns a key that is equal for all spellings of a collection's URL, in any account.
    package func place(of href: String) -> String {
        guard let url = HTTPURL(href) else { return href }
        let path = url.comparablePath
        return "\(url.scheme.rawValue)://\(url.host):\(url.port)"
            + (path.hasSuffix("/") ? String(path.dropLast()) : path)
    }

    /// The way to the collection at `href`, as it was found once. At a server that the account may not reach, whatever the
    /// store says, every call is refused before anything is sent.
    package func open(_ href: String) -> DAVCollection {
        let url = HTTPURL(href) ?? HTTPURL(host: address.host, path: href)
        allowPort(of: url)
        return DAVCollection(session: session, url: url, kind: kind)
    }

    /// DNS named the port of a collection when it was found, and is not asked again to open it.
    private func allowPort(of url: HTTPURL) {
        if case .domain = address.kind { session.allow(port: url.port) }
    }

    private var discovery: DAVDiscovery {
        DAVDiscovery(address: address, session: session, kind: kind, resolver: resolver)
    }

    private static func folderName(_ name: String) -> String {
        let words = name.lowercased().utf8.split { !(0x61...0x7A).contains($0) && !(0x30...0x39).contains($0) }
        let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
        return text.isEmpty ? "collection" : String(text.prefix(40))
    }
}
