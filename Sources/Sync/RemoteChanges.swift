/// One item of a collection, such as a card of an address book, in a listing.
package struct RemoteEntry: Hashable, Sendable {
    /// The href of the item, as the server writes it.
    package let href: String
    /// A value that changes with every change of the item: an entity tag with its quotes, or a folder's equivalent.
    package let etag: String

    package init(href: String, etag: String) {
        self.href = href
        self.etag = etag
    }
}

/// The content of a collection, or the changes in it since the last sync.
package struct RemoteChanges: Hashable, Sendable {
    /// Whether `entries` are all items of the collection, so that one which is missing has been removed.
    package let isComplete: Bool
    /// The items that are new or changed; with `isComplete`, all of them.
    package let entries: [RemoteEntry]
    /// The hrefs of the items deleted since the last sync.
    package let removed: [String]
    /// The token for the next sync; nil when there is none. Store it only after all changes were applied.
    package let token: String?
    /// Whether the listing ended early because it takes long: then `token` continues it, and `isComplete` only says that
    /// it began with the first item.
    package let isCut: Bool

    package init(
        isComplete: Bool, entries: [RemoteEntry], removed: [String] = [], token: String? = nil, isCut: Bool = false
    ) {
        self.isComplete = isComplete
        self.entries = entries
        self.removed = removed
        self.token = token
        self.isCut = isCut
    }
}

/// An item with its content on the remote side.
package struct RemoteItem: Hashable, Sendable {
    /// The href of the item, as the server names it.
    package let href: String
    /// The entity tag of the item (RFC 9110 §8.8.3), or an equivalent that changes with its content.
    package let etag: String
    /// The item's text, with CRLF line ends where the transport had lost them.
    package let bytes: [UInt8]
    /// The reason why the item could not be fetched; nil for success. With a reason, `etag` and `bytes` are empty.
    package let failure: String?

    package init(href: String, etag: String, bytes: [UInt8]) {
        self.href = href
        self.etag = etag
        self.bytes = bytes
        failure = nil
    }

    /// Creates an item that exists and could not be fetched.
    package init(href: String, failure: String) {
        self.href = href
        etag = ""
        bytes = []
        self.failure = failure
    }
}
