package import Links

/// A contact as the engine knows it before anything is fetched: where it stands, not what it says.
package struct SyncLocal: Hashable, Sendable {
    /// The contact's id.
    package let contact: String
    /// Whether it is in this book; false when it lies in the trash, is gone, or was moved to another book.
    package let isHere: Bool
    /// Whether it says something else than when both sides were last equal.
    package let isChanged: Bool
    /// Whether an open conflict keeps it from being sent.
    package let isHeld: Bool
    /// What tells its card apart from others, as in an import.
    package let source: Int
    /// Its card on the other side as it was read last; nil when there is none yet.
    package let link: RemoteEntry?
    /// The tag of what stands there since and is no card, empty when it could not be fetched; nil when all is well.
    package let unread: String?

    package init(
        contact: String, isHere: Bool = true, isChanged: Bool = false, isHeld: Bool = false, source: Int,
        link: RemoteEntry? = nil, unread: String? = nil
    ) {
        self.contact = contact
        self.isHere = isHere
        self.isChanged = isChanged
        self.isHeld = isHeld
        self.source = source
        self.link = link
        self.unread = unread
    }
}

/// What both sides were when they were last equal. They differ in writing where the other side rewrites cards.
package struct SyncBase: Sendable {
    /// Our card then.
    package var ours: Card
    /// Their card then.
    package var theirs: Card

    package init(ours: Card, theirs: Card) {
        self.ours = ours
        self.theirs = theirs
    }
}

/// Our side of a card that was fetched.
package struct SyncOurs: Sendable {
    /// Our card now.
    package let card: Card
    /// Whether the contact is in this book and not in the trash.
    package let isHere: Bool
    /// What both sides were when they were last equal; nil when they never met.
    package let base: SyncBase?

    package init(card: Card, isHere: Bool = true, base: SyncBase? = nil) {
        self.card = card
        self.isHere = isHere
        self.base = base
    }
}
