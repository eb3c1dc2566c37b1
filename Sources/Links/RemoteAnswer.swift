/// What a keeper made of an item that was given to it.
package enum StoreAnswer: Hashable, Sendable {
    /// It is kept at `href`. `tag` is nil when the keeper does not say it, or cannot be trusted to have kept the same
    /// bytes; then the item must be fetched to know what it holds now.
    case stored(href: String, tag: String?)
    /// Somebody changed it meanwhile, or the name is taken.
    case changedMeanwhile
    /// The item at this place is gone.
    case gone
    /// An item with the same `UID` is there already, where the keeper says it.
    case uidTaken(href: String?)
    /// The keeper does not take such an item: its version, its content or its size.
    case refused(ItemRefusal)
}

/// Why a keeper does not take an item; `reason` is what it said.
package enum ItemRefusal: Hashable, Sendable {
    case version(reason: String)
    case invalid(reason: String)
    case tooLarge(reason: String)
    case notAllowed(reason: String)
}

/// What a keeper made of the wish to remove an item.
package enum RemoveAnswer: Hashable, Sendable {
    /// It is gone now, or was before.
    case gone
    /// Somebody changed it meanwhile.
    case changedMeanwhile
    /// The keeper does not allow it.
    case refused(reason: String)
}
