/// What a keeper made of a card that was given to it.
package enum StoreAnswer: Hashable, Sendable {
    /// It is kept at `href`. `tag` is nil when the keeper does not say it, or cannot be trusted to have kept the same
    /// bytes; then the card must be fetched to know what it holds now.
    case stored(href: String, tag: String?)
    /// Somebody changed it meanwhile, or the name is taken.
    case changedMeanwhile
    /// The card at this place is gone.
    case gone
    /// A card with the same `UID` is there already, where the keeper says it.
    case uidTaken(href: String?)
    /// The keeper does not take such a card: its version, its content or its size.
    case refused(CardRefusal)
}

/// Why a keeper does not take a card; `reason` is what it said.
package enum CardRefusal: Hashable, Sendable {
    case version(reason: String)
    case invalid(reason: String)
    case tooLarge(reason: String)
    case notAllowed(reason: String)
}

/// What a keeper made of the wish to remove a card.
package enum RemoveAnswer: Hashable, Sendable {
    /// It is gone now, or was before.
    case gone
    /// Somebody changed it meanwhile.
    case changedMeanwhile
    /// The keeper does not allow it.
    case refused(reason: String)
}
