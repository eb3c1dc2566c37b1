package import Sync

/// A collection at its address.
package struct DAVCollection: Sendable {
    /// The folder of collections in which clients look for those of a protocol, or a tree of files. A device is given access to a
    /// whole one.
    package enum Home: String, CaseIterable, Sendable {
        /// CardDAV.
        case contacts
        /// CalDAV.
        case tasks
        /// Notes as files.
        case notes
        /// Records as files.
        case records
        /// Files of other programs.
        case files

        /// The name that people see.
        var title: String {
            switch self {
            case .contacts: "Address books"
            case .tasks: "Calendars"
            case .notes: "Notes"
            case .records: "Records"
            case .files: "Files"
            }
        }

        /// Whether it is a tree of files.
        package var isFolder: Bool { self != .contacts && self != .tasks }
    }

    /// The kind of a collection, which decides on its home and its properties.
    package enum Kind: Hashable, Sendable {
        /// Contacts as vCards (RFC 6352).
        case addressBook
        /// To-dos, one for each resource (RFC 4791).
        case tasks
        /// Events, one for each resource.
        case events
        /// A calendar of other programs that takes these components, as a device has made it.
        case calendar([String])

        /// The home.
        package var home: Home { self == .addressBook ? .contacts : .tasks }
        /// The components of calendars; none for address books.
        var components: [String] {
            switch self {
            case .addressBook: []
            case .tasks: ["VTODO"]
            case .events: ["VEVENT"]
            case .calendar(let components): components
            }
        }
        /// The media type of items.
        var mediaType: String {
            if self == .addressBook { return "text/vcard; charset=utf-8" }
            return "text/calendar; charset=utf-8" + (components.count == 1 ? "; component=\(components[0])" : "")
        }
        /// The prefix of the elements that say why an item was refused.
        var prefix: String { self == .addressBook ? "card" : "cal" }
        /// The last part of the names of these elements.
        var data: String { self == .addressBook ? "address-data" : "calendar-data" }
        /// The media types that items may be sent as; empty for a client that does not say it.
        var acceptedTypes: Set<String> {
            self == .addressBook
                ? ["", "text/vcard", "text/x-vcard", "text/directory", "application/octet-stream"]
                : ["", "text/calendar", "text/x-vcalendar", "application/octet-stream"]
        }
    }

    /// The kind.
    package let kind: Kind
    /// The last segment of the address.
    package let id: String
    /// The name that people see.
    package let title: String
    /// Whether devices can only read it.
    package let isReadOnly: Bool
    /// Whether a device may rename it for all, and remove it when it is empty: an address book of no account.
    let isOwnBook: Bool
    /// The items.
    package let items: any ServedCollection

    package init(
        _ kind: Kind, id: String, title: String, isReadOnly: Bool = false, items: any ServedCollection
    ) {
        self.kind = kind
        self.id = id
        self.title = title
        self.isReadOnly = isReadOnly
        isOwnBook = false
        self.items = items
    }

    /// One of the address books of a device that sees each by itself.
    package init(_ book: ServedBook) {
        kind = .addressBook
        id = book.word
        title = book.title
        isReadOnly = book.isReadOnly
        isOwnBook = book.isOwn
        items = book.items
    }

    /// Whether a device has made it, so that one may remove it, and what is set of it holds for all.
    package var isKept: Bool { if case .calendar = kind { true } else { false } }

    /// The path.
    package var path: DAVPath { DAVPath([kind.home.rawValue, id]) }
    /// The path as it is written.
    package var href: String { path.href(isCollection: true) }

    /// The path of an item as it is written.
    func href(of name: String) -> String { href + DAVPath.encoded(name) }
}

/// The device that sends a request: what it may do, and what is remembered of it.
package protocol DAVDevice: Sendable {
    /// The author of what it changes.
    var author: ServedAuthor { get }
    /// Whether it may use the collections of a home.
    func mayUse(_ home: DAVCollection.Home) -> Bool
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

    /// Returns what the device has set of a collection, such as its color, by names in the form `{namespace}name`.
    func properties(of collection: String) async throws -> [String: String]
    /// Keeps such properties; nil removes one.
    func setProperties(_ properties: [String: String?], of collection: String) async throws
}

/// Makes, changes and removes calendars of other programs.
package protocol DAVCalendars: Sendable {
    /// Makes a calendar with properties, as XML by names in the form `{namespace}name`; false if there is one of that name.
    func make(
        _ name: String, components: [String], properties: [String: String], by author: ServedAuthor
    ) async throws -> Bool
    /// Removes a calendar with all that is in it.
    func remove(_ name: String, by author: ServedAuthor) async throws
    /// Returns the properties of a calendar.
    func properties(of name: String) async throws -> [String: String]
    /// Sets properties; nil removes one.
    func setProperties(_ properties: [String: String?], of name: String, by author: ServedAuthor) async throws
}

/// What a path names.
enum DAVResource {
    case root, principals, principal
    case home(DAVCollection.Home)
    case collection(DAVCollection)
    /// An item, which may not exist.
    case item(DAVCollection, name: String)
}

extension DAVResource {
    /// Whether it is or belongs to a collection that no device changes.
    var isReadOnlyCollection: Bool {
        switch self {
        case .collection(let collection), .item(let collection, _): collection.isReadOnly
        case .root, .principals, .principal, .home: false
        }
    }

    var isCollection: Bool { if case .item = self { false } else { true } }

    /// The path as it is written.
    var href: String {
        switch self {
        case .root: "/"
        case .principals: "/principals/"
        case .principal: "/principals/me/"
        case .home(let home): "/\(home.rawValue)/"
        case .collection(let collection): collection.href
        case .item(let collection, let name): collection.href(of: name)
        }
    }

    /// The methods that it answers (RFC 9110 §10.2.1).
    func allowed(isReadOnly: Bool, hasBooks: Bool = false) -> String {
        var methods = ["OPTIONS", "GET", "HEAD", "PROPFIND"]
        let isReadOnly = isReadOnly || isReadOnlyCollection
        switch self {
        case .root, .principals, .principal: break
        case .home: methods += ["PROPPATCH"]
        case .collection(let collection):
            methods +=
                ["REPORT", "PROPPATCH"] + (isReadOnly ? [] : ["POST"])
                + ((collection.isKept || collection.isOwnBook) && !isReadOnly ? ["DELETE"] : [])
        case .item(let collection, _):
            methods += isReadOnly ? [] : ["PUT", "DELETE"]
            if hasBooks, collection.kind == .addressBook, !isReadOnly { methods += ["COPY", "MOVE"] }
        }
        return methods.joined(separator: ", ")
    }
}
