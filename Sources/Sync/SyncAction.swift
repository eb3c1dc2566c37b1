/// The next step of a sync.
package enum SyncAction<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// Ask the user for confirmation; answered by ``SyncEngine/confirm(_:)``.
    case confirm(SyncQuestion)
    /// Fetch these items; each is answered by ``SyncEngine/apply(_:at:identity:)``.
    case fetch([String])
    /// Create or update a remote item.
    case send(SyncSend<ID>)
    /// Delete a remote item.
    case remove(ID, RemoteEntry)
    /// Remove the local items that were deleted on the remote side. The values are the hrefs of their links.
    case removeHere([ID: String])
    /// Drop the links to these hrefs, where neither side has an item any more.
    case dropLinks([String])
    /// Report a problem; the item is skipped.
    case report(SyncProblem<ID>)
}

/// A request that sends an item.
package struct SyncSend<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// The item to send.
    package let id: ID
    /// The remote item to update, if it still has this etag; nil to create one.
    package let replaced: RemoteEntry?
    /// The number of the attempt to create the item, from 1; later attempts use another name.
    package let attempt: Int
    /// Whether the item is sent in the oldest version of its format.
    package let inOldVersion: Bool

    package init(_ id: ID, replacing replaced: RemoteEntry? = nil, attempt: Int = 1, inOldVersion: Bool = false) {
        self.id = id
        self.replaced = replaced
        self.attempt = attempt
        self.inOldVersion = inOldVersion
    }
}

/// A request to confirm many removals.
package struct SyncQuestion: Hashable, Sendable {
    /// The number of items to remove here.
    package let removedHere: Int
    /// The number of remote items to delete.
    package let removedThere: Int
    /// The number of items on both sides.
    package let total: Int

    package init(removedHere: Int, removedThere: Int, total: Int) {
        self.removedHere = removedHere
        self.removedThere = removedThere
        self.total = total
    }
}

/// The outcome for a remote item that was fetched.
package enum FetchOutcome<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// It no longer exists.
    case vanished
    /// It is linked to this local item, and equal, or only the local side has changed since (`sends`).
    case linked(ID, etag: String, sends: Bool)
    /// It is to be deleted on the remote side.
    case unwanted(ID, etag: String)
    /// It is skipped, with a problem.
    case skipped(SyncProblem<ID>)
    /// It belongs to no local item and is left alone. An unreadable one may still be an item that was sent.
    case ignored(isReadable: Bool)
    /// Another program changed it right after it was written, so it is to be fetched again.
    case changedAgain
}

/// The remote side reports without proof that a collection with items is empty.
package struct EmptiedCollection: Error, Hashable, Sendable {
    /// The number of linked items here.
    package let count: Int
}

/// The other collections of an account, to which items may have moved.
package struct OtherCollections: Sendable {
    /// The number of new items in them.
    package var newItems = 0
    /// Whether they have any items.
    package var hasItems = false

    package init(newItems: Int = 0, hasItems: Bool = false) {
        self.newItems = newItems
        self.hasItems = hasItems
    }
}
