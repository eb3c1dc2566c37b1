import HTTPClient
import Sync
import XML

/// A 207 answer (RFC 4918 §13): what a server says of many resources at once.
struct Multistatus {
    /// The properties of one resource.
    struct Item {
        /// The href of the resource, as the server writes it.
        let href: String
        /// The status of the whole resource; nil when its properties have theirs.
        let status: Int?
        /// The properties that it has.
        let properties: [XMLName: XMLElement]

        /// Whether it is not, or no longer, there.
        var isGone: Bool { status == 404 || status == 410 }
    }

    let items: [Item]
    /// The token of a sync report (RFC 6578 §6.4).
    let syncToken: String?

    /// Reads the body of an answer.
    init(_ body: [UInt8]) throws(RemoteError) {
        let root: XMLElement
        do { root = try XMLReader.read(body) } catch {
            throw .malformed(reason: error.description)
        }
        guard root.name == DAVName.d("multistatus") else {
            throw .malformed(reason: "expected a multistatus, found \(root.name)")
        }
        items = root.children(DAVName.d("response")).flatMap(Multistatus.items)
        syncToken = root.child(DAVName.syncToken)?.trimmedText.nonEmpty
    }

    private static func items(_ response: XMLElement) -> [Item] {
        var properties: [XMLName: XMLElement] = [:]
        for propstat in response.children(DAVName.d("propstat")) {
            guard let status = status(of: propstat), (200..<300).contains(status) else { continue }
            for property in propstat.child(DAVName.prop)?.children ?? [] { properties[property.name] = property }
        }
        let status = status(of: response)
        // With a status of its own, a response may name many resources (§14.24).
        return response.children(DAVName.href).map {
            Item(href: $0.trimmedText, status: status, properties: properties)
        }
    }

    private static func status(of element: XMLElement) -> Int? {
        element.child(DAVName.d("status"))?.text.split(whereSeparator: \.isWhitespace).dropFirst().first
            .flatMap { Int($0) }
    }
}

extension Multistatus.Item {
    /// The text of a property, nil when it is absent or empty.
    func text(_ name: XMLName) -> String? { properties[name]?.trimmedText.nonEmpty }

    /// The hrefs inside a property.
    func hrefs(_ name: XMLName) -> [String] {
        properties[name]?.children(DAVName.href).map(\.trimmedText).filter { !$0.isEmpty } ?? []
    }

    func hasType(_ name: XMLName) -> Bool { properties[DAVName.resourcetype]?.child(name) != nil }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension HTTPURL {
    /// Resolves an href of a response from this URL; nil when it is not a valid URL.
    ///
    /// Servers behind a TLS proxy write their own hrefs with plain http; those still mean this server.
    func meaning(of href: String) -> HTTPURL? {
        guard var place = resolving(href) else { return nil }
        if scheme == .https, place.scheme == .http, place.host == host, place.port == 80 || place.port == port {
            (place.scheme, place.port) = (scheme, port)
        }
        return place
    }
}
