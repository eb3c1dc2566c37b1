import ContactsDomain
import DNS
import HTTPClient
import XML

/// Finds the address books of an account (RFC 6764, RFC 5397, RFC 6352 §7.1): candidates for a start, the user's
/// principal there, the homes of the principal's books, the books.
struct CardDAVDiscovery {
    /// Where books are, and which.
    struct Finding {
        var homes: [HTTPURL]
        var books: [RemoteBook]
    }

    static let wellKnown = "/.well-known/carddav"

    let address: AccountAddress
    let session: DAVSession
    let resolver: DNSResolver

    func run() async throws(LinkError) -> Finding {
        if let service = OAuthService(host: address.host) { throw .needsOAuth(service: service.name) }
        var (failure, denial): (LinkError?, LinkError?)
        for start in try await candidates() {
            do {
                if let finding = try await explore(start) { return finding }
            } catch .denied(let reason) {
                // A page at the start may have other users than the address books behind it.
                denial = denial ?? .denied(reason: reason)
            } catch .notFound(let reason) {
                failure = failure ?? .notFound(reason: reason)
            } catch .refused(let reason) {
                failure = failure ?? .refused(reason: reason)
            } catch .malformed(let reason) {
                failure = failure ?? .malformed(reason: reason)
            }
        }
        throw denial ?? failure ?? .notFound(reason: "no address book was found at \(address.host)")
    }

    // MARK: Where to start

    private func candidates() async throws(LinkError) -> [HTTPURL] {
        switch address.kind {
        case .url(let url):
            var known = url
            (known.path, known.query) = (CardDAVDiscovery.wellKnown, nil)
            return [url] + (url.path == known.path ? [] : [known])
        case .domain(let domain):
            let services = try await servers(of: domain)
            let own = ["\(CardDAVDiscovery.wellKnown)", "/"].map { HTTPURL(host: domain, path: $0) }
            return services + own
        }
    }

    /// What the domain's name server says; a plain service is asked over TLS all the same.
    private func servers(of domain: String) async throws(LinkError) -> [HTTPURL] {
        for service in ["_carddavs._tcp.\(domain)", "_carddav._tcp.\(domain)"] {
            guard let records = try? await resolver.services(service), !records.isEmpty else { continue }
            var path = CardDAVDiscovery.wellKnown
            for text in (try? await resolver.texts(service)) ?? [] where text.hasPrefix("path=/") {
                path = String(text.dropFirst(5))
            }
            if let foreign = records.first(where: { OAuthService(host: $0.target.lowercased()) != nil }),
                let known = OAuthService(host: foreign.target.lowercased())
            {
                throw .needsOAuth(service: known.name)
            }
            let urls = records.compactMap { record in
                HTTPURL("https://\(record.target):\(record.port == 80 ? 443 : record.port)\(path)")
            }
            // Name servers can be lied for, and the certificate only proves the name they gave.
            if let foreign = urls.first(where: { $0.host != domain && !$0.host.hasSuffix("." + domain) }) {
                throw .refused(
                    reason: "the address books of \(domain) are at \(foreign.host); "
                        + "to send your password there, use that address: \(foreign)")
            }
            return urls
        }
        return []
    }

    // MARK: From the start to the books

    private func explore(_ start: HTTPURL) async throws(LinkError) -> Finding? {
        let names = [DAVName.principal, DAVName.homeSet] + CardDAVDiscovery.bookProperties
        let (answer, origin) = try await session.multistatus(
            DAVMethod.propfind, start, depth: 0, body: DAVBody.propfind(names))
        guard let item = answer.items.first else { return nil }
        if item.properties[DAVName.principal]?.child(DAVName.d("unauthenticated")) != nil {
            throw .denied(reason: "\(origin.host) asks for a user and a password")
        }
        var homes = try places(item.hrefs(DAVName.homeSet), from: origin)
        if homes.isEmpty {
            // Some servers name no principal; the place itself is asked then.
            let principal = try places(item.hrefs(DAVName.principal), from: origin).first
            homes = try await homesOf(principal ?? origin)
        }
        let own = CardDAVDiscovery.book(item, at: origin)
        var books: [RemoteBook] = []
        for home in homes.isEmpty ? [origin] : homes { books += try await booksIn(home) }
        if let own, !books.contains(where: { isSame($0.href, own.href) }) { books.append(own) }
        return books.isEmpty && homes.isEmpty ? nil : Finding(homes: homes, books: books)
    }

