import DNS
import HTTPClient
import Sync
import XML

/// Finds the collections of an account (RFC 6764, RFC 5397, RFC 6352 §7.1, RFC 4791 §6.2): candidates for a start, the
/// user's principal there, the homes of the principal's collections, the collections.
struct DAVDiscovery {
    /// The found collections and their home.
    struct Finding {
        var homes: [HTTPURL]
        var collections: [DiscoveredCollection]
    }

    let address: AccountAddress
    let session: DAVSession
    let kind: DAVResourceType
    let resolver: DNSResolver

    private var wellKnown: String { "/.well-known/\(kind.service)" }

    func run() async throws(RemoteError) -> Finding {
        if !session.usesOAuth, let service = OAuthService(host: address.host) {
            throw .needsOAuth(service: service.name)
        }
        var (failure, denial): (RemoteError?, RemoteError?)
        for start in try await candidates() {
            do {
                if let finding = try await explore(start) { return finding }
            } catch .denied(let reason) {
                // A page at the start may have other users than the collections it refers to.
                denial = denial ?? .denied(reason: reason)
            } catch .notFound(let reason) {
                failure = failure ?? .notFound(reason: reason)
            } catch .refused(let reason) {
                failure = failure ?? .refused(reason: reason)
            } catch .malformed(let reason) {
                failure = failure ?? .malformed(reason: reason)
            }
        }
        throw denial ?? failure ?? .notFound(reason: "no \(kind.noun) was found at \(address.host)")
    }

    // MARK: Where to start

    private func candidates() async throws(RemoteError) -> [HTTPURL] {
        switch address.kind {
        case .url(let url):
            var known = url
            (known.path, known.query) = (wellKnown, nil)
            return [url] + (url.path == known.path ? [] : [known])
        case .domain(let domain):
            let services = try await servers(of: domain)
            let own = [wellKnown, "/"].map { HTTPURL(host: domain, path: $0) }
            return services + own
        }
    }

    /// Returns the servers from the domain's DNS records; a service without TLS is still contacted over TLS.
    private func servers(of domain: String) async throws(RemoteError) -> [HTTPURL] {
        for label in ["_\(kind.service)s", "_\(kind.service)"] {
            if let found = await records(of: "\(label)._tcp.\(domain)") { return try addresses(found, of: domain) }
        }
        return []
    }

    /// What DNS says of a service: where it is, and texts about it.
    private typealias Records = (services: [ServiceRecord], texts: [String])

    private func records(of service: String) async -> Records? {
        guard let services = try? await resolver.services(service), !services.isEmpty else { return nil }
        return (services, (try? await resolver.texts(service)) ?? [])
    }

    /// Returns the addresses that the records of a service give.
    private func addresses(_ records: Records, of domain: String) throws(RemoteError) -> [HTTPURL] {
        let path = records.texts.last { $0.hasPrefix("path=/") }.map { String($0.dropFirst(5)) } ?? wellKnown
        if let foreign = records.services.first(where: { OAuthService(host: $0.target.lowercased()) != nil }),
            let known = OAuthService(host: foreign.target.lowercased())
        {
            throw .needsOAuth(service: known.name)
        }
        let urls = records.services.compactMap { record in
            HTTPURL("https://\(record.target):\(record.port == 80 ? 443 : record.port)\(path)")
        }
        // DNS answers can be forged, and the certificate proves only the name that they gave.
        if let foreign = urls.first(where: { $0.host != domain && !$0.host.hasSuffix("." + domain) }) {
            throw .refused(
                reason: "the \(kind.noun)s of \(domain) are at \(foreign.host); "
                    + "to send your password there, use this address: \(foreign)")
        }
        for url in urls { session.allow(port: url.port) }
        return urls
    }

    // MARK: From the start to the collections

    private func explore(_ start: HTTPURL) async throws(RemoteError) -> Finding? {
        let names = [DAVName.principal, kind.homeSet] + properties
        let (answer, origin) = try await session.multistatus(
            DAVMethod.propfind, start, depth: 0, body: DAVBody.propfind(names))
        guard let item = answer.items.first else { return nil }
        if item.properties[DAVName.principal]?.child(DAVName.d("unauthenticated")) != nil {
            throw .denied(reason: "\(origin.host) requires a user name and a password")
        }
        var homes = try places(item.hrefs(kind.homeSet), from: origin)
        if homes.isEmpty {
            // Some servers name no principal; then the resource itself is queried.
            let principal = try places(item.hrefs(DAVName.principal), from: origin).first
            homes = try await homesOf(principal ?? origin)
        }
        let own = collection(item, at: origin)
        if let own { _ = try places([own.href], from: origin) }
        var found: [DiscoveredCollection] = []
        for home in homes.isEmpty ? [origin] : homes { found += try await collectionsIn(home) }
        if let own, !found.contains(where: { isSame($0.href, own.href) }) { found.append(own) }
        return found.isEmpty && homes.isEmpty ? nil : Finding(homes: homes, collections: found)
    }

