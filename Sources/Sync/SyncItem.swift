/// A local item as a sync sees it before anything is fetched: without its content.
package struct SyncItem<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// The id of the item.
    package let id: ID
    /// Whether it belongs to the collection; false if it was deleted here, or has moved to another collection.
    package let isHere: Bool
    /// Whether it has changed since both sides were last equal.
    package let isChanged: Bool
    /// Whether an open conflict prevents sending it.
    package let isHeld: Bool
    /// Whether it was sent as a new item, and no result of that was stored.
    package let wasSent: Bool
    /// A value that is equal for items with the same `UID`; nil if ids and `UID`s correspond.
    package let identity: Int?
    /// The last known remote item. Its etag is empty if that item was never read.
    package let link: RemoteEntry?
    /// The etag of a remote item that cannot be read, empty if it could not be fetched; else nil.
    package let unread: String?

    package init(
        _ id: ID, isHere: Bool = true, isChanged: Bool = false, isHeld: Bool = false, wasSent: Bool = false,
        identity: Int? = nil, link: RemoteEntry? = nil, unread: String? = nil
    ) {
        self.id = id
        self.isHere = isHere
        self.isChanged = isChanged
        self.isHeld = isHeld
        self.wasSent = wasSent
        self.identity = identity
        self.link = link
        self.unread = unread
    }

    /// The item as one that has changed since both sides were last equal.
    package var changed: SyncItem {
        SyncItem(
            id, isHere: isHere, isChanged: true, isHeld: isHeld, wasSent: wasSent, identity: identity, link: link,
            unread: unread)
    }
}

/// The rules of a collection, and the user's options for a sync of it.
package struct SyncPolicy: Hashable, Sendable {
    /// The consequence of a deletion on the remote side.
    package enum RemoteDeletion: Hashable, Sendable {
        /// The item is removed here too, unless it has changed here.
        case removesHere
        /// The item is created there again.
        case createsAgain
    }

    /// The consequence of a deletion on the remote side.
    package var remoteDeletion = RemoteDeletion.removesHere
    /// Whether the remote side is read-only.
    package var isReadOnly = false
    /// Whether a changed item is fetched before it is sent, since the change is made in the remote text.
    package var fetchesBeforeUpdate = false
    /// Whether an item that is refused for the version of its format is sent again in the oldest version.
    package var hasOldVersion = false
    /// Whether many removals need confirmation, and an empty remote side is doubted.
    package var confirmsRemovals = true
    /// Whether an empty remote side may empty the local one.
    package var isForced = false
    /// Whether the remote side may store a new item under another name.
    package var mayRename = true
    /// The maximum size of an item in bytes; nil for none.
    package var maximumSize: Int?

    /// The rules of a writable collection whose deletions count on both sides.
    package init() {}
}

/// The limits of a sync.
package enum SyncLimits {
    /// The maximum number of items per fetch.
    package static let fetchBatch = 100
    /// The number of items that are prepared, and whose results are stored, together.
    package static let sendBatch = 50
    /// The maximum number of attempts to bring an item to the same state on both sides.
    package static let attempts = 3
    /// The maximum number of requests that send one item.
    static let sends = 8
    /// The maximum number of items in one response.
    static let wholeCollection = 5000
    /// The maximum number of removals without confirmation.
    static let unconfirmedRemovals = 10
}
