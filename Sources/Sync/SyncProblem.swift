/// The reason why an item was not synced; the others are.
package struct SyncProblem<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// The kind of problem.
    package enum Reason: Hashable, Sendable {
        /// The collection is read-only; local changes are not sent.
        case readOnly
        /// The collection is read-only; the item stays there.
        case readOnlyRemoval
        /// The server rejected the item.
        case refused(ItemRefusal)
        /// The server rejected the deletion.
        case notRemovable(ItemRefusal)
        /// Two remote items have the same `UID`.
        case sameUID
        /// Two local items have the same `UID`; this one is not sent.
        case sameUIDHere
        /// The item keeps changing on the server.
        case busy
        /// The server says that the item has changed, but it has the same etag: the server refuses its own etag.
        case etagRefused
        /// The item was changed here each time it was compared.
        case changedHere
        /// The remote item is not valid.
        case unreadable
        /// The remote item could not be fetched.
        case unfetchable(String)
    }

    /// The kind of problem.
    package let reason: Reason
    /// The local item; nil if there is none yet.
    package let id: ID?
    /// The href of the remote item; nil if there is none yet.
    package let href: String?

    package init(_ reason: Reason, id: ID? = nil, href: String? = nil) {
        self.reason = reason
        self.id = id
        self.href = href
    }

    /// Whether the content of the remote item is unknown until a later sync.
    package var isTransient: Bool {
        switch reason {
        case .unreadable, .unfetchable, .busy, .etagRefused, .changedHere: true
        default: false
        }
    }
}