    private func homesOf(_ principal: HTTPURL) async throws(LinkError) -> [HTTPURL] {
        let (answer, origin) = try await session.multistatus(
            DAVMethod.propfind, principal, depth: 0, body: DAVBody.propfind([DAVName.homeSet]))
        return try places(answer.items.first?.hrefs(DAVName.homeSet) ?? [], from: origin)
    }

    private func booksIn(_ home: HTTPURL) async throws(LinkError) -> [RemoteBook] {
        let (answer, origin) = try await session.multistatus(
            DAVMethod.propfind, home, depth: 1, body: DAVBody.propfind(CardDAVDiscovery.bookProperties))
        var (books, seen) = ([RemoteBook](), Set<String>())
        for item in answer.items {
            guard let book = CardDAVDiscovery.book(item, at: origin), let url = HTTPURL(book.href) else { continue }
            guard session.mayAuthenticate(at: url, from: origin), seen.insert(url.comparablePath).inserted else {
                continue
            }
            books.append(book)
        }
        return books
    }

    /// The addresses that `hrefs` mean in an answer from `origin`, which must not lead the password elsewhere.
    private func places(_ hrefs: [String], from origin: HTTPURL) throws(LinkError) -> [HTTPURL] {
        var places: [HTTPURL] = []
        for href in hrefs {
            guard let url = origin.meaning(of: href) else { continue }
            guard session.mayAuthenticate(at: url, from: origin) else {
                throw .refused(
                    reason: "\(origin.host) leads to \(url.host); to send your password there, use that address: \(url)"
                )
            }
            places.append(url)
        }
        return places
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        HTTPURL(left)?.comparablePath == HTTPURL(right)?.comparablePath
    }
}

extension CardDAVDiscovery {
    /// What is asked of a book.
    static let bookProperties = [
        DAVName.resourcetype, DAVName.d("displayname"), DAVName.c("supported-address-data"),
        DAVName.c("max-resource-size"), DAVName.d("current-user-privilege-set"),
    ]

    /// The book that an answer from `origin` describes; nil when it describes something else.
    static func book(_ item: Multistatus.Item, at origin: HTTPURL) -> RemoteBook? {
        guard item.hasType(DAVName.addressbook), var url = origin.meaning(of: item.href) else { return nil }
        if !url.path.hasSuffix("/") { url.path += "/" }
        let folder = url.path.split(separator: "/").last.map { PercentEncoding.decoded(String($0)) }
        let types = item.properties[DAVName.c("supported-address-data")]?.children ?? []
        return RemoteBook(
            href: url.description, name: item.text(DAVName.d("displayname")) ?? folder ?? url.host,
            isReadOnly: isReadOnly(item),
            versions: Set(types.compactMap { $0.attributes[XMLName("", "version")] }),
            maximumCardSize: item.text(DAVName.c("max-resource-size")).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        )
    }

    /// Whether the user's rights (RFC 3744 §5.4) are told and let nothing be written.
    private static func isReadOnly(_ item: Multistatus.Item) -> Bool {
        guard let rights = item.properties[DAVName.d("current-user-privilege-set")], !rights.children.isEmpty else {
            return false
        }
        let granted = Set(rights.children.flatMap(\.children).map(\.name.local))
        return granted.isDisjoint(with: ["all", "write", "write-content", "bind"])
    }
}
