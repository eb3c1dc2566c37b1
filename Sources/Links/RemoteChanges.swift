/// One item of a collection, such as a card of an address book, as its keeper lists it.
package struct RemoteEntry: Hashable, Sendable {
    /// Where the item is, as the keeper writes it.
    package let href: String
    /// What changes with every change of the item: an entity tag with its quotes, or what a folder has in its place.
    package let tag: String

    package init(href: String, tag: String) {
        self.href = href
        self.tag = tag
    }
}

/// What is in a collection, or what happened in it since the last look.
package struct RemoteChanges: Hashable, Sendable {
    /// Whether `entries` are all items of the collection, so that one which is missing has been removed.
    package let isComplete: Bool
    /// The items that are new or changed; with `isComplete`, all of them.
    package let entries: [RemoteEntry]
    /// Where items were that have been removed since the last look.
    package let removed: [String]
    /// What to ask with next time; nil when the keeper has no such thing. To be kept only after all of this was applied.
    package let token: String?

    package init(isComplete: Bool, entries: [RemoteEntry], removed: [String] = [], token: String? = nil) {
        self.isComplete = isComplete
        self.entries = entries
        self.removed = removed
        self.token = token
    }
}

/// An item as its keeper has it.
package struct RemoteItem: Hashable, Sendable {
    /// The href of the item, as the server names it.
    package let href: String
    /// The entity tag of the item (RFC 9110 §8.8.3), or an equivalent that changes with its content.
    package let tag: String
    /// The item's text, with CRLF line ends where the transport had lost them.
    package let bytes: [UInt8]
    /// Why the keeper does not give the text; nil when it does. Then `tag` and `bytes` are empty.
    package let failure: String?

    package init(href: String, tag: String, bytes: [UInt8]) {
        self.href = href
        self.tag = tag
        self.bytes = bytes
        failure = nil
    }

    /// An item that is there, and whose text the keeper does not give.
    package init(href: String, failure: String) {
        self.href = href
        tag = ""
        bytes = []
        self.failure = failure
    }
}