    private func homesOf(_ principal: HTTPURL) async throws(RemoteError) -> [HTTPURL] {
        let (answer, origin) = try await session.multistatus(
            DAVMethod.propfind, principal, depth: 0, body: DAVBody.propfind([kind.homeSet]))
        return try places(answer.items.first?.hrefs(kind.homeSet) ?? [], from: origin)
    }

    private func collectionsIn(_ home: HTTPURL) async throws(RemoteError) -> [DiscoveredCollection] {
        let (answer, origin) = try await session.multistatus(
            DAVMethod.propfind, home, depth: 1, body: DAVBody.propfind(properties))
        var (collections, seen) = ([DiscoveredCollection](), Set<String>())
        for item in answer.items {
            guard let found = collection(item, at: origin), let url = HTTPURL(found.href) else { continue }
            guard session.mayReach(url), seen.insert(url.comparablePath).inserted else {
                continue
            }
            collections.append(found)
        }
        return collections
    }

    /// The addresses that `hrefs` mean in an answer from `origin`, which must not lead the password elsewhere.
    private func places(_ hrefs: [String], from origin: HTTPURL) throws(RemoteError) -> [HTTPURL] {
        var places: [HTTPURL] = []
        for href in hrefs {
            guard let url = origin.meaning(of: href) else { continue }
            guard session.mayReach(url) else {
                let isDowngrade = origin.scheme == .https && url.scheme == .http
                throw .refused(
                    reason: isDowngrade
                        ? "\(origin.host) refers to \(url), which is not secure; nothing was sent there"
                        : "\(origin.host) refers to \(url.host); to send your password there, use this address: \(url)")
            }
            places.append(url)
        }
        return places
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        HTTPURL(left)?.comparablePath == HTTPURL(right)?.comparablePath
    }
}

extension DAVDiscovery {
    /// The properties to request of a collection.
    var properties: [XMLName] {
        [
            DAVName.resourcetype, DAVName.d("displayname"), kind.supported, kind.maximumSize,
            DAVName.d("current-user-privilege-set"),
        ]
    }

    /// The collection that an answer from `origin` describes; nil when it describes something else.
    func collection(_ item: Multistatus.Item, at origin: HTTPURL) -> DiscoveredCollection? {
        guard item.hasType(kind.collectionType), var url = origin.meaning(of: item.href) else { return nil }
        if !url.path.hasSuffix("/") { url.path += "/" }
        let folder = url.path.split(separator: "/").last.map { PercentEncoding.decodeLossy(String($0)) }
        let supported = item.properties[kind.supported]?.children ?? []
        return DiscoveredCollection(
            href: url.description, name: item.text(DAVName.d("displayname")) ?? folder ?? url.host,
            isReadOnly: DAVDiscovery.isReadOnly(item),
            supported: Set(supported.compactMap { $0.attributes[kind.supportedAttribute] }),
            maximumItemSize: item.text(kind.maximumSize).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil })
    }

    /// Whether the user's rights (RFC 3744 §5.4) are given and allow no writing.
    private static func isReadOnly(_ item: Multistatus.Item) -> Bool {
        guard let rights = item.properties[DAVName.d("current-user-privilege-set")], !rights.children.isEmpty else {
            return false
        }
        let granted = Set(rights.children.flatMap(\.children).map(\.name.local))
        return granted.isDisjoint(with: ["all", "write", "write-content", "bind"])
    }
}

/// Services whose WebDAV accepts only OAuth. They are recognized by their hosts, so that users are not asked for a
/// useless password, and no password is sent.
enum OAuthService: String, CaseIterable {
    case google

    /// The common name.
    var name: String { "Google" }

    private var domains: [String] {
        ["google.com", "googleapis.com", "googleusercontent.com", "gmail.com", "googlemail.com"]
    }

    /// The service that runs `host`, a server's name or the domain of a mail address.
    init?(host: String) {
        let service = OAuthService.allCases.first { service in
            service.domains.contains { host == $0 || host.hasSuffix("." + $0) }
        }
        guard let service else { return nil }
        self = service
    }
}
