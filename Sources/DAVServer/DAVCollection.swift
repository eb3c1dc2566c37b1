package import Sync

/// A collection at its address.
package struct DAVCollection: Sendable {
    /// The kind of a collection, which decides on its home and its properties.
    package enum Kind: String, CaseIterable, Sendable {
        case addressBook = "contacts"

        /// The first segment of the address.
        var home: String { rawValue }
        /// The end of the names of items that the server chooses.
        var ending: String { ".vcf" }
        /// The media type of items.
        var mediaType: String { "text/vcard; charset=utf-8" }
    }

    /// The kind.
    package let kind: Kind
    /// The last segment of the address.
    package let id: String
    /// The name that people see.
    package let title: String
    /// The items.
    package let items: any ServedCollection

    package init(_ kind: Kind, id: String, title: String, items: any ServedCollection) {
        self.kind = kind
        self.id = id
        self.title = title
        self.items = items
    }

    /// The path.
    package var path: DAVPath { DAVPath([kind.home, id]) }
    /// The path as it is written.
    package var href: String { path.href(isCollection: true) }

    /// The path of an item as it is written.
    func href(of name: String) -> String { href + DAVPath.encoded(name) }
}

/// The device that sends a request: what it may do, and what is remembered of it.
package protocol DAVDevice: Sendable {
    /// The author of what it changes.
    var author: ServedAuthor { get }
    /// Whether it may use the collections of a kind.
    func mayUse(_ kind: DAVCollection.Kind) -> Bool
    /// Whether it may only read.
    var isReadOnly: Bool { get }

    /// Notes what the device was given of `collection`, and with `words` what its program wrote.
    func noteServed(_ items: [ServedItem], of collection: String, words: Set<String>) async throws
    /// Returns the version that the device was last given of an item, or the one with the etag that it names, and the words that its
    /// program has been seen to write.
    func base(of name: String, etag: String?, in collection: String) async throws -> (
        content: [UInt8]?, words: Set<String>
    )
    /// Keeps content that was not stored as sent, or replaced other values, for the person to decide on. `id` is that of what is stored;
    /// empty for nothing.
    func keepRefused(
        _ content: [UInt8], as name: String, id: String, in collection: String, reason: String
    ) async throws
    /// Whether one more item may be removed of a collection that has `count`; many at once look like a mistake.
    func mayRemove(from collection: String, count: Int) -> Bool

    /// The address of the card of the person who has the device, which address books of Apple keep; nil for none.
    func ownCard() async throws -> String?
    /// Keeps that address.
    func setOwnCard(_ href: String?) async throws
}

/// What a path names.
enum DAVResource {
    case root, principals, principal
    case home(DAVCollection.Kind)
    case collection(DAVCollection)
    /// An item, which may not exist.
    case item(DAVCollection, name: String)
}

extension DAVResource {
    var isCollection: Bool { if case .item = self { false } else { true } }

    /// The path as it is written.
    var href: String {
        switch self {
        case .root: "/"
        case .principals: "/principals/"
        case .principal: "/principals/me/"
        case .home(let kind): "/\(kind.home)/"
        case .collection(let collection): collection.href
        case .item(let collection, let name): collection.href(of: name)
        }
    }

    /// The methods that it answers (RFC 9110 §10.2.1).
    func allowed(isReadOnly: Bool) -> String {
        var methods = ["OPTIONS", "GET", "HEAD", "PROPFIND"]
        switch self {
        case .root, .principals, .principal: break
        case .home: methods += ["PROPPATCH"]
        case .collection: methods += ["REPORT", "PROPPATCH"] + (isReadOnly ? [] : ["POST"])
        case .item: methods += isReadOnly ? [] : ["PUT", "DELETE"]
        }
        return methods.joined(separator: ", ")
    }
}
