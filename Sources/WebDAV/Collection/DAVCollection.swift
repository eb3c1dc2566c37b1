package import HTTPClient
package import Sync
import XML

/// The way to one collection of items on a server: an address book (RFC 6352) or a calendar (RFC 4791). It moves items and
/// knows no rules.
///
/// Hrefs that leave here are paths. An item's own part of the path stays as the server wrote it, and the collection's part
/// is always written the same way, however the server varies it from answer to answer. All calls may be repeated.
package struct DAVCollection: CollectionClient {
    /// The number of items per request.
    static let itemsAtOnce = 100

    let session: DAVSession
    let kind: DAVResourceType
    /// The collection's own address; ends with a slash.
    let url: HTTPURL
    /// The beginning of the keys of its cards.
    private let keyPath: String

    /// Creates the client of the collection at `url`; a missing slash at its end is added.
    package init(session: DAVSession, url: HTTPURL, kind: DAVResourceType) {
        self.session = session
        self.kind = kind
        var url = url
        if !url.path.hasSuffix("/") { url.path += "/" }
        self.url = url
        keyPath = url.comparablePath
    }

    /// The sync token, or the collection tag of servers that have only that.
    package func state() async throws(RemoteError) -> String? {
        let body = DAVBody.propfind([DAVName.syncToken, DAVName.getctag])
        let answer = try await session.multistatus(DAVMethod.propfind, url, depth: 0, body: body).items
        guard let item = answer.items.first else {
            throw .malformed(reason: "the server returned nothing for the \(kind.noun)")
        }
        if item.isGone { throw .notFound(reason: "the \(kind.noun) no longer exists") }
        return item.text(DAVName.syncToken) ?? item.text(DAVName.getctag)
    }

    /// Returns the normalized form of an href from a response; nil for the collection itself.
    func href(_ text: String) throws(RemoteError) -> String? {
        if plainName(text) != nil { return text }
        guard let place = url.meaning(of: text), place.hasSameOrigin(as: url) else {
            throw .malformed(reason: "the \(kind.noun) lists “\(text.prefix(200))”, which is on another server")
        }
        if place.path.hasSuffix("/") || place.comparablePath + "/" == url.comparablePath { return nil }
        guard let slash = place.path.lastIndex(of: "/") else { return nil }
        let (folder, name) = (place.path[...slash], place.path[slash...].dropFirst())
        let isInside = HTTPURL(host: url.host, path: String(folder)).comparablePath == url.comparablePath
        return (isInside ? url.path : String(folder)) + name
    }

    /// Returns the URL of the item at `href`.
    func place(_ href: String) throws(RemoteError) -> HTTPURL {
        guard let place = url.meaning(of: href), place.hasSameOrigin(as: url) else {
            throw .refused(reason: "“\(href.prefix(200))” is not an address in this \(kind.noun)")
        }
        return place
    }

    /// Returns a key that is equal for all spellings of an href.
    func key(_ href: String) -> String {
        plainName(href).map { keyPath + String(Substring($0)) } ?? url.meaning(of: href)?.comparablePath ?? href
    }

    /// Returns the item's own part of an href in the most common spelling: the collection's path as it is here, and a
    /// name without escapes. It needs no resolving, which matters for large collections.
    private func plainName(_ href: String) -> Substring.UTF8View? {
        guard href.utf8.starts(with: url.path.utf8) else { return nil }
        let name = href.utf8.dropFirst(url.path.utf8.count)
        // A name of dots alone would be a step in the path (RFC 3986 §5.2.4).
        let isPlain = name.allSatisfy(DAVCollection.isUnreserved) && name.contains { $0 != UInt8(ascii: ".") }
        return isPlain ? name : nil
    }

    /// Whether a byte stands for itself in every form of a path (RFC 3986 §2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
