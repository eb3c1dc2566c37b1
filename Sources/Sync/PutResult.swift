/// The result of storing an item.
package enum PutResult: Hashable, Sendable {
    /// It is stored at `href`. `etag` is the etag of the stored item; nil when the server does not return it. A server
    /// may have stored other bytes than it got, so the item must be fetched to know its content; an etag that differs
    /// then means that it was changed by others since.
    case stored(href: String, etag: String?)
    /// Another client has changed it in the meantime.
    case changedMeanwhile
    /// A new item was not stored, since there is an item at `href`. It may be the same item, stored by a request whose
    /// response was lost.
    case nameTaken(href: String)
    /// The item at this place is gone.
    case gone
    /// An item with the same `UID` is there already; nil if the server does not say where.
    case uidTaken(href: String?)
    /// The server does not accept the item: its version, its content or its size.
    case refused(ItemRefusal)

    /// Whether the item was stored.
    package var isStored: Bool { if case .stored = self { true } else { false } }

    /// The reason why the item was not stored; nil when it was, or when others changed it.
    package var refusal: ItemRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

/// The reason why an item is refused; `reason` is the server's message.
package enum ItemRefusal: Hashable, Sendable {
    case version(reason: String)
    case invalid(reason: String)
    case tooLarge(reason: String)
    /// The server has no room left for the user.
    case noSpace(reason: String)
    case notAllowed(reason: String)
    /// The server has an error of its own with this item (5xx). It says nothing of other items.
    case serverError(reason: String)
    /// Another answer that concerns this item alone, such as a lock.
    case failed(reason: String)

    /// Whether it is an internal error of the server.
    package var isServerError: Bool { if case .serverError = self { true } else { false } }

    /// The server's message.
    package var reason: String {
        switch self {
        case .version(let reason), .invalid(let reason), .tooLarge(let reason), .noSpace(let reason),
            .notAllowed(let reason),
            .serverError(let reason), .failed(let reason):
            reason
        }
    }
}

/// The result of deleting an item.
package enum DeleteResult: Hashable, Sendable {
    /// It is gone now, or was before.
    case gone
    /// Another client has changed it in the meantime.
    case changedMeanwhile
    /// The server does not delete it.
    case refused(ItemRefusal)
}

/// The server errors for different items in a row. One item that a server cannot handle stops no other; a server that
/// handles nothing at all is left alone.
package struct ServerErrorStreak: Sendable {
    /// The number of items in a row after which the server itself is taken to be out of order.
    package static let limit = 5

    private var count = 0

    package init() {}

    /// Counts a result. Throws ``RemoteError/serverError(reason:)`` when too many consecutive items met a server error.
    /// An item with `isKnown` met the same error in an earlier sync and is not counted.
    package mutating func note(_ refusal: ItemRefusal?, isKnown: Bool = false) throws(RemoteError) {
        guard case .serverError(let reason)? = refusal else { return count = 0 }
        if isKnown { return }
        count += 1
        if count >= ServerErrorStreak.limit { throw .serverError(reason: reason) }
    }
}
